/**
 * Stores on which sales till and gateway agree, so that a batch is compared only for the rest. The gateway's payments
 * are listed in the background. A stored agreement counts as long as the lists have no gap: each list begins before the
 * last payment of the previous one and must contain it again. If it does not, everything is compared again. Within a
 * minute of a full list, a `look` lists only the last seconds, so that successive looks do not each list the same
 * minutes.
 */
import { type Clock, HOUR_MS, MINUTE_MS } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { type Batch, lastZ } from '../reconciliation/batches.ts';
import { momentOf } from '../reconciliation/business-day.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import type { Host, HostReply } from '../till/ports.ts';
import { type AuditRow, audit, type BySale } from './audit.ts';
import { type ListedPayment, listWhole } from './gateway-listing.ts';
import {
  type AgreedTotal,
  type LastListed,
  type ListedSpan,
  markOf,
  openAgreementStore,
  openListStore,
} from './gateway-store.ts';

export type ListedSince =
  /** Listed up to now. `bySale`: the payments of each sale that the list covers completely. */
  | { readonly kind: 'listed'; readonly bySale: BySale }
  /** No answer: earlier results stay valid, and the newest sale is inquired about all the same. */
  | { readonly kind: 'away' }
  /** An answer that is no list: each sale is inquired about. */
  | { readonly kind: 'unlisted' };

export type ListReason = 'look' | 'close';

export interface Agreement {
  /**
   * Lists what is new since the last time. A `look` may miss payments that appear later than usual, which the next
   * minute's list contains. Never rejects. Runs one list at a time.
   */
  list(reason: ListReason): Promise<ListedSince>;
  /**
   * The batch's sales to inquire about, oldest first: all except those that agree and those of a terminal of its own.
   */
  salesToCompare(batch: Batch, since: ListedSince): Sale[];
  /** The same for pre-authorisations of this terminal's earlier batches that began at `from`, ms, or later. */
  holds(batch: Batch, from: number): Sale[];
  /** Compares these sales, and stores which ones agree. */
  compare(sales: readonly Sale[], since: ListedSince): AsyncGenerator<AuditRow>;
  /** The batch's agreeing sales, summed by brand and currency. */
  agreedTotals(batch: Batch): AgreedTotal[];
  /** Payments under this terminal's id that belong to no sale in the journal. */
  unknownHere(terminalId: string): ListedPayment[];
  /** Lists and compares once a minute while there is something to compare. */
  runInBackground(): void;
  /** Resolves when none of its work is in progress. */
  stop(): Promise<void>;
}

export type AgreementParts = {
  journal: Pick<Journal, 'sql' | 'length'>;
  ledger: FullLedger;
  host: Host;
  /** The gateway's name: answers of another gateway do not count. */
  gateway: string;
  batches(): readonly Batch[];
  clock: Clock;
  /** The best time available. */
  now(): number;
  /** While it returns false, nothing is asked in the background. */
  isOnline?(): boolean;
  report?(error: unknown): void;
};

/** A payment appears in lists at most this long after its own time. */
const LATE_MS = 2 * MINUTE_MS;
/** Nearly all payments appear within this time. */
const SOON_MS = 10_000;
/** For this long after a full list, a look lists only the last seconds. */
const WHOLE_EVERY_MS = MINUTE_MS;
/**
 * The newest payment may come from a look this long after the last full list, which the next full list must continue.
 */
const OVERLAP_MS = LATE_MS + WHOLE_EVERY_MS;
/** The clocks of a gateway's machines differ by less than this. */
const MACHINES_MS = 5_000;
/** The clocks of the till and the gateway differ by less than this. */
const CLOCKS_MS = HOUR_MS;
/**
 * A gateway that reads a time without a zone in its own zone can be this far ahead of UTC. The list still reaches up to
 * now.
 */
const ZONES_MS = 14 * HOUR_MS;
/** Rows written in one durable step. */
const AT_ONCE = 100;
/** The most inquiries about single sales in the background before other work gets its turn. */
const INQUIRIES_MAX = 50;

export const openAgreement = (parts: AgreementParts): Agreement => {
  const { journal, ledger, host } = parts;
  const lists = openListStore(journal.sql, parts.gateway);
  const lines = openAgreementStore(journal.sql);
  const list = listing(parts, lists);

  async function* compare(sales: readonly Sale[], since: ListedSince): AsyncGenerator<AuditRow> {
    const entry = journal.length;
    const agreeing: AuditRow[] = [];
    const keep = (): void => lines.agree(agreeing.splice(0), entry);
    const bySale = since.kind === 'listed' ? since.bySale : undefined;
    try {
      for await (const row of audit({ ...ledger, all: () => sales.values() }, host, bySale)) {
        if (row.agrees && row.heldBy === 'gateway') agreeing.push(row);
        if (agreeing.length >= AT_ONCE) keep();
        yield row;
      }
    } finally {
      keep();
    }
  }

  const salesOf = (ids: readonly string[]): Sale[] => ids.flatMap((id) => replay(ledger.events(id)) ?? []);

  const work = async (isStopped: () => boolean): Promise<void> => {
    const batches = unclosedBatches(parts);
    if (parts.isOnline?.() === false || !batches.some((batch) => lines.due(batch, 1).length > 0)) return;
    const since = await list.ask('look');
    if (since.kind !== 'listed') return;
    const due = batches.flatMap((batch) => lines.due(batch, AT_ONCE * 10));
    const isListed = (id: string): boolean => since.bySale.has(id);
    const toCompare = [...due.filter(isListed), ...due.filter((id) => !isListed(id)).slice(0, INQUIRIES_MAX)];
    for (let i = 0; i < toCompare.length && !isStopped(); i += AT_ONCE)
      for await (const _ of compare(salesOf(toCompare.slice(i, i + AT_ONCE)), since)) if (isStopped()) return;
  };

  const background = runEveryMinute(parts, work);
  return {
    list: list.ask,
    compare,
    salesToCompare(batch, { kind }) {
      if (kind === 'away') lines.doubtNewest(batch);
      if (kind === 'unlisted') lines.doubtAll(batch);
      return salesOf(lines.rest(batch));
    },
    holds: (batch, from) => salesOf(lines.holds(batch, from)),
    agreedTotals: lines.agreed,
    unknownHere: lists.unknownPaymentsAt,
    runInBackground: background.start,
    async stop() {
      await background.stop();
      await list.ended();
    },
  };
};

