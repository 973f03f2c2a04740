/** How much is open, counted from the tables that are kept with each step: no sale is read for it. */
import { FROM_NEWER, overdueBounds } from '../base/open-messages.ts';
import type { Sql, SqlRow, SqlValue } from '../journal/sql.ts';
import { isUnknown } from '../queue/outbox-tables.ts';
import type { Sale } from '../till/machine/sale.ts';
import type { FullLedger } from './ledger.ts';

export type OpenSums = {
  /** Stored, and still to be sent. `minor`: of those in the currency that was asked for. */
  readonly stored: { readonly count: number; readonly minor: bigint };
  /** The gateway or a terminal is asked how they ended. */
  readonly unknown: number;
  /** Overdue, set aside, for a person, or unpaid. */
  readonly forPerson: number;
};

/** Each message and each question counts. `now`: wall time, ms. */
export const openSums = (sql: Sql, { now, currency }: { now: number; currency: string }): OpenSums => {
  const figures = (statement: string, ...values: SqlValue[]): SqlRow => sql.get(statement, ...values) ?? {};
  const number = (value: SqlValue | undefined): number => Number(value ?? 0);
  const stored = figures(
    `SELECT count(*) AS n, sum(iif(c.currency = ?, CAST(s.minor AS INTEGER), 0)) AS minor FROM message m
     JOIN sale_search s ON s.sale = m.sale JOIN conservation c ON c.sale = m.sale
     WHERE m.state = 'waiting' AND m.kind IN ('forward', 'follow')`,
    currency,
  );
  const asked = figures(
    `SELECT count(*) AS n, sum(put_at <= ? OR put_at > ?) AS late FROM message WHERE state = 'waiting' AND ${isUnknown}`,
    ...overdueBounds(now),
  );
  const questions = figures(
    `SELECT sum(question = 'terminal') AS n, sum(question = 'terminal' AND (at <= ? OR at > ?)) AS late,
     sum(question <> 'terminal') AS people FROM open_question`,
    ...overdueBounds(now),
  );
  const aside = figures(`SELECT count(*) AS n FROM message WHERE ${isAside}`);
  const unpaid = figures('SELECT count(*) AS n FROM unpaid_open');
  const late = number(asked['late']) + number(questions['late']);
  return {
    stored: { count: number(stored['n']), minor: BigInt(number(stored['minor'])) },
    unknown: number(asked['n']) + number(questions['n']) - late,
    forPerson: late + number(questions['people']) + number(aside['n']) + number(unpaid['n']),
  };
};

/** What is of no sale, and of a kind that only a newer version knows, is nobody's item. */
const isAside = `state = 'parked' AND (note <> '${FROM_NEWER}' OR sale IN (SELECT sale FROM sale))`;

/** How many sales have something open: one with several messages counts once. */
export const openItemCount = (sql: Sql): number =>
  Number(
    sql.get(`SELECT count(*) AS n FROM (SELECT sale FROM message WHERE state = 'waiting'
      UNION SELECT sale FROM message WHERE ${isAside}
      UNION SELECT sale FROM open_question UNION SELECT sale FROM unpaid_open)`)?.['n'],
  );

// What of a running till's sales is not at its end.

type Sold = { readonly ledger: Pick<FullLedger, 'openSales' | 'sale'> };

/** Unfinished and unknown sales, reversals and offline sales still to be sent, oldest first. */
export const openSalesIn = ({ ledger }: Sold): Sale[] =>
  ledger
    .openSales()
    .map((id) => ledger.sale(id))
    .filter((sale) => sale !== undefined);

/** Their receipts. */
export const openReceipts = (running: Sold): number[] => openSalesIn(running).map(({ intent }) => intent.receipt);
