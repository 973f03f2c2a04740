/** Sales that nobody knew the end of, and that have come to one since: whoever waits for it is told. */
import type { Journal } from '../../journal/journal.ts';
import { eventIn } from '../../till/event-text.ts';
import { replay, type Sale } from '../../till/sale.ts';

/** Their ids. `from`: the number of the last entry that was looked at before. */
export const resolvedSince = (journal: Journal, from: number): string[] =>
  journal.sql
    .all('SELECT DISTINCT subject FROM entry WHERE entry > ?', from)
    .map(({ subject }) => String(subject))
    .filter((id) => {
      const entries = journal.about(id);
      const until = (last: number): Sale | undefined =>
        replay(entries.filter(({ entry }) => entry <= last).map(({ body }) => eventIn(body)));
      return isUnknown(until(from)) && !isUnknown(until(journal.length));
    });

const isUnknown = (sale: Sale | undefined): boolean => sale?.at === 'ended' && sale.ending === 'unknown';
