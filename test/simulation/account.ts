/** The ledger check: what the till says of every sale against the gateway's books. Each line is a rule of money. */
import { parseAmount } from '../../src/base/money.ts';
import type { Outbox } from '../../src/queue/outbox.ts';
import { type Ending, isOpen, type Sale } from '../../src/till/sale.ts';
import type { Booking } from '../support/bookkeeping-host.ts';

export type Account = { sales: number; endings: Record<string, number>; broken: string[] };

const APPROVED = '000.100.110';
const signs: Readonly<Record<string, bigint>> = { DB: 1n, RV: -1n, RF: -1n };

export type Evidence = { books: readonly Booking[]; told: ReadonlyMap<string, Ending>; outbox: Outbox };

export const accountOf = (sales: readonly Sale[], { books, told, outbox }: Evidence): Account => {
  const broken: string[] = [];
  const endings: Record<string, number> = {};
  for (const sale of sales) {
    const { sale: id, receipt } = sale.intent;
    const reasons = sale.at === 'ended' ? `${sale.ending} ${sale.reason}` : sale.at;
    endings[reasons] = (endings[reasons] ?? 0) + 1;
    const mine = books.filter(({ merchantTransactionId, code }) => merchantTransactionId === id && code === APPROVED);
    const rule = (holds: boolean, says: string) => holds || broken.push(`receipt ${receipt} (${reasons}): ${says}`);
    rule(keepsWord(sale, told.get(id)), `the cashier was told ${told.get(id)}`);
    rule(!isOpen(sale), 'still open, though everything works again');
    rule(mine.filter(({ paymentType }) => paymentType === 'DB').length <= 1, 'charged twice');
    rule(mine.filter(({ paymentType }) => paymentType === 'RF').length <= 1, 'refunded twice');
    const booked = mine.reduce(
      (sum, { paymentType, amount, currency }) =>
        sum + (signs[paymentType] ?? 0n) * parseAmount(amount, currency).minor,
      0n,
    );
    rule(booked === expected(sale), `the till holds ${expected(sale)}, the gateway ${booked}`);
  }
  const known = new Set(sales.map(({ intent }) => intent.sale));
  for (const { merchantTransactionId, id } of books)
    if (!known.has(merchantTransactionId)) broken.push(`the gateway booked ${id}, of which the till knows nothing`);
  const left = [...outbox.waiting(), ...outbox.parked()];
  for (const { kind, note } of left) broken.push(`a ${kind} was left in the queue: ${note}`);
  return { sales: sales.length, endings, broken };
};

/** A yes or no that was said stays. Only what was taken offline may be refused later, and unknown finds its ending. */
const keepsWord = (sale: Sale, told: Ending | undefined): boolean =>
  told === undefined ||
  told === 'unknown' ||
  (sale.at === 'ended' && (sale.ending === told || (told === 'approved' && sale.reason === 'declinedOnForwarding')));

const expected = (sale: Sale): bigint => {
  if (sale.at !== 'ended' || sale.ending !== 'approved') return 0n;
  return sale.intent.operation === 'refund' ? -sale.intent.amount.minor : sale.intent.amount.minor;
};
