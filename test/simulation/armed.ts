/** Faults that are armed at one till for the next request, card or disk operation. */
import type { ChipVerdict, ReadOutcome } from '../../drivers/terminal.ts';
import type { Fate as DiskFate } from '../support/disk/disk.ts';
import type { Fate as RequestFate, SlowFate } from '../support/till/bookkeeping-host.ts';
import type { CardName } from './cards.ts';

export type Armed = {
  /** Each fires after this many others of its kind. */
  requests: { after: number; fate: RequestFate }[];
  disk: { after: number; fate: DiskFate; times: number }[];
  reads: (ReadOutcome['kind'] | 'fault')[];
  chips: (ChipVerdict['kind'] | 'fault')[];
  /** How long the host of an integrated terminal takes for its next payment. */
  hosts: SlowFate[];
  slow: { ms: number; times: number };
  /** The monotonic time until which no terminal answers. */
  noTerminalUntil: number;
  /** The card that the next customer presents. */
  card: CardName;
};

export const nothingArmed = (): Armed => ({
  requests: [],
  disk: [],
  reads: [],
  chips: [],
  hosts: [],
  slow: { ms: 0, times: 0 },
  noTerminalUntil: 0,
  card: 'chip',
});

export const disarm = (armed: Armed): void => void Object.assign(armed, nothingArmed(), { card: armed.card });

/** If several are armed, the first that is due. */
export const nextRequest = (armed: Armed): RequestFate => {
  const hit = armed.requests.find(({ after }) => after <= 0);
  for (const each of armed.requests) each.after -= 1;
  if (hit === undefined) return 'answered';
  armed.requests.splice(armed.requests.indexOf(hit), 1);
  return hit.fate;
};

export const nextOnDisk = (armed: Armed): DiskFate => {
  const hit = armed.disk.find(({ after }) => after <= 0);
  for (const each of armed.disk) each.after -= 1;
  if (hit === undefined) return 'done';
  hit.times -= 1;
  if (hit.times <= 0) armed.disk.splice(armed.disk.indexOf(hit), 1);
  return hit.fate;
};

/** The next item of a queue, or the usual one. */
export const nextOf = <T>(wishes: T[], usual: T): T => wishes.shift() ?? usual;
