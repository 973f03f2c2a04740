/**
 * Till against gateway, kept: of which sales the gateway told the same since they changed. It is listed in the
 * background, and whoever looks at a batch asks only for the rest. What was kept counts as long as the gateway lists,
 * without a gap, all that came since: the next list begins before the last payment of the one before, and has to show
 * it again. After a list that does not, all is compared anew. Within a minute of a list a look asks only for the last
 * seconds: so looks one after the other do not each list the same minutes.
 */
import { type Clock, HOUR_MS, MINUTE_MS } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { type Batch, lastZ } from '../reconciliation/batches.ts';
import { momentOf } from '../reconciliation/business-day.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import type { Host, HostReply } from '../till/ports.ts';
import { type AuditRow, audit, type BySale } from './audit.ts';
import { type Agreed, keptLines, keptLists, type LastListed, type ListedSpan, markOf } from './gateway-kept.ts';
import { type ListedPayment, listWhole } from './gateway-listing.ts';

export type Since =
  /** Listed up to now. `bySale`: the payments of each sale that the list has whole. */
  | { readonly kind: 'listed'; readonly bySale: BySale }
  /** It did not answer: what it told before stands, and the newest sale is asked about all the same. */
  | { readonly kind: 'away' }
  /** It answered with no list: each sale is asked about. */
  | { readonly kind: 'unlisted' };

export type ListWhy = 'look' | 'close';

export interface Agreement {
  /**
   * Lists what came since the last time: for a `look` perhaps without payments that turned up later than usual, which
   * the list of the next minute has. Never rejects; one list at a time.
   */
  list(why: ListWhy): Promise<Since>;
  /** The batch's sales to ask about, oldest first: all but those that agree. A terminal's own are none. */
  rest(batch: Batch, since: Since): Sale[];
  /** The same of pre-authorisations of this terminal's earlier batches, begun at `from`, ms, or later. */
  holds(batch: Batch, from: number): Sale[];
  /** Compares these sales, and keeps those that agree. */
  compare(sales: readonly Sale[], since: Since): AsyncGenerator<AuditRow>;
  /** The batch's sales that agree, summed by brand and currency. */
  agreed(batch: Batch): Agreed[];
  /** Payments under this terminal's id that belong to no sale of the journal. */
  unknownHere(terminalId: string): ListedPayment[];
  /** Lists and compares once a minute, while there is something to compare. */
  attend(): void;
  /** Resolves when nothing of it is under way. */
  stop(): Promise<void>;
}

export type AgreementParts = {
  journal: Pick<Journal, 'sql' | 'length'>;
  ledger: FullLedger;
  host: Host;
  /** Its name: what another gateway told does not count. */
  gateway: string;
  batches(): readonly Batch[];
  clock: Clock;
  /** The best time there is. */
  now(): number;
  /** While it says no nobody is asked in the background. */
  isOnline?(): boolean;
  report?(error: unknown): void;
};

/** A payment stands in lists at most so long after the time that it has there. */
const LATE_MS = 2 * MINUTE_MS;
/** Nearly all do so soon. */
const SOON_MS = 10_000;
/** For so long after a whole list looks ask for the last seconds alone. */
const WHOLE_EVERY_MS = MINUTE_MS;
/** The last look may have been so much behind the last whole list, which has to be gone on from. */
const OVERLAP_MS = LATE_MS + WHOLE_EVERY_MS;
/** The clocks of a gateway's machines differ by less. */
const MACHINES_MS = 5_000;
/** The till's clock and the gateway's differ by less. */
const CLOCKS_MS = HOUR_MS;
/**
 * A gateway that reads a time without a zone on its own wall may be so far ahead of UTC: all up to now is in its answer
 * even then.
 */
const ZONES_MS = 14 * HOUR_MS;
/** So many rows are written in one durable step. */
const AT_ONCE = 100;
/** Sales that no list has are asked about one by one: so many in the background before others get their turn. */
const INQUIRIES_MAX = 50;

