/** Faults that are armed at one till for the next request, card or disk operation. */
import type { ChipVerdict, ReadOutcome } from '../../drivers/terminal.ts';
import type { Fate as DiskFate } from '../support/disk/disk.ts';
import type { Fate as RequestFate, SlowFate } from '../support/till/bookkeeping-host.ts';
import type { CardName } from './cards.ts';

export type ArmedFaults = {
  /** Each fires after this many others of its kind. */
  requests: { after: number; fate: RequestFate }[];
  disk: { after: number; fate: DiskFate; times: number }[];
  reads: (ReadOutcome['kind'] | 'fault')[];
  chipVerdicts: (ChipVerdict['kind'] | 'fault')[];
  /** How long the host of an integrated terminal takes for its next payment. */
  hosts: SlowFate[];
  slow: { ms: number; times: number };
  /** The monotonic time until which no terminal answers. */
  noTerminalUntil: number;
  /** The card that the next customer presents. */
  card: CardName;
};

export const noFaults = (): ArmedFaults => ({
  requests: [],
  disk: [],
  reads: [],
  chipVerdicts: [],
  hosts: [],
  slow: { ms: 0, times: 0 },
  noTerminalUntil: 0,
  card: 'chip',
});

export const disarm = (faults: ArmedFaults): void => void Object.assign(faults, noFaults(), { card: faults.card });

/** The fate of the next request: of several armed faults, the first that is due. */
export const nextRequestFate = (faults: ArmedFaults): RequestFate => {
  const dueFault = faults.requests.find(({ after }) => after <= 0);
  for (const each of faults.requests) each.after -= 1;
  if (dueFault === undefined) return 'answered';
  faults.requests.splice(faults.requests.indexOf(dueFault), 1);
  return dueFault.fate;
};

export const nextDiskFate = (faults: ArmedFaults): DiskFate => {
  const dueFault = faults.disk.find(({ after }) => after <= 0);
  for (const each of faults.disk) each.after -= 1;
  if (dueFault === undefined) return 'done';
  dueFault.times -= 1;
  if (dueFault.times <= 0) faults.disk.splice(faults.disk.indexOf(dueFault), 1);
  return dueFault.fate;
};

/** Takes the next item of a queue, or returns the usual one. */
export const takeNext = <T>(queued: T[], fallback: T): T => queued.shift() ?? fallback;
