/**
 * The one place that tells of endings. It reads them from the journal, in the journal's order, each once: an event's
 * number comes from the entry that it stands for, so that no start of the till changes it. Its id has a part of the
 * entry's hash: an id of another till, or of entries that a restored copy does not have, is found out.
 */
import type { EventLog, Position, SaleNews } from '../api/ports/events.ts';
import type { LiveSale } from '../api/ports/selling.ts';
import { Fault } from '../base/fault.ts';
import { toHex } from '../base/hex.ts';
import type { Entry } from '../journal/chain.ts';
import type { Journal } from '../journal/journal.ts';
import { afterEvent } from '../ledger/ledger-index.ts';
import { eventIn } from '../till/machine/event-text.ts';
import { type EndedSale, replay, type Sale } from '../till/machine/sale.ts';

/** An entry tells of its sale, and perhaps of the unpaid one whose money that sale was to bring. */
const NUMBERS_OF_ENTRY = 10;
/** How far back events are told again: some 2,500 sales. Whoever was away for longer reads lists. */
const REPLAYED_ENTRIES = 20_000;
/** Read in one go, when events are told again. */
const PAGE_ENTRIES = 200;
/** Hex digits of an entry's hash. */
const MARK_DIGITS = 8;

export type SaleNewsParts = {
  journal: Journal;
  /** Where telling stopped before the till was opened anew; from now on if left out, or of another journal. */
  from?: Position | undefined;
  /** As it is shown, with the time of the entry that made it so, ms. */
  shown(sale: EndedSale, at: number): LiveSale;
  tell(event: SaleNews): void;
  report(error: unknown): void;
  /** How far back events are told again, in entries of the journal; only tests make it shorter. */
  reach?: number;
};

export type SaleNewsLog = Pick<EventLog, 'here' | 'since'> & {
  /** Tells what was written since the last look. Never throws: what could not be told is told at the next look. */
  look(): void;
};

export const openSaleNews = (parts: SaleNewsParts): SaleNewsLog => {
  const { journal, report, from, reach = REPLAYED_ENTRIES } = parts;
  let toldTo = from !== undefined && isIn(journal, from.id) ? entryOf(from.number) : journal.length;
  let isLooking = false;
  const tellAll = (): void => {
    while (toldTo < journal.length) {
      const entries = { from: toldTo, to: journal.length };
      const news = newsIn(parts, entries);
      toldTo = entries.to;
      for (const event of news) parts.tell(event);
    }
  };
  return {
    look() {
      // A listener that begins a sale at once: what that writes is told behind what is being told.
      if (isLooking) return;
      isLooking = true;
      try {
        tellAll();
      } catch (error) {
        report(error);
      } finally {
        isLooking = false;
      }
    },
    here: () => endOfEntry(journal, toldTo),
    since(id) {
      const here = endOfEntry(journal, toldTo).id;
      if (!isIn(journal, id)) throw new Fault('events.elsewhere', { here });
      const number = numberIn(id);
      if (toldTo - entryOf(number) > reach) throw new Fault('events.tooOld', { here });
      return newsAfter(parts, number, toldTo);
    },
  };
};

/** The last number of an entry: all that it tells of was told. */
const endOfEntry = (journal: Journal, entry: number): Position =>
  positionOf(journal, (entry + 1) * NUMBERS_OF_ENTRY - 1);

const positionOf = (journal: Journal, number: number): Position => ({
  number,
  id: `${number}-${markOf(journal, entryOf(number))}`,
});

const entryOf = (number: number): number => Math.floor(number / NUMBERS_OF_ENTRY);

/** Before the first entry there is no hash. */
const markOf = ({ sql }: Journal, entry: number): string => {
  const hash = sql.get('SELECT hash FROM entry WHERE entry = ?', entry)?.['hash'];
  return hash instanceof Uint8Array ? toHex(hash).slice(0, MARK_DIGITS).toLowerCase() : '0'.repeat(MARK_DIGITS);
};

const numberIn = (id: string): number => Number(/^(\d{1,15})-/.exec(id)?.[1] ?? Number.NaN);

/** Whether the entry that this id names is one of this journal. */
const isIn = (journal: Journal, id: string): boolean => {
  const number = numberIn(id);
  return entryOf(number) <= journal.length && positionOf(journal, number).id === id;
};

/** Events of these entries, oldest first. */
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

/** What became of sales between two entries of the journal: which ended, and what of an ended one is another now. */
export type SaleChange = {
  entry: number;
  /** Wall time of the entry, ms. */
  at: number;
  /** `ended`: it has an ending, or another one than before. `amended`: what else is shown of its result. */
  kind: 'ended' | 'amended';
  /** As it stood behind that entry. */
  sale: EndedSale;
};

/** Entries behind `from`, up to `to`. */
type Entries = { from: number; to: number };

/** In the order of the entries. Of one entry the sale that it is about comes first. */
const changesIn = (journal: Journal, entries: Entries): SaleChange[] =>
  subjectsIn(journal, entries)
    .flatMap((id) => changesOf(journal, id, entries))
    .toSorted((one, other) => one.entry - other.entry);

/** What staff, batches and limits are about is passed over: all that was ever written of one would be read. */
const subjectsIn = ({ sql }: Journal, { from, to }: Entries): string[] => {
  const rows = sql.all(
    // From these entries on: SQLite would sooner read the subjects of all entries in their order.
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

/** What was learned from the gateway had ended long before this till heard of it. */
const changeOf = (before: Sale | undefined, after: Sale | undefined): SaleChange['kind'] | undefined => {
  if (after?.at !== 'ended') return undefined;
  if (before?.at !== 'ended') return after.intent.learned === undefined ? 'ended' : undefined;
  if (before.ending !== after.ending) return 'ended';
  return changingPartOf(before) === changingPartOf(after) ? undefined : 'amended';
};

/** What a result is made of that may still change. */
const changingPartOf = ({ reason, forwarded, reversal, differs, forced, forPerson, unpaidEnd }: EndedSale): string =>
  JSON.stringify([reason, forwarded?.approved, reversal, differs, forced, forPerson, unpaidEnd]);

/** The unpaid sale whose money this one asked for, or the one that this one follows. */
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
