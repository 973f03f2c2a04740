/** Sales that had ended and have become something else since: whoever shows one, or waits for it, is told. */
import type { Journal } from '../../journal/journal.ts';
import { eventIn } from '../../till/event-text.ts';
import { replay, type Sale } from '../../till/sale.ts';
import type { EndedSale } from '../../till/states.ts';

/**
 * Their ids: of what was unknown and is known, of what was stored and is answered, and of unpaid sales whose money
 * another sale was to bring. `from`: the number of the last entry that was looked at before.
 */
export const changedSince = (journal: Journal, from: number): string[] => {
  const ids = journal.sql
    // From the new entries on: SQLite would sooner read the subjects of all entries in their order.
    .all('SELECT DISTINCT s.sale FROM entry e CROSS JOIN sale s ON s.sale = e.subject WHERE e.entry > ?', from)
    .map(({ sale }) => String(sale));
  return [...new Set(ids.flatMap((id) => changedWith(journal, id, from)))];
};

/** This one, where it became something else, and the unpaid sale whose money it asks for. */
const changedWith = (journal: Journal, id: string, from: number): string[] => {
  const entries = journal.about(id);
  const until = (last: number): Sale | undefined =>
    replay(entries.filter(({ entry }) => entry <= last).map(({ body }) => eventIn(body)));
  const now = until(journal.length);
  if (now?.at !== 'ended') return [];
  const before = until(from);
  const isChanged = before?.at === 'ended' && shownOf(before) !== shownOf(now);
  const unpaid = unpaidBehind(journal, now);
  return [...(isChanged ? [id] : []), ...(unpaid === undefined ? [] : [unpaid])];
};

/** What a result is made of that may still change. */
const shownOf = ({ ending, reason, forwarded, reversal, differs, forced, unpaidEnd }: EndedSale): string =>
  JSON.stringify([ending, reason, forwarded?.approved, reversal, differs, forced, unpaidEnd]);

/** Of a sale that asks for its money once more, and of what follows such a sale. */
const unpaidBehind = (journal: Journal, { intent }: Sale): string | undefined => {
  if (intent.chargesAgain !== undefined) return intent.chargesAgain.sale;
  if (intent.follows === undefined) return undefined;
  return replay(journal.about(intent.follows.sale).map(({ body }) => eventIn(body)))?.intent.chargesAgain?.sale;
};
