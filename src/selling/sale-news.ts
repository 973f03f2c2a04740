/**
 * The one place that reports endings. It reads them from the journal, in order, each once. An event's number derives
 * from its journal entry, so restarts of the till do not change it. Its id contains part of the entry's hash, which
 * reveals an id of another till, or of entries that a restored copy lacks.
 */

import type { Position, SaleNews } from '../api/contract/events.ts';
import type { LiveSale } from '../api/contract/sales.ts';
import type { EventLog } from '../api/ports/events.ts';
import { Fault } from '../base/fault.ts';
import { toHex } from '../base/hex.ts';
import type { Entry } from '../journal/chain.ts';
import type { Journal } from '../journal/journal.ts';
import { afterEvent } from '../ledger/ledger-index.ts';
import { eventIn } from '../till/machine/event-text.ts';
import { type EndedSale, replay, type Sale } from '../till/machine/sale.ts';

/** An entry yields news of its own sale, and possibly of the unpaid sale that it charges again. */
const NUMBERS_OF_ENTRY = 10;
/** How far back events are repeated: about 2,500 sales. A listener that was away for longer reads the lists. */
const REPLAYED_ENTRIES = 20_000;
/** Entries read at a time when events are repeated. */
const PAGE_ENTRIES = 200;
/** Hex digits of an entry's hash in an event id. */
const MARK_DIGITS = 8;

export type SaleNewsParts = {
  journal: Journal;
  /**
   * Where reporting stopped before the till was reopened. If absent, or of another journal, reporting starts from now.
   */
  from?: Position | undefined;
  /** The sale for display, with the time of the entry that changed it, ms. */
  shown(sale: EndedSale, at: number): LiveSale;
  tell(event: SaleNews): void;
  report(error: unknown): void;
  /** How far back events are repeated, in journal entries; only tests shorten it. */
  reach?: number;
};

export type SaleNewsLog = Pick<EventLog, 'here' | 'since'> & {
  /**
   * Reports what was written since the last call. Never throws: what could not be reported is reported the next time.
   */
  look(): void;
};

export const openSaleNews = (parts: SaleNewsParts): SaleNewsLog => {
  const { journal, report, from, reach = REPLAYED_ENTRIES } = parts;
  let toldUpTo = from !== undefined && isIn(journal, from.id) ? entryOf(from.number) : journal.length;
  let isLooking = false;
  const notifyAll = (): void => {
    while (toldUpTo < journal.length) {
      const entries = { from: toldUpTo, to: journal.length };
      const news = newsIn(parts, entries);
      toldUpTo = entries.to;
      for (const event of news) parts.tell(event);
    }
  };
  return {
    look() {
      // A listener may begin a sale at once: news that this writes is reported after the present ones.
      if (isLooking) return;
      isLooking = true;
      try {
        notifyAll();
      } catch (error) {
        report(error);
      } finally {
        isLooking = false;
      }
    },
    here: () => endOfEntry(journal, toldUpTo),
    since(id) {
      const currentId = endOfEntry(journal, toldUpTo).id;
      if (!isIn(journal, id)) throw new Fault('events.elsewhere', { here: currentId });
      const number = numberIn(id);
      if (toldUpTo - entryOf(number) > reach) throw new Fault('events.tooOld', { here: currentId });
      return newsAfter(parts, number, toldUpTo);
    },
  };
};

/** The last number of an entry: all its news has been reported. */
const endOfEntry = (journal: Journal, entry: number): Position =>
  positionOf(journal, (entry + 1) * NUMBERS_OF_ENTRY - 1);

const positionOf = (journal: Journal, number: number): Position => ({
  number,
  id: `${number}-${markOf(journal, entryOf(number))}`,
});

const entryOf = (number: number): number => Math.floor(number / NUMBERS_OF_ENTRY);

/** There is no hash before the first entry. */
const markOf = ({ sql }: Journal, entry: number): string => {
  const hash = sql.get('SELECT hash FROM entry WHERE entry = ?', entry)?.['hash'];
  return hash instanceof Uint8Array ? toHex(hash).slice(0, MARK_DIGITS).toLowerCase() : '0'.repeat(MARK_DIGITS);
};

const numberIn = (id: string): number => Number(/^(\d{1,15})-/.exec(id)?.[1] ?? Number.NaN);

