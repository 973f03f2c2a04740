/**
 * Many kinds of sales with the acquirer's lines for them: correct ones, and each kind with one difference planted in
 * it.
 */
import { exponentOf, printAmount } from '../../src/base/money.ts';
import type { Cells } from '../../src/reconciliation/settlement-columns.ts';
import type { ExpectedSale } from '../../src/reconciliation/settlement-match.ts';
import type { Dice } from '../support/chance/dice.ts';
import { cells, expected } from './settlement-lines.ts';

export type Booked = { sale: ExpectedSale; lines: Cells[] };
export type Book = (chance: Dice, n: number) => Booked;

const printed = (minor: bigint, currency: string): string =>
  printAmount({ minor: minor < 0n ? -minor : minor, currency });

/** The acquirer's line: minus a fee, some in another currency, with the ids that the sale has. */
export const lineOf = (
  { sale, payment, till, currency, receipt }: ExpectedSale,
  chance: Dice,
  more: Cells = {},
): Cells => {
  const amount = printed(till, currency);
  const step = exponentOf(currency) === 3 ? 10n : 1n;
  const fee = BigInt(chance.between(0, 3)) * step;
  const isBack = till < 0n;
  const gross = isBack ? -till : till;
  const left = fee < gross && !isBack ? gross - fee : gross;
  return cells({
    ...{ UniqueID: payment ?? '', TransactionId: chance.percent(50) ? sale : '', Amount: amount, Currency: currency },
    ...{ SettlementTxId: `tx ${receipt}`, SettlementCurrency: currency, SettlementAmount: printed(left, currency) },
    SettlementFee: left === gross ? '' : printed(fee, currency),
    ...(isBack && { PaymentType: 'REFUND', Cashflow: 'NEG' }),
    ...more,
  });
};

export const soldSale = (chance: Dice, n: number, more: Partial<ExpectedSale> = {}): ExpectedSale => {
  const currency = chance.one(['EUR', 'EUR', 'EUR', 'JPY', 'TND'] as const);
  // Amounts that no other sale has, in steps that the file can express; a tip is never one cent.
  const minor = BigInt(n * 1_000 + chance.between(500, 999)) * 10n;
  return expected(n, { currency, till: minor, gateway: minor, intended: minor, ...more });
};

export const plain: Book = (chance, n) => {
  const sale = soldSale(chance, n);
  return { sale, lines: [lineOf(sale, chance)] };
};

const of = (make: (sale: ExpectedSale, chance: Dice) => { sale?: Partial<ExpectedSale>; lines: Cells[] }): Book => {
  return (chance, n) => {
    const sale = soldSale(chance, n);
    const { sale: more, lines } = make(sale, chance);
    return { sale: { ...sale, ...more }, lines };
  };
};

const step = ({ currency }: ExpectedSale): bigint => (exponentOf(currency) === 3 ? 10n : 1n);
export const exact = (sale: ExpectedSale, minor: bigint): Cells => ({
  Amount: printed(minor, sale.currency),
  ...{ SettlementAmount: printed(minor, sale.currency), SettlementFee: '' },
});