export const openAgreement = (parts: AgreementParts): Agreement => {
  const { journal, ledger, host } = parts;
  const lists = keptLists(journal.sql, parts.gateway);
  const lines = keptLines(journal.sql);
  const list = listing(parts, lists);

  async function* compare(sales: readonly Sale[], since: Since): AsyncGenerator<AuditRow> {
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

  const look = async (isStopped: () => boolean): Promise<void> => {
    const batches = unclosedBatches(parts);
    if (parts.isOnline?.() === false || !batches.some((batch) => lines.due(batch, 1).length > 0)) return;
    const since = await list.ask('look');
    if (since.kind !== 'listed') return;
    const due = batches.flatMap((batch) => lines.due(batch, AT_ONCE * 10));
    const isListed = (id: string): boolean => since.bySale.has(id);
    const few = [...due.filter(isListed), ...due.filter((id) => !isListed(id)).slice(0, INQUIRIES_MAX)];
    for (let at = 0; at < few.length && !isStopped(); at += AT_ONCE)
      for await (const _ of compare(salesOf(few.slice(at, at + AT_ONCE)), since)) if (isStopped()) return;
  };

  const background = everyMinute(parts, look);
  return {
    list: list.ask,
    compare,
    rest(batch, { kind }) {
      if (kind === 'away') lines.doubtNewest(batch);
      if (kind === 'unlisted') lines.doubtAll(batch);
      return salesOf(lines.rest(batch));
    },
    holds: (batch, from) => salesOf(lines.holds(batch, from)),
    agreed: lines.agreed,
    unknownHere: lists.strangers,
    attend: background.start,
    async stop() {
      await background.stop();
      await list.ended();
    },
  };
};

const unclosedBatches = ({ batches }: AgreementParts): Batch[] => batches().filter(({ state }) => state !== 'closed');

/** What the last whole list had, and looks have added to it. `at`: when it was listed, by the monotonic clock. */
type Listed = { at: number; newest: LastListed; span: ListedSpan };

/** What the gateway lists, as a whole or since the last time. */
const listing = (parts: AgreementParts, kept: ReturnType<typeof keptLists>) => {
  const { journal, host, clock, now, report = () => {} } = parts;
  const listFrom = (from: number) => listWhole(host, { from, to: now() + ZONES_MS + HOUR_MS });
  let listed: Listed | undefined;

  const askWhole = async (): Promise<Since> => {
    const before = kept.last();
    const batches = unclosedBatches(parts);
    if (before === undefined) kept.forget(batches);
    const from = before === undefined ? beginOf(parts, batches) : before.at - OVERLAP_MS;
    const found = await listFrom(from);
    if (found.kind === 'unlisted') return unlisted(found.reply);
    if (before !== undefined && !found.payments.has(before.payment)) {
      kept.forget(batches);
      return askWhole();
    }
    // What is begun from here on is later than all of them.
    const entry = journal.length;
    const first = batches.reduce((least, batch) => Math.min(least, batch.from), entry);
    const whole = before === undefined ? first : kept.wholeSince(from + MACHINES_MS);
    const span: ListedSpan = { whole, marks: new Set(), bySale: new Map(), saleOf: new Map() };
    const newest = kept.take([...found.payments.values()], { span, seen: listed?.span.marks ?? new Set() });
    if (newest !== undefined) kept.remember(newest, { entry, since: newest.at - OVERLAP_MS });
    listed = newest && { at: clock.monotonic(), newest, span };
    return { kind: 'listed', bySale: span.bySale };
  };

  /** Adds the last seconds to what is listed. */
  const askSince = async (known: Listed): Promise<Since> => {
    const { newest, span } = known;
    const found = await listFrom(newest.at - SOON_MS);
    if (found.kind === 'unlisted') return unlisted(found.reply);
    if (!found.payments.has(newest.payment)) return askWhole();
    const entry = journal.length;
    const fresh = [...found.payments.values()].filter((one) => !span.marks.has(markOf(one)));
    const last = kept.take(fresh, { span, seen: span.marks });
    if (last !== undefined && last.at > newest.at) {
      known.newest = last;
      kept.remember(last, { entry, since: last.at - OVERLAP_MS });
    }
    return { kind: 'listed', bySale: span.bySale };
  };

  const ask = (why: ListWhy): Promise<Since> =>
    why === 'look' && listed !== undefined && clock.monotonic() - listed.at < WHOLE_EVERY_MS
      ? askSince(listed)
      : askWhole();
  return oneByOne(ask, report);
};

/** One list after the other. */
const oneByOne = (ask: (why: ListWhy) => Promise<Since>, report: (error: unknown) => void) => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask(why: ListWhy): Promise<Since> {
      const next = last
        .then(() => ask(why))
        .catch((error: unknown): Since => {
          report(error);
          return { kind: 'unlisted' };
        });
      last = next;
      return next;
    },
    ended: () => last,
  };
};

const unlisted = (reply: HostReply | undefined): Since => ({ kind: isNoAnswer(reply) ? 'away' : 'unlisted' });

/** A gateway that has no time for a list has one later. */
const isNoAnswer = (reply: HostReply | undefined): boolean =>
  reply !== undefined && (reply.kind !== 'answered' || reply.means === 'later');

/** Before all that the standing batches may have, and since the Z report before each. */
const beginOf = ({ now, journal: { sql }, batches }: AgreementParts, some: readonly Batch[]): number => {
  const times = some.flatMap(({ terminalId, batch, openedAt }) => {
    const before = lastZ(batches(), terminalId);
    const first = sql.get(
      `SELECT min(s.at) AS at FROM book_batch b JOIN sale_search s ON s.receipt BETWEEN b.first AND b.last
       WHERE b.terminal_id = ? AND b.batch = ?`,
      terminalId,
      batch,
    );
    return [openedAt, Number(first?.['at'] ?? openedAt), ...(before ? [momentOf(before.closedAt)] : [])];
  });
  return times.reduce((first, at) => Math.min(first, at), now()) - CLOCKS_MS;
};

const everyMinute = ({ clock, report }: AgreementParts, look: (isStopped: () => boolean) => Promise<void>) => {
  let stopped = false;
  let stopWaiting = (): void => {};
  let running: Promise<void> = Promise.resolve();
  const start = (): void => {
    if (stopped) return;
    stopWaiting = clock.after(MINUTE_MS, () => {
      running = look(() => stopped)
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
