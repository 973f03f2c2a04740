/** `--data` and `--test`: which till's folder a command opens, and what the command says of the till's mode. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { RunningTill } from '../app/start-till.ts';
import { Fault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { journalFile } from '../folder/config.ts';
import { modeOfFolder, tillFolder } from '../folder/till-folder.ts';
import { type LiveEvidence, liveEvidence } from '../folder/till-mode.ts';
import { blockedBy } from '../takeover/till-place.ts';
import { unknownChecks } from '../terminals/checks/unknown-keys-words.ts';
import { nearestFlag, nearestText } from './arguments.ts';
import { print, tell } from './terms.ts';

export type FolderFlags = { data: string; test?: true; machine?: string };

const TEST = 'the test till, where a live till was begun beside it';

export const withFolder = (command: Command, says = 'the till’s folder'): Command =>
  command.option('--data <dir>', says, 'data').option('--test', TEST);

/**
 * The folder of the till that was asked for. Throws `command.malformed` where `--test` would open a live till, and
 * `journal.gone` for a live till's folder without a journal: no test till is begun in there.
 */
export const folderOf = ({ data, test }: FolderFlags): string => {
  const folder = tillFolder(data, { test: test === true });
  const path = journalFile(folder);
  if (folder !== data && !existsSync(path)) throw new Fault('journal.gone', { path });
  if (test === true && modeOfFolder(folder) === 'live')
    throw new Fault('command.malformed', { why: `the till in ${folder} is live, and --test opens a test till only` });
  return folder;
};

/** The mode of the till that a command is about, for one that failed; undefined where that cannot be told. */
export const modeOfCommand = (command: Command): DisplayMode | undefined => {
  const data = nearestText(command, 'data');
  if (data === undefined) return undefined;
  return modeOfFolder(tillFolder(data, { test: nearestFlag(command, 'test') === true }));
};

// What a till's commands say of its mode: in all their JSON, and in the first line for people.

/** Never a bare list: a list has no place for the mode. */
type Facts = Readonly<Record<string, unknown>>;

/**
 * Prints the result of a till's command as JSON. All of it goes through here, so that none lacks the mode; it is left
 * out only where a till works on the folder just now and cannot be asked. Minor units are bigints in memory and digits
 * in JSON.
 */
export const printJson = (mode: DisplayMode | undefined, facts: Facts): void =>
  print(JSON.stringify({ mode, ...facts, ...(mode && { mode }) }, digits, 2));

const digits = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

const marks: Readonly<Record<DisplayMode, string | undefined>> = {
  test: 'TEST - NO MONEY MOVED',
  training: 'TRAINING - NO MONEY MOVED',
  live: undefined,
};

/** The first line of whatever shows sales or money to people; nothing at a live till. */
const modeLines = (mode: DisplayMode): string[] => [marks[mode] ?? []].flat();

type ModeParts = { shown: DisplayMode };

/** Lists for people, on the output that they are kept from: the mark goes along. */
export const printLines = ({ shown }: ModeParts, lines: readonly string[]): void => {
  for (const line of [...modeLines(shown), ...lines]) print(line);
};

/** Of a till that moves no money where it is, or as it is: why, and what to do. */
export const tellHeld = ({ place }: Pick<RunningTill, 'place'>): void => {
  const held = blockedBy(place);
  if (held !== undefined) for (const line of [`${held.message}.`, held.money, held.next]) tell(line);
};

/** What this version does not know of the till's own files, each once. */
export const tellUnknown = ({ unknownKeys }: Pick<RunningTill, 'unknownKeys'>): void => {
  for (const { says, cure = '' } of unknownChecks(unknownKeys)) tell(`${says} ${cure}`);
};

/** Before what is done and shown step by step, or said in one sentence. */
export const tellMode = ({ shown }: ModeParts): void => {
  for (const line of modeLines(shown)) tell(line);
};

/** Of a till that goes on over plain http, as it did before a manager was asked. Said until one allows it, or https. */
export const tellPlain = ({ place }: Pick<RunningTill, 'place'>): void => {
  const plain = place.plain.state();
  if (plain?.permission.state === 'usedBefore') tellPlainAddress(plain.address);
};

/** `address`: the gateway's; left out for somebody who may not change it. */
export const tellPlainAddress = (address = 'the gateway'): void => {
  tell(`Warning: payments and the token go to ${address} over plain http. Whoever is in that network can read them.`);
  const allow = address.includes(':') ? `: till plain-http allow ${address}` : '.';
  tell(`Set the gateway’s https address, or have a manager allow this one${allow}`);
};

const judgedWords: Readonly<Record<LiveEvidence, string>> = {
  realTerminal: 'it has taken payments on a real card terminal',
  liveAnswer: 'its gateway has answered that a payment moved money',
};

/** For a till from before tills knew their mode. Said until a manager has read it on the screens. */
export const tellJudged = ({ journal }: Pick<RunningTill, 'journal'>): void => {
  const judged = liveEvidence(journal);
  if (judged === undefined) return;
  tell(`This till is live, because ${judgedWords[judged]}: what it sells is charged to real cards.`);
  tell('To practise or to try something out, use a test till: give --data a new folder.');
};