const unclosedBatches = ({ batches }: AgreementParts): Batch[] => batches().filter(({ state }) => state !== 'closed');

/** The last full list and what looks have added to it. `at`: when it was listed, on the monotonic clock. */
type Listed = { at: number; newest: LastListed; span: ListedSpan };

/** Lists the gateway's payments, all of them or those since the last time. */
const listing = (parts: AgreementParts, stored: ReturnType<typeof openListStore>) => {
  const { journal, host, clock, now, report = () => {} } = parts;
  const listFrom = (from: number) => listWhole(host, { from, to: now() + ZONES_MS + HOUR_MS });
  let listed: Listed | undefined;

  const listAll = async (): Promise<ListedSince> => {
    const before = stored.last();
    const batches = unclosedBatches(parts);
    if (before === undefined) stored.forget(batches);
    const from = before === undefined ? beginOf(parts, batches) : before.at - OVERLAP_MS;
    const found = await listFrom(from);
    if (found.kind === 'unlisted') return noListing(found.reply);
    if (before !== undefined && !found.payments.has(before.payment)) {
      stored.forget(batches);
      return listAll();
    }
    // Sales that begin from here on are later than the whole list.
    const entry = journal.length;
    const first = batches.reduce((least, batch) => Math.min(least, batch.from), entry);
    const whole = before === undefined ? first : stored.wholeSince(from + MACHINES_MS);
    const span: ListedSpan = { whole, marks: new Set(), bySale: new Map(), saleOf: new Map() };
    const newest = stored.take([...found.payments.values()], { span, seenMarks: listed?.span.marks ?? new Set() });
    if (newest !== undefined) stored.remember(newest, { entry, since: newest.at - OVERLAP_MS });
    listed = newest && { at: clock.monotonic(), newest, span };
    return { kind: 'listed', bySale: span.bySale };
  };

  /** Adds the last seconds to the list. */
  const listSince = async (known: Listed): Promise<ListedSince> => {
    const { newest, span } = known;
    const found = await listFrom(newest.at - SOON_MS);
    if (found.kind === 'unlisted') return noListing(found.reply);
    if (!found.payments.has(newest.payment)) return listAll();
    const entry = journal.length;
    const newPayments = [...found.payments.values()].filter((one) => !span.marks.has(markOf(one)));
    const last = stored.take(newPayments, { span, seenMarks: span.marks });
    if (last !== undefined && last.at > newest.at) {
      known.newest = last;
      stored.remember(last, { entry, since: last.at - OVERLAP_MS });
    }
    return { kind: 'listed', bySale: span.bySale };
  };

  const ask = (reason: ListReason): Promise<ListedSince> =>
    reason === 'look' && listed !== undefined && clock.monotonic() - listed.at < WHOLE_EVERY_MS
      ? listSince(listed)
      : listAll();
  return createSerialAsk(ask, report);
};

/** Runs one list after the other. */
const createSerialAsk = (request: (reason: ListReason) => Promise<ListedSince>, report: (error: unknown) => void) => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask(reason: ListReason): Promise<ListedSince> {
      const next = last
        .then(() => request(reason))
        .catch((error: unknown): ListedSince => {
          report(error);
          return { kind: 'unlisted' };
        });
      last = next;
      return next;
    },
    ended: () => last,
  };
};

const noListing = (reply: HostReply | undefined): ListedSince => ({ kind: isNoAnswer(reply) ? 'away' : 'unlisted' });

/** A gateway that is too busy for a list now can give one later. */
const isNoAnswer = (reply: HostReply | undefined): boolean =>
  reply !== undefined && (reply.kind !== 'answered' || reply.means === 'later');

/** A time before everything the open batches can contain, and before the Z report that precedes each. */
const beginOf = ({ now, journal: { sql }, batches }: AgreementParts, batchGroup: readonly Batch[]): number => {
  const times = batchGroup.flatMap(({ terminalId, batch, openedAt }) => {
    const before = lastZ(batches(), terminalId);
    const first = sql.get(
      `SELECT min(s.at) AS at FROM book_batch b JOIN sale_search s ON s.receipt BETWEEN b.first AND b.last
       WHERE b.terminal_id = ? AND b.batch = ?`,
      terminalId,
      batch,
    );
    return [openedAt, Number(first?.['at'] ?? openedAt), ...(before ? [momentOf(before.closedAt)] : [])];
  });
  return times.reduce((first, i) => Math.min(first, i), now()) - CLOCKS_MS;
};

const runEveryMinute = ({ clock, report }: AgreementParts, work: (isStopped: () => boolean) => Promise<void>) => {
  let stopped = false;
  let stopWaiting = (): void => {};
  let running: Promise<void> = Promise.resolve();
  const start = (): void => {
    if (stopped) return;
    stopWaiting = clock.after(MINUTE_MS, () => {
      running = work(() => stopped)
        .catch((error: unknown) => report?.(error))
        .finally(start);
    });
  };
  return {
    start,
    async stop() {
      stopped = true;
      stopWaiting();
      await running;
    },
  };
};
