/**
 * What the gateway has of the current batch, compared in the background for the closing page. Once there is a result, a
 * request waits briefly for the next one and otherwise returns the last result with its time.
 */
import type { Events } from '../../api/ports/events.ts';
import type { Clock } from '../../base/clock.ts';
import type { AuditRow } from '../../recovery/audit.ts';
import { SILENT_MOST } from '../compare.ts';
import type { TerminalBooks } from '../till-books.ts';

export type GatewayFound = {
  /** Wall time, ms. */
  readonly at: number;
  /** Sales that differ, or about which the gateway gave no answer. */
  readonly differing: readonly AuditRow[];
  /** How many sales the gateway gave no answer about. */
  readonly silentCount: number;
  /** Pre-authorisations that are held here and no longer at the gateway. */
  readonly lostHolds: readonly AuditRow[];
};

export type GatewayComparisons = {
  /** `isOlder`: the gateway is still being asked. A `changed` event for `closing` says when it has answered. */
  of(books: TerminalBooks): Promise<{ found: GatewayFound; isOlder: boolean }>;
};

type Parts = { clock: Clock; events: Pick<Events, 'tell'>; report(error: unknown): void };

/** A request waits no longer than this for a newer result. */
const COMPARE_WITHIN_MS = 200;
/** A result that came too late for a request counts as new for this long, so that the notified page can fetch it. */
const COUNTS_MS = 3_000;

type BatchComparison = {
  batch: number;
  found?: GatewayFound;
  inProgress?: Promise<GatewayFound> | undefined;
  /** Somebody was given the previous result, and is told when the new one is there. */
  isAwaited: boolean;
  /** On the monotonic clock: until then, requests do not ask the gateway again. */
  countsUntil: number;
};

export const openGatewayComparisons = ({ clock, events, report }: Parts): GatewayComparisons => {
  const comparisons = new Map<string, BatchComparison>();

  const comparisonOf = (books: TerminalBooks): BatchComparison => {
    const { terminalId, batch } = books.batchToClose();
    const existing = comparisons.get(terminalId);
    if (existing?.batch === batch) return existing;
    const one: BatchComparison = { batch, isAwaited: false, countsUntil: 0 };
    comparisons.set(terminalId, one);
    return one;
  };

  const compareNow = async (one: BatchComparison, books: TerminalBooks): Promise<GatewayFound> => {
    try {
      const found = await compareWithGateway(books, clock);
      one.found = found;
      return found;
    } finally {
      one.inProgress = undefined;
      if (one.isAwaited) {
        one.isAwaited = false;
        one.countsUntil = clock.monotonic() + COUNTS_MS;
        events.tell({ on: 'changed', what: 'closing' });
      }
    }
  };

  return {
    async of(books) {
      const one = comparisonOf(books);
      if (one.found !== undefined && one.inProgress === undefined && clock.monotonic() < one.countsUntil)
        return { found: one.found, isOlder: false };
      one.inProgress ??= compareNow(one, books);
      if (one.found === undefined) return { found: await one.inProgress, isOlder: false };
      const found = await resultInTime(one.inProgress, clock);
      if (found !== undefined) return { found, isOlder: false };
      one.inProgress.catch(report);
      one.isAwaited = true;
      return { found: one.found, isOlder: true };
    },
  };
};

/** Undefined if the work takes longer. */
const resultInTime = async <T>(work: Promise<T>, clock: Clock): Promise<T | undefined> => {
  const late = Promise.withResolvers<undefined>();
  const stop = clock.after(COMPARE_WITHIN_MS, () => late.resolve(undefined));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    stop();
  }
};

/** Sends the queue first. */
const compareWithGateway = async (books: TerminalBooks, clock: Clock): Promise<GatewayFound> => {
  await books.open();
  const batch = books.batchToClose();
  const differing: AuditRow[] = [];
  const lostHolds: AuditRow[] = [];
  const since = await books.list();
  let silentCount = 0;
  let inRow = 0;
  for await (const row of books.compare(books.rest(batch, since), since)) {
    inRow = row.gateway === undefined ? inRow + 1 : 0;
    if (row.gateway === undefined) silentCount += 1;
    if (!row.agrees) differing.push(row);
    // Does not wait for a dead line at each sale: somebody is waiting for the page.
    if (inRow === SILENT_MOST) break;
  }
  if (silentCount === 0)
    for await (const row of books.compare(books.openHolds(batch), since)) if (row.lostHold) lostHolds.push(row);
  return { at: clock.now(), differing, silentCount, lostHolds };
};
