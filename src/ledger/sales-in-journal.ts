/** Sales by their entries alone: for indexes, which are told of a step while it is written. */
import type { Sql } from '../journal/sql.ts';
import { eventIn } from '../till/machine/event-text.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import type { PaymentWithFollowers } from '../till/payment.ts';

export const saleInJournal = (sql: Sql, id: string): Sale | undefined =>
  replay(
    sql.all('SELECT body FROM entry WHERE subject = ? ORDER BY entry', id).map(({ body }) => eventIn(String(body))),
  );

/** Ids of what follows it, oldest first. */
export const followersInJournal = (sql: Sql, id: string): string[] =>
  sql.all('SELECT sale FROM sale WHERE refunds = ? ORDER BY receipt', id).map(({ sale }) => String(sale));

export const paymentInJournal = (sql: Sql, id: string): PaymentWithFollowers | undefined => {
  const sale = saleInJournal(sql, id);
  return sale && { sale, followers: followersInJournal(sql, id).flatMap((one) => saleInJournal(sql, one) ?? []) };
};
