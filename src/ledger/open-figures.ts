/** How much is open, counted from the index tables without reading a sale. */
import { FROM_NEWER, overdueBounds } from '../base/open-messages.ts';
import type { Sql, SqlRow, SqlValue } from '../journal/sql.ts';
import { isUnknown } from '../queue/outbox-tables.ts';
import type { Sale } from '../till/machine/sale.ts';
import type { FullLedger } from './ledger.ts';

export type OpenSums = {
  /** Stored and still to be sent. `minor` is the sum of those in the requested currency. */
  readonly stored: { readonly count: number; readonly minor: bigint };
  /** Being inquired about at the gateway or a terminal. */
  readonly unknown: number;
  /** Overdue, parked, waiting for a person, or unpaid. */
  readonly forPerson: number;
};

/** Counts every message and every question. `now`: wall time, ms. */
export const openSums = (sql: Sql, { now, currency }: { now: number; currency: string }): OpenSums => {
  const readFigures = (statement: string, ...values: SqlValue[]): SqlRow => sql.get(statement, ...values) ?? {};
  const number = (value: SqlValue | undefined): number => Number(value ?? 0);
  const stored = readFigures(
    `SELECT count(*) AS n, sum(iif(c.currency = ?, CAST(s.minor AS INTEGER), 0)) AS minor FROM message m
     JOIN sale_search s ON s.sale = m.sale JOIN conservation c ON c.sale = m.sale
     WHERE m.state = 'waiting' AND m.kind IN ('forward', 'follow')`,
    currency,
  );
  const request = readFigures(
    `SELECT count(*) AS n, sum(put_at <= ? OR put_at > ?) AS late FROM message WHERE state = 'waiting' AND ${isUnknown}`,
    ...overdueBounds(now),
  );
  const questions = readFigures(
    `SELECT sum(question = 'terminal') AS n, sum(question = 'terminal' AND (at <= ? OR at > ?)) AS late,
     sum(question <> 'terminal') AS people FROM open_question`,
    ...overdueBounds(now),
  );
  const asideCounts = readFigures(`SELECT count(*) AS n FROM message WHERE ${isAside}`);
  const unpaid = readFigures('SELECT count(*) AS n FROM unpaid_open');
  const late = number(request['late']) + number(questions['late']);
  return {
    stored: { count: number(stored['n']), minor: BigInt(number(stored['minor'])) },
    unknown: number(request['n']) + number(questions['n']) - late,
    forPerson: late + number(questions['people']) + number(asideCounts['n']) + number(unpaid['n']),
  };
};

/** A message that belongs to no sale, and is of a kind that only a newer version knows, is nobody's open item. */
const isAside = `state = 'parked' AND (note <> '${FROM_NEWER}' OR sale IN (SELECT sale FROM sale))`;

/** How many sales have something open. A sale with several messages counts once. */
export const openItemCount = (sql: Sql): number =>
  Number(
    sql.get(`SELECT count(*) AS n FROM (SELECT sale FROM message WHERE state = 'waiting'
      UNION SELECT sale FROM message WHERE ${isAside}
      UNION SELECT sale FROM open_question UNION SELECT sale FROM unpaid_open)`)?.['n'],
  );

// The sales of a running till that are not finished.

type Sold = { readonly ledger: Pick<FullLedger, 'openSales' | 'sale'> };

/** Unfinished and unresolved sales, reversals, and offline sales still to be sent, oldest first. */
export const openSalesIn = ({ ledger }: Sold): Sale[] =>
  ledger
    .openSales()
    .map((id) => ledger.sale(id))
    .filter((sale) => sale !== undefined);

export const openReceipts = (running: Sold): number[] => openSalesIn(running).map(({ intent }) => intent.receipt);
