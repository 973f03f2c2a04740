/** The books of a journal added up from nothing but its entries: what an auditor asks of a file, at no till. */
import { wordsOf } from '../base/fault.ts';
import type { Sql } from '../journal/sql.ts';
import { changesAfter } from '../ledger/ledger-index.ts';
import { type IntentMoney, offBy, standingOf } from '../reconciliation/whereabouts.ts';
import { verifyZ } from '../reconciliation/z-report.ts';
import { batchesIn } from './books.ts';
import { linesOff } from './lines/line-check.ts';

/** A sale of which more was given back than it had: by so much. Minor units. */
export type SaleOff = {
  readonly sale: string;
  readonly receipt: number;
  readonly currency: string;
  readonly minor: bigint;
};

export type BooksCheck = {
  /** In the order of their receipts; nothing where every cent is in one place. */
  readonly off: readonly SaleOff[];
  /** How many Z reports there are, of all terminals. */
  readonly zReports: number;
  /** The first that is missing or was changed, of each terminal, in words. */
  readonly zBroken: readonly string[];
  /** What is kept beside the journal, of batches and their sales, and is not as it tells, in words. */
  readonly linesOff: readonly string[];
};

export const checkBooks = (sql: Sql): BooksCheck => {
  const all = batchesIn(sql);
  const batches = Map.groupBy(all, ({ terminalId }) => terminalId);
  const chains = [...batches.values()].map((some) => some.flatMap(({ z }) => z ?? []));
  const zBroken = chains.flatMap((chain) => {
    try {
      verifyZ(chain);
      return [];
    } catch (error) {
      return [wordsOf(error)];
    }
  });
  return { off: salesOff(sql), zReports: chains.flat().length, zBroken, linesOff: linesOff(sql, all) };
};

const salesOff = (sql: Sql): SaleOff[] => {
  const sales = new Map<string, { own: IntentMoney; receipt: number }>();
  const followers = new Map<string, Set<string>>();
  for (const { after } of changesAfter(sql, 0)) {
    const { sale, receipt, follows } = after.intent;
    sales.set(sale, { own: standingOf(after), receipt });
    if (follows !== undefined) followers.set(follows.sale, (followers.get(follows.sale) ?? new Set()).add(sale));
  }
  return [...sales]
    .flatMap(([sale, { own, receipt }]) => {
      const behind = [...(followers.get(sale) ?? [])].flatMap((id) => sales.get(id)?.own ?? []);
      const minor = offBy(own, behind);
      return minor === 0n ? [] : [{ sale, receipt, currency: own.currency, minor }];
    })
    .sort((left, right) => left.receipt - right.receipt);
};
