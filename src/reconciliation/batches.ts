/**
 * Batches in the journal: opened by their first sale, closing, closed. The numbers of batches, X and Z reports have no
 * gaps, because each is the last number in the journal plus one.
 */
import { howToRead } from '../journal/kinds-known.ts';
import type { BusinessDay } from './business-day.ts';
import type { OpenMoney } from './open-money.ts';
import type { ZReport } from './z-report.ts';

/** A signed decision to close a batch although these amounts are open. */
export type Override = {
  readonly by: string;
  readonly reason: string;
  readonly amounts: readonly OpenMoney[];
  /** Made with the till's key, base64url, over the batch, the person, the reason and the amounts. */
  readonly signature: string;
  readonly publicKey: string;
};

export type BatchEvent =
  | { on: 'batchOpened'; terminalId: string; batch: number; at: number; day: BusinessDay }
  /** `by`: the person signed in at a screen. Absent on a command line without staff. */
  | {
      on: 'batchClosing';
      terminalId: string;
      batch: number;
      at: number;
      day: BusinessDay;
      override?: Override;
      by?: string;
    }
  /** The terminal's own end of day is about to be requested; then, what it printed. */
  | { on: 'terminalClosing'; terminalId: string; batch: number; at: number }
  | { on: 'terminalClosed'; terminalId: string; batch: number; at: number; lines: readonly string[] }
  | { on: 'xReport'; terminalId: string; batch: number; at: number; number: number; hash: string; by?: string }
  | { on: 'batchClosed'; terminalId: string; batch: number; at: number; z: ZReport }
  /**
   * The journal turned out to be an older copy: another copy may have given this many numbers to batches and Z reports
   * after this batch. They are not used here.
   */
  | { on: 'numbersSkipped'; terminalId: string; batch: number; at: number; batches: number; zs: number };

export type Batch = {
  readonly terminalId: string;
  readonly batch: number;
  readonly state: 'open' | 'closing' | 'closed';
  readonly openedAt: number;
  readonly day: BusinessDay;
  /** The batch has the sales that began after this journal entry, up to `until` if set. */
  readonly from: number;
  readonly until?: number;
  readonly override?: Override;
  readonly terminalDay?: { readonly asked: number; readonly lines?: readonly string[] };
  readonly xReports: number;
  readonly z?: ZReport;
  /**
   * A newer version has written something about it that this one does not know: it is neither counted nor closed here.
   */
  readonly newer?: string;
  /** Numbers skipped after this batch, and before its own Z report or the next one. */
  readonly skipped?: { readonly batches: number; readonly zs: number };
};

export type BatchEntry = { readonly entry: number; readonly event: BatchEvent };

/** The journal subject of a batch: this prefix, then its number and terminal. */
export const SUBJECT = 'batch ';
export const subjectOf = ({ terminalId, batch }: Pick<Batch, 'terminalId' | 'batch'>): string =>
  `${SUBJECT}${terminalId} ${batch}`;

/** The batches of all terminals of this till, oldest first. */
export const batchesOf = (entries: Iterable<BatchEntry>): Batch[] => {
  const batches = new Map<string, Batch>();
  for (const { entry, event } of entries) {
    const key = subjectOf(event);
    const batch = after(batches.get(key), event, entry);
    if (batch !== undefined) batches.set(key, batch);
  }
  return [...batches.values()];
};

/** The batches after one more entry, which can be about any of them. */
export const withEntry = (batches: readonly Batch[], { entry, event }: BatchEntry): readonly Batch[] => {
  const key = subjectOf(event);
  const i = batches.findLastIndex((one) => subjectOf(one) === key);
  const batch = after(batches[i], event, entry);
  if (batch === undefined) return batches;
  return i < 0 ? [...batches, batch] : batches.with(i, batch);
};

const kinds: Readonly<Record<BatchEvent['on'], true>> = {
  batchOpened: true,
  batchClosing: true,
  terminalClosing: true,
  terminalClosed: true,
  xReport: true,
  batchClosed: true,
  numbersSkipped: true,
};

const after = (batch: Batch | undefined, event: BatchEvent, entry: number): Batch | undefined => {
  const how = howToRead(kinds, event);
  if (how !== 'read') return how === 'newer' && batch !== undefined ? { ...batch, newer: event.on } : batch;
  if (event.on === 'batchOpened') {
    const { terminalId, batch: number, at, day } = event;
    // Sales from before there were batches belong to the first one.
    const from = number === 1 ? 0 : entry;
    return batch ?? { terminalId, batch: number, state: 'open', openedAt: at, day, from, xReports: 0 };
  }
  if (batch === undefined) return undefined;
  switch (event.on) {
    case 'batchClosing':
      return {
        ...batch,
        state: 'closing',
        day: event.day,
        until: batch.until ?? entry,
        override: event.override ?? batch.override,
      };
    case 'terminalClosing':
      return { ...batch, terminalDay: { asked: (batch.terminalDay?.asked ?? 0) + 1 } };
    case 'terminalClosed':
      return { ...batch, terminalDay: { asked: batch.terminalDay?.asked ?? 1, lines: event.lines } };
    case 'xReport':
      return { ...batch, xReports: batch.xReports + 1 };
    case 'numbersSkipped': {
      const { batches = 0, zs = 0 } = batch.skipped ?? {};
      return { ...batch, skipped: { batches: batches + event.batches, zs: zs + event.zs } };
    }
    default:
      return { ...batch, state: 'closed', z: event.z };
  }
};

/** The batch that takes this terminal's sales now. */
export const openBatch = (batches: readonly Batch[], terminalId: string): Batch | undefined =>
  batches.findLast((batch) => batch.terminalId === terminalId && batch.state === 'open');

/** A batch whose close has begun and is not finished. */
export const closingBatch = (batches: readonly Batch[], terminalId: string): Batch | undefined =>
  batches.find((batch) => batch.terminalId === terminalId && batch.state === 'closing');

/** The last batch of this terminal, whatever its state. */
export const lastBatch = (batches: readonly Batch[], terminalId: string): Batch | undefined =>
  batches.findLast((batch) => batch.terminalId === terminalId);

export const nextBatch = (batches: readonly Batch[], terminalId: string): number => {
  const last = lastBatch(batches, terminalId);
  return (last?.batch ?? 0) + (last?.skipped?.batches ?? 0) + 1;
};

export const lastDay = (batches: readonly Batch[], terminalId: string): BusinessDay | undefined =>
  lastBatch(batches, terminalId)?.day;

export const lastZ = (batches: readonly Batch[], terminalId: string): ZReport | undefined =>
  batches.findLast((batch) => batch.terminalId === terminalId && batch.z !== undefined)?.z;

/**
 * The number of the next Z report, and how many are skipped because another copy of this journal may have used them.
 */
export const nextZ = (batches: readonly Batch[], terminalId: string): { number: number; skipped: number } => {
  const own = batches.filter((batch) => batch.terminalId === terminalId);
  const last = lastZ(own, terminalId)?.number ?? 0;
  const zCount = own.filter(({ z }) => z !== undefined).length;
  const skipped = zCount + own.reduce((sum, batch) => sum + (batch.skipped?.zs ?? 0), 0) - last;
  return { number: last + skipped + 1, skipped };
};

export const nextX = (batches: readonly Batch[], terminalId: string): number =>
  batches.reduce((count, batch) => count + (batch.terminalId === terminalId ? batch.xReports : 0), 1);
