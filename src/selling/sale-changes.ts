/** What became of sales between two entries of the journal: which ended, and what of an ended one is another now. */
import type { Entry } from '../journal/chain.ts';
import type { Journal } from '../journal/journal.ts';
import { afterEvent } from '../ledger/ledger-index.ts';
import { eventIn } from '../till/machine/event-text.ts';
import { type EndedSale, replay, type Sale } from '../till/machine/sale.ts';

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
export type Entries = { from: number; to: number };

/** In the order of the entries. Of one entry the sale that it is about comes first. */
export const changesIn = (journal: Journal, entries: Entries): SaleChange[] =>
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
    changes.push({ entry, at, kind, sale }, ...unpaidBehind(journal, sale, { entry, at }));
  }
  return changes;
};

/** What was learned from the gateway had ended long before this till heard of it. */
const changeOf = (before: Sale | undefined, after: Sale | undefined): SaleChange['kind'] | undefined => {
  if (after?.at !== 'ended') return undefined;
  if (before?.at !== 'ended') return after.intent.learned === undefined ? 'ended' : undefined;
  if (before.ending !== after.ending) return 'ended';
  return shownOf(before) === shownOf(after) ? undefined : 'amended';
};

/** What a result is made of that may still change. */
const shownOf = ({ reason, forwarded, reversal, differs, forced, forPerson, unpaidEnd }: EndedSale): string =>
  JSON.stringify([reason, forwarded?.approved, reversal, differs, forced, forPerson, unpaidEnd]);

/** The unpaid sale whose money this one asked for, or the one that this one follows. */
const unpaidBehind = (journal: Journal, { intent }: Sale, { entry, at }: Pick<Entry, 'entry' | 'at'>): SaleChange[] => {
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