/** Whether the entry named by this id belongs to this journal. */
const isIn = (journal: Journal, id: string): boolean => {
  const number = numberIn(id);
  return entryOf(number) <= journal.length && positionOf(journal, number).id === id;
};

/** The news of these entries, oldest first. */
const newsIn = ({ journal, shown }: SaleNewsParts, entries: Entries): SaleNews[] => {
  let before = 0;
  let place = 0;
  return changesIn(journal, entries).map(({ entry, at, kind, sale }) => {
    place = entry === before ? place + 1 : 0;
    before = entry;
    const position = positionOf(journal, entry * NUMBERS_OF_ENTRY + place);
    return { on: kind === 'ended' ? 'sale' : 'amended', ...position, sale: shown(sale, at) };
  });
};

function* newsAfter(parts: SaleNewsParts, number: number, upTo: number): Generator<SaleNews> {
  for (let from = Math.max(0, entryOf(number) - 1); from < upTo; ) {
    const to = Math.min(upTo, from + PAGE_ENTRIES);
    for (const event of newsIn(parts, { from, to })) if (event.number > number) yield event;
    from = to;
  }
}

/** What happened to a sale between two journal entries: it ended, or its ending changed. */
export type SaleChange = {
  entry: number;
  /** Wall time of the entry, ms. */
  at: number;
  /** `ended`: it has its first or a different ending. `amended`: something else in its displayed result changed. */
  kind: 'ended' | 'amended';
  /** The sale after that entry. */
  sale: EndedSale;
};

/** Entries after `from`, up to and including `to`. */
type Entries = { from: number; to: number };

/** In the order of the entries. For one entry, the sale that it is about comes first. */
const changesIn = (journal: Journal, entries: Entries): SaleChange[] =>
  subjectsIn(journal, entries)
    .flatMap((id) => changesOf(journal, id, entries))
    .toSorted((one, other) => one.entry - other.entry);

/**
 * Subjects such as staff, batches and limits are skipped: otherwise everything ever written about them would be read.
 */
const subjectsIn = ({ sql }: Journal, { from, to }: Entries): string[] => {
  const rows = sql.all(
    // Starts from these entries: SQLite would otherwise read the subjects of all entries in order.
    'SELECT s.sale FROM entry e CROSS JOIN sale s ON s.sale = e.subject WHERE e.entry > ? AND e.entry <= ?',
    from,
    to,
  );
  return [...new Set(rows.map(({ sale }) => String(sale)))];
};

const changesOf = (journal: Journal, id: string, { from, to }: Entries): SaleChange[] => {
  const changes: SaleChange[] = [];
  let sale: Sale | undefined;
  for (const { entry, at, body } of journal.about(id)) {
    if (entry > to) break;
    const before = sale;
    sale = afterEvent(before, eventIn(body));
    const kind = entry > from ? changeOf(before, sale) : undefined;
    if (kind === undefined || sale?.at !== 'ended') continue;
    changes.push({ entry, at, kind, sale }, ...affectedUnpaid(journal, sale, { entry, at }));
  }
  return changes;
};

/** A sale learned from the gateway had ended long before this till knew of it. */
const changeOf = (before: Sale | undefined, after: Sale | undefined): SaleChange['kind'] | undefined => {
  if (after?.at !== 'ended') return undefined;
  if (before?.at !== 'ended') return after.intent.learned === undefined ? 'ended' : undefined;
  if (before.ending !== after.ending) return 'ended';
  return changingPartOf(before) === changingPartOf(after) ? undefined : 'amended';
};

/** The parts of a result that can still change. */
const changingPartOf = ({ reason, forwarded, reversal, differs, forced, forPerson, unpaidEnd }: EndedSale): string =>
  JSON.stringify([reason, forwarded?.approved, reversal, differs, forced, forPerson, unpaidEnd]);

/** The unpaid sale that this one charges again, or the sale that it follows. */
const affectedUnpaid = (
  journal: Journal,
  { intent }: Sale,
  { entry, at }: Pick<Entry, 'entry' | 'at'>,
): SaleChange[] => {
  const standing = (id: string): Sale | undefined =>
    replay(
      journal
        .about(id)
        .filter((one) => one.entry <= entry)
        .map(({ body }) => eventIn(body)),
    );
  const of = intent.chargesAgain ?? (intent.follows && standing(intent.follows.sale)?.intent.chargesAgain);
  const sale = of && standing(of.sale);
  return sale?.at === 'ended' ? [{ entry, at, kind: 'amended', sale }] : [];
};
