/**
 * The till's ledger on the real journal and queue: each event is written with its message and its table rows in one
 * durable step.
 */
import type { Clock } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { Outbox } from '../queue/outbox.ts';
import { entryOf, eventIn } from '../till/machine/event-text.ts';
import type { ReadEvent } from '../till/machine/events.ts';
import { refuseUnread, replay, type Sale } from '../till/machine/sale.ts';
import { kinds } from '../till/machine/unread.ts';
import type { Ledger, LedgerEntry } from '../till/ports.ts';
import { HANDED_OVER } from './handed-over.ts';
import { afterEvent, type Indexes, type IndexProgress, type LedgerIndex, openIndexes } from './ledger-index.ts';
import {
  clearLateInquiry,
  deviceIndex,
  lateIndex,
  lateSales,
  newestAtDevice,
  openQuestionIndex,
  openQuestions,
  requeueLateInquiry,
  saleIndex,
  salesAtDevice,
  salesOfNumber,
} from './sale-indexes.ts';
import { searchIndex } from './search-index.ts';

export type FullLedger = Ledger & {
  /** All sales, newest first, at most `most`. */
  sales(most: number): Sale[];
  all(): IterableIterator<Sale>;
  /** Sales that ended as never sent and are to be inquired about once more: `due` now, or `all` of them. */
  late(which?: 'due' | 'all'): string[];
  /** Call it after that inquiry, when the gateway has no approval. */
  noteLateAsked(sale: string): void;
  /** Call it when the inquiry got no answer: the sale is due again later. */
  requeueLate(sale: string): void;
};

export type LedgerParts = {
  journal: Journal;
  outbox: Outbox;
  clock: Clock;
  indexes?: readonly LedgerIndex[];
  /** Called while indexes take long to fill, before the ledger is open. */
  indexing?: ((progress: IndexProgress) => void) | undefined;
};

export const openLedger = ({ journal, outbox, clock, indexes = [], indexing }: LedgerParts): FullLedger => {
  const { sql } = journal;
  const own = [saleIndex(sql), lateIndex(sql, clock), searchIndex(sql), deviceIndex(sql), openQuestionIndex(sql)];
  const stored = openIndexes(journal, [...own, ...indexes], { onProgress: indexing });
  const cache = openSaleCache((id) => replay(eventsOf(journal, id)));
  const write = writer({ journal, outbox, clock }, { indexes: stored, cache });

  const column = (name: string, statement: string, ...values: (string | number)[]): string[] =>
    sql.all(statement, ...values).map((row) => String(row[name]));

  const number = (statement: string, ...values: string[]): number => Number(sql.get(statement, ...values)?.['n'] ?? 0);

  const saleAt = (id: string): Sale[] => {
    const sale = cache.of(id);
    return sale === undefined ? [] : [sale];
  };

  return {
    record: (sale, event, message) => write([{ sale, event, message }]),
    recordAll: (entries) => write(entries),
    settle(message, sale, event) {
      write([{ sale, event }], () => outbox.settle(message));
      journal.noteKeysDestroyed();
    },
    events: (sale) => eventsOf(journal, sale),
    sale: cache.of,
    saleOfReceipt: (receipt) => column('sale', 'SELECT sale FROM sale WHERE receipt = ?', receipt)[0],
    followersOf: (sale) => column('sale', 'SELECT sale FROM sale WHERE refunds = ? ORDER BY receipt', sale),
    untriedMessage: (sale) => outbox.untried(sale),
    parkedMessage(sale) {
      const parkedIds = outbox.parkedOf(sale);
      return parkedIds === undefined || parkedIds.note === HANDED_OVER ? undefined : parkedIds.id;
    },
    salesAtDevice: (place, since) => salesAtDevice(sql, place, since),
    salesOfNumber: (place, since) => salesOfNumber(sql, place, since),
    newestAtDevice: (place, field) => newestAtDevice(sql, place, field),
    isQueued: (sale) => outbox.holds(sale),
    openSales: () => column('sale', 'SELECT sale FROM sale WHERE open = 1 ORDER BY receipt'),
    openQuestions: () => openQuestions(sql),
    nextNumbers: (terminalId) => ({
      receipt: number('SELECT max(receipt) AS n FROM sale') + 1,
      sequence: number('SELECT max(sequence) AS n FROM sale WHERE terminal_id = ?', terminalId) + 1,
    }),
    sales: (most) => column('sale', 'SELECT sale FROM sale ORDER BY receipt DESC LIMIT ?', most).flatMap(saleAt),
    late: (which = 'due') => lateSales(sql, clock, which),
    noteLateAsked: (sale) => clearLateInquiry(sql, sale),
    requeueLate: (sale) => requeueLateInquiry(sql, clock, sale),
    *all() {
      for (const id of column('sale', 'SELECT sale FROM sale ORDER BY receipt')) yield* saleAt(id);
    },
  };
};

