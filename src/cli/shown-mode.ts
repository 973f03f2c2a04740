/** What a till's commands say of its mode: in all their JSON, and in the first line for people. */
import type { RunningTill } from '../app/start-till.ts';
import type { ShownMode } from '../base/mode.ts';
import { judgedLive, type LiveEvidence } from '../folder/till-mode.ts';
import { heldBy } from '../takeover/till-place.ts';
import { unknownChecks } from '../terminals/checks/unknown-keys-words.ts';
import { print, tell } from './terms.ts';

/** Never a bare list: a list has no place for the mode. */
type Facts = Readonly<Record<string, unknown>>;

/**
 * Prints the result of a till's command as JSON. All of it goes through here, so that none lacks the mode; it is left
 * out only where a till works on the folder just now and cannot be asked. Minor units are bigints in memory and digits
 * in JSON.
 */
export const printJson = (mode: ShownMode | undefined, facts: Facts): void =>
  print(JSON.stringify({ mode, ...facts, ...(mode && { mode }) }, digits, 2));

const digits = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

const marks: Readonly<Record<ShownMode, string | undefined>> = {
  test: 'TEST - NO MONEY MOVED',
  training: 'TRAINING - NO MONEY MOVED',
  live: undefined,
};

/** The first line of whatever shows sales or money to people; nothing at a live till. */
const modeLines = (mode: ShownMode): string[] => [marks[mode] ?? []].flat();

type Shown = { shown: ShownMode };

/** Lists for people, on the output that they are kept from: the mark goes along. */
export const printLines = ({ shown }: Shown, lines: readonly string[]): void => {
  for (const line of [...modeLines(shown), ...lines]) print(line);
};

/** Of a till that moves no money where it is, or as it is: why, and what to do. */
export const tellHeld = ({ place }: Pick<RunningTill, 'place'>): void => {
  const held = heldBy(place);
  if (held !== undefined) for (const line of [`${held.message}.`, held.money, held.next]) tell(line);
};

/** What this version does not know of the till's own files, each once. */
export const tellUnknown = ({ unknownKeys }: Pick<RunningTill, 'unknownKeys'>): void => {
  for (const { says, cure = '' } of unknownChecks(unknownKeys)) tell(`${says} ${cure}`);
};

/** Before what is done and shown step by step, or said in one sentence. */
export const tellMode = ({ shown }: Shown): void => {
  for (const line of modeLines(shown)) tell(line);
};

/** Of a till that goes on over plain http, as it did before a manager was asked. Said until one allows it, or https. */
export const tellPlain = ({ place }: Pick<RunningTill, 'place'>): void => {
  const plain = place.plain.state();
  if (plain?.permission.state !== 'usedBefore') return;
  tell(
    `Warning: payments and the token go to ${plain.address} over plain http. Whoever is in that network can read them.`,
  );
  tell(`Set the gateway’s https address, or have a manager allow this one: till plain-http allow ${plain.address}`);
};

const judgedWords: Readonly<Record<LiveEvidence, string>> = {
  realTerminal: 'it has taken payments on a real card terminal',
  liveAnswer: 'its gateway has answered that a payment moved money',
};

/** For a till from before tills knew their mode. Said until a manager has read it on the screens. */
export const tellJudged = ({ journal }: Pick<RunningTill, 'journal'>): void => {
  const judged = judgedLive(journal);
  if (judged === undefined) return;
  tell(`This till is live, because ${judgedWords[judged]}: what it sells is charged to real cards.`);
  tell('To practise or to try something out, use a test till: give --data a new folder.');
};
