/** How the sales of the business day ended, counted: of each journal entry only what came since is read again. */
import type { Clock } from '../base/clock.ts';
import { replay } from '../till/sale.ts';
import type { Ending } from '../till/states.ts';
import { businessDays } from './desk/today-days.ts';
import type { RunningTill } from './start-till.ts';

export type OutcomeCounts = Readonly<Record<Ending | 'underWay', number>>;

export type CountOutcomes = (till: Pick<RunningTill, 'journal' | 'ledger' | 'books'>, clock: Clock) => OutcomeCounts;

type Known = { of: unknown; from: number; length: number; outcomes: Map<string, keyof OutcomeCounts> };

export const openOutcomeCounts = (): CountOutcomes => {
  let known: Known = { of: undefined, from: 0, length: 0, outcomes: new Map() };
  return ({ journal, ledger, books }, clock) => {
    const days = businessDays(books.rule);
    const { from, to } = days.span(days.dateOf(clock.now()));
    if (known.of !== journal || known.from !== from) known = { of: journal, from, length: 0, outcomes: new Map() };
    const changed =
      known.length === 0
        ? journal.sql.all('SELECT sale FROM sale_search WHERE at >= ? AND at < ?', from, to)
        : journal.sql.all(
            `SELECT sale FROM sale_search WHERE at >= ? AND at < ?
             AND sale IN (SELECT subject FROM entry WHERE entry > ?)`,
            ...[from, to, known.length],
          );
    for (const { sale: id } of changed) {
      const sale = replay(ledger.events(String(id)));
      known.outcomes.set(String(id), sale?.at === 'ended' ? sale.ending : 'underWay');
    }
    known.length = journal.length;
    const counts = { approved: 0, declined: 0, notSent: 0, unknown: 0, underWay: 0 };
    for (const outcome of known.outcomes.values()) counts[outcome] += 1;
    return counts;
  };
};