/** Each kind with the reasons that must be found, besides those that mean nothing is wrong. */
export const kinds: readonly (readonly [string, Book, readonly string[]])[] = [
  ['nothing', plain, []],
  [
    'a void: neither the sale nor the void is paid out',
    of(() => ({ sale: { till: 0n, gateway: 0n, place: 'reversed' }, lines: [] })),
    [],
  ],
  ['a decline', of(() => ({ sale: { till: 0n, gateway: 0n, place: 'declined' }, lines: [] })), []],
  [
    'a credit',
    of((sale, chance) => {
      const refunded = { till: -sale.till, gateway: -sale.till };
      return { sale: refunded, lines: [lineOf({ ...sale, ...refunded }, chance)] };
    }),
    [],
  ],
  ['a tip, settled', of((sale, chance) => ({ sale: { tip: 500n }, lines: [lineOf(sale, chance)] })), []],
  [
    'another settlement day',
    of((sale, chance) => ({ lines: [lineOf(sale, chance, { SettlementDate: '2026-11-20' })] })),
    [],
  ],
  [
    'in two parts',
    of((sale, chance) => {
      const part = (minor: bigint, name: string) =>
        lineOf(sale, chance, { ...exact(sale, minor), SettlementTxId: name });
      return { lines: [part(sale.till - 700n, 'one'), part(700n, 'two')] };
    }),
    [],
  ],
  [
    'in another currency',
    of((sale, chance) => {
      const fx = { SettlementCurrency: 'USD', SettlementFxRate: '2.000000', SettlementFee: '' };
      const places = exponentOf(sale.currency);
      const cents = (sale.till * 2n * 100n) / 10n ** BigInt(places);
      return { lines: [lineOf(sale, chance, { ...fx, SettlementAmount: printed(cents, 'USD') })] };
    }),
    [],
  ],
  ['missing', of(() => ({ lines: [] })), ['notSettled']],
  [
    'a credit missing',
    of((sale) => ({ sale: { till: -sale.till, gateway: -sale.till }, lines: [] })),
    ['refundNotSettled'],
  ],
  [
    'doubled',
    of((sale, chance) => {
      const line = lineOf(sale, chance);
      return { lines: [line, { ...line, SettlementTxId: 'again' }] };
    }),
    ['settledTwice'],
  ],
  [
    'a second time with another amount',
    of((sale, chance) => {
      const line = lineOf(sale, chance);
      return { lines: [line, { ...line, ...exact(sale, sale.till + 300n), SettlementTxId: 'again' }] };
    }),
    ['settledTwice'],
  ],
  [
    'a cent more',
    of((sale, chance) => ({ lines: [lineOf(sale, chance, exact(sale, sale.till + step(sale)))] })),
    ['unexplained'],
  ],
  [
    'a cent less',
    of((sale, chance) => ({ lines: [lineOf(sale, chance, exact(sale, sale.till - step(sale)))] })),
    ['unexplained'],
  ],
  [
    'a cent withheld',
    of((sale, chance) => ({
      lines: [
        lineOf(sale, chance, {
          ...exact(sale, sale.till),
          SettlementAmount: printed(sale.till - step(sale), sale.currency),
        }),
      ],
    })),
    ['short'],
  ],
  [
    'a cent too much paid out',
    of((sale, chance) => ({
      lines: [
        lineOf(sale, chance, {
          ...exact(sale, sale.till),
          SettlementAmount: printed(sale.till + step(sale), sale.currency),
        }),
      ],
    })),
    ['overpaid'],
  ],
  [
    'another currency',
    of((sale, chance) => {
      const other = { ...sale, currency: sale.currency === 'EUR' ? 'USD' : 'EUR', till: 1_234_500n };
      return { lines: [lineOf(other, chance)] };
    }),
    ['otherCurrency'],
  ],
  [
    'without its tip',
    of((sale, chance) => ({ sale: { tip: 500n }, lines: [lineOf(sale, chance, exact(sale, sale.till - 500n))] })),
    ['tipMissing'],
  ],
  [
    'captured in part',
    of((sale, chance) => ({
      sale: { gateway: sale.till - 300n },
      lines: [lineOf(sale, chance, exact(sale, sale.till - 300n))],
    })),
    ['partialCapture'],
  ],
  [
    'approved late',
    of((sale, chance) => ({ sale: { till: 0n, place: 'declined' }, lines: [lineOf(sale, chance)] })),
    ['lateApproval'],
  ],
  [
    'settled though reversed',
    of((sale, chance) => ({
      sale: { till: 0n, gateway: 0n, place: 'reversed' },
      lines: [lineOf(sale, chance)],
    })),
    ['settledThoughReversed'],
  ],
  [
    'charged back',
    of((sale, chance) => {
      const line = lineOf(sale, chance, exact(sale, sale.till));
      return { lines: [line, { ...line, ReconciliationType: 'CHARGEBACK', Cashflow: 'NEG' }] };
    }),
    ['chargeback'],
  ],
  [
    'failed',
    of((sale, chance) => ({ lines: [lineOf(sale, chance, { SettlementStatus: 'FAILED' })] })),
    ['settlementFailed'],
  ],
  [
    'booked differently at the gateway',
    of((sale, chance) => ({ sale: { gateway: sale.till - 300n }, lines: [lineOf(sale, chance)] })),
    ['gatewayDiffers'],
  ],
];
