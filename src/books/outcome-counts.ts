/** How the sales of the business day ended, counted: of each journal entry only what came since is read again. */
import type { Clock } from '../base/clock.ts';
import type { Ending } from '../till/machine/states.ts';
import type { BooksTill } from './port.ts';
import { businessDays } from './today-days.ts';

export type OutcomeCounts = Readonly<Record<Ending | 'underWay', number>>;

export type CountOutcomes = (till: Pick<BooksTill, 'journal' | 'ledger' | 'books'>, clock: Clock) => OutcomeCounts;

type Outcome = keyof OutcomeCounts;
type Known = {
  of: unknown;
  from: number;
  length: number;
  outcomes: Map<string, Outcome>;
  counts: Record<Outcome, number>;
};

const none: OutcomeCounts = { approved: 0, declined: 0, notSent: 0, unknown: 0, underWay: 0 };
const nothingOf = (of: unknown, from: number): Known => ({
  ...{ of, from, length: 0 },
  ...{ outcomes: new Map(), counts: { ...none } },
});

export const openOutcomeCounts = (): CountOutcomes => {
  let known = nothingOf(undefined, 0);
  return ({ journal, ledger, books }, clock) => {
    const days = businessDays(books.rule);
    const { from, to } = days.span(days.dateOf(clock.now()));
    if (known.of !== journal || known.from !== from) known = nothingOf(journal, from);
    const { outcomes, counts } = known;
    const changed =
      known.length === 0
        ? journal.sql.all('SELECT sale FROM sale_search WHERE at >= ? AND at < ?', from, to)
        : journal.sql.all(
            `SELECT sale FROM sale_search WHERE at >= ? AND at < ?
             AND sale IN (SELECT subject FROM entry WHERE entry > ?)`,
            ...[from, to, known.length],
          );
    for (const { sale: id } of changed) {
      const sale = ledger.sale(String(id));
      const outcome = sale?.at === 'ended' ? sale.ending : 'underWay';
      const before = outcomes.get(String(id));
      if (before !== undefined) counts[before] -= 1;
      counts[outcome] += 1;
      outcomes.set(String(id), outcome);
    }
    known.length = journal.length;
    return { ...counts };
  };
};
