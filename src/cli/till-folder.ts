/** `--data` and `--test`: the folder that a command opens, and how its results show the till's mode. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { RunningTill } from '../app/start-till.ts';
import { Fault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { systemErrorText } from '../base/system-error-text.ts';
import { journalFile } from '../folder/config.ts';
import { modeOfFolder, tillFolder } from '../folder/till-folder.ts';
import { type LiveEvidence, liveEvidence } from '../folder/till-mode.ts';
import { findOwner } from '../owner/client.ts';
import { blockedBy } from '../takeover/till-place.ts';
import { unknownChecks } from '../terminals/checks/unknown-keys-words.ts';
import { malformed, optionsOf } from './arguments.ts';
import { print, tell } from './terms.ts';

export type FolderFlags = { data: string; test?: true; machine?: string };

const TEST = 'the test till, if there is a live till beside it';

export const withFolder = (command: Command, says = 'the till’s folder'): Command =>
  command.option('--data <dir>', says, 'data').option('--test', TEST);

/**
 * The folder of the till. Throws `command.malformed` if `--test` would open a live till, and `journal.gone` for the
 * folder of a live till without a journal, in which no test till may be created.
 */
export const folderOf = ({ data, test }: FolderFlags): string => {
  const folder = tillFolder(data, { test: test === true });
  const path = journalFile(folder);
  if (folder !== data && !existsSync(path)) throw new Fault('journal.gone', { path });
  if (test === true && modeOfFolder(folder) === 'live')
    throw malformed(`the till in ${folder} is live, and --test opens a test till only`);
  return folder;
};

/** The mode of a failed command's till. Undefined if it cannot be read. */
export const modeOfCommand = (command: Command): DisplayMode | undefined => {
  const { data, test } = optionsOf<Partial<FolderFlags>>(command);
  return data === undefined ? undefined : modeOfFolder(tillFolder(data, { test: test === true }));
};

/** The till that runs on the folder, if there is one. Throws `till.unreachable` if it does not answer. */
export const ownerOf = (folder: string): ReturnType<typeof findOwner> =>
  findOwner(folder).catch((error: unknown) => {
    throw new Fault('till.unreachable', { data: folder, why: systemErrorText(error) }, error);
  });

// The till's mode: in all JSON of its commands, and in the first line for people.

/** An object, because a list has no place for the mode. */
type Facts = Readonly<Record<string, unknown>>;

/**
 * Prints the result of a till's command as JSON, always with the mode. The mode is absent only if another process uses
 * the folder and does not answer. Bigints become digits.
 */
export const printJson = (mode: DisplayMode | undefined, facts: Facts): void =>
  print(JSON.stringify({ mode, ...facts, ...(mode && { mode }) }, digits, 2));

const digits = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

const marks: Readonly<Record<DisplayMode, string | undefined>> = {
  test: 'TEST - NO MONEY MOVED',
  training: 'TRAINING - NO MONEY MOVED',
  live: undefined,
};

/** The first line of output that shows sales or money. Nothing at a live till. */
const modeLines = (mode: DisplayMode): string[] => [marks[mode] ?? []].flat();

type ModeParts = { shown: DisplayMode };

/** Prints lists on stdout, where they can be saved: the mode is printed with them. */
export const printLines = ({ shown }: ModeParts, lines: readonly string[]): void => {
  for (const line of [...modeLines(shown), ...lines]) print(line);
};

/** Prints why a blocked till moves no money, and what to do. */
export const warnOfBlockedTill = ({ place }: Pick<RunningTill, 'place'>): void => {
  const held = blockedBy(place);
  if (held !== undefined) for (const line of [`${held.message}.`, held.money, held.next]) tell(line);
};

/** Prints the keys in the till's files that this version does not know. */
export const warnOfUnknownKeys = ({ unknownKeys }: Pick<RunningTill, 'unknownKeys'>): void => {
  for (const { says, cure = '' } of unknownChecks(unknownKeys)) tell(`${says} ${cure}`);
};

export type CommandResult = {
  /** What a program reads with `--json`. */
  json: Facts;
  /** Lines about sales or money, below the till's mode. */
  lines?: readonly string[];
  /** Lines that need no mode. */
  plain?: readonly string[];
  /** Sentences beside the result, on stderr. */
  says?: string | readonly string[];
};

/** The lines of a list, or what is said if it is empty. */
export const linesOr = (lines: readonly string[], none: string): Pick<CommandResult, 'lines' | 'says'> =>
  lines.length > 0 ? { lines } : { says: none };

/** Prints a result for a program or for people. */
export const showResult = (shown: DisplayMode, asJson: true | undefined, result: CommandResult): void => {
  const { json, lines, plain = [], says = [] } = result;
  if (asJson === true) {
    printJson(shown, json);
    return;
  }
  if (lines !== undefined) printLines({ shown }, lines);
  for (const line of plain) print(line);
  for (const line of [says].flat()) tell(line);
};

/** Prints the mode before steps or sentences on stderr. */
export const tellMode = ({ shown }: ModeParts): void => {
  for (const line of modeLines(shown)) tell(line);
};

/** Warns of a till that has used plain http since before managers had to allow it, until one allows it. */
export const warnOfPlainHttp = ({ place }: Pick<RunningTill, 'place'>): void => {
  const plain = place.plain.state();
  if (plain?.permission.state === 'usedBefore') warnOfPlainAddress(plain.address);
};

/** `address`: the gateway's. Absent for somebody who may not change it. */
export const warnOfPlainAddress = (address = 'the gateway'): void => {
  tell(`Warning: payments and the token go to ${address} over plain http. Anybody in that network can read them.`);
  const allow = address.includes(':') ? `: till plain-http allow ${address}` : '.';
  tell(`Set the gateway’s https address, or have a manager allow this one${allow}`);
};

const liveEvidenceTexts: Readonly<Record<LiveEvidence, string>> = {
  realTerminal: 'it has taken payments on a real card terminal',
  liveAnswer: 'its gateway has answered that a payment moved money',
};

/** For a till from before modes existed. Printed until a manager has read it on the screens. */
export const warnOfLiveTill = ({ journal }: Pick<RunningTill, 'journal'>): void => {
  const judged = liveEvidence(journal);
  if (judged === undefined) return;
  tell(`This till is live, because ${liveEvidenceTexts[judged]}: its sales are charged to real cards.`);
  tell('To practise or to try something out, use a test till: use --data with a new folder.');
};