const eventsOf = (journal: Journal, sale: string): ReadEvent[] => journal.about(sale).map(({ body }) => eventIn(body));

/** Writes events, their messages and their index rows in one durable step. */
const writer = (
  { journal, outbox, clock }: Omit<LedgerParts, 'indexes'>,
  { indexes, cache }: { indexes: Indexes; cache: SaleCache },
) => {
  /** The sales of these entries as they are before the step. Read before anything is appended. */
  const saleBefore = (entries: readonly LedgerEntry[]): Map<string, Sale | undefined> =>
    new Map(entries.map(({ sale, event }) => [sale, event.on === 'intended' ? undefined : cache.of(sale)]));

  type Applied = { sales: Map<string, Sale | undefined>; entry: number };

  const apply = ({ sale: id, event, message, withdraw }: LedgerEntry, { sales, entry }: Applied): void => {
    const at = clock.now();
    const before = sales.get(id);
    // Evidence may be noted: it changes nothing.
    if (before !== undefined && kinds[event.on] === 'critical') refuseUnread(before);
    const after = afterEvent(before, event);
    sales.set(id, after);
    if (after !== undefined) indexes.apply({ event, entry, at, before, after });
    if (message !== undefined) outbox.put({ id: message.key, ...message }, at);
    if (withdraw === undefined) return;
    outbox.withdraw(withdraw);
    journal.noteKeysDestroyed();
  };

  return (entries: readonly LedgerEntry[], also: () => void = () => {}): void => {
    const sales = saleBefore(entries);
    // If the write fails, its result is unknown: the next event reads the journal again.
    for (const { sale } of entries) cache.forget(sale);
    const journalEntries = entries.map(({ sale, event }) => ({ subject: sale, ...entryOf(event) }));
    journal.write(journalEntries, (length) => {
      for (const [at, one] of entries.entries()) apply(one, { sales, entry: length - entries.length + at + 1 });
      indexes.upTo(length);
      also();
    });
    for (const [id, sale] of sales) if (sale !== undefined) cache.keep(id, sale);
  };
};

type SaleCache = {
  of(id: string): Sale | undefined;
  /** Call it after a step that has become durable. */
  keep(id: string, sale: Sale): void;
  /** Call it when the state is unknown: the sale is read the next time. */
  forget(id: string): void;
};

/** About a kilobyte each: enough for the pages of all lists and the open sales. The most recently used are kept. */
const KEPT_MOST = 2_000;

/** Keeps sales in memory, so that a list does not read the entries of its sales each time. */
export const openSaleCache = (read: (id: string) => Sale | undefined, most = KEPT_MOST): SaleCache => {
  const known = new Map<string, Sale>();
  const keep = (id: string, sale: Sale): void => {
    known.delete(id);
    known.set(id, sale);
    if (known.size <= most) return;
    for (const oldest of known.keys()) {
      known.delete(oldest);
      return;
    }
  };
  return {
    keep,
    forget: (id) => void known.delete(id),
    of(id) {
      const sale = known.get(id) ?? read(id);
      if (sale !== undefined) keep(id, sale);
      return sale;
    },
  };
};
