/**
 * Which sale a settlement line belongs to: a line with crossed ids, or without ids, is never matched to the wrong sale.
 */
import { describe, expect, test } from 'vitest';
import type { Cells } from '../../src/reconciliation/settlement-columns.ts';
import { type ExpectedSale, matcher } from '../../src/reconciliation/settlement-match.ts';
import { cells, csv, DAY, expected, id, read } from './settlement-lines.ts';

/** The receipts of the sales found, and whether the line's ids are crossed. */
const match = async (sales: readonly ExpectedSale[], line: Cells) => {
  const [record] = await read(csv([cells(line)]));
  if (record === undefined || 'why' in record) throw new Error(`not a line: ${JSON.stringify(record)}`);
  const { status, found, isCrossed = false } = matcher(sales)(record);
  return { status, receipts: found.map(({ receipt }) => receipt), isCrossed };
};

const amount = (text: string): Cells => ({ Amount: text, SettlementAmount: text, SettlementFee: '' });
const refundCells = (text: string): Cells => ({ ...amount(text), Cashflow: 'NEG', PaymentType: 'REFUND' });

/** 10.00 and 20.00, unless a test says otherwise. */
const one = (more: Partial<ExpectedSale> = {}): ExpectedSale => expected(1, more);
const other = (more: Partial<ExpectedSale> = {}): ExpectedSale => expected(2, { till: 2_000n, ...more });
/** The payment.id of the first sale, and the merchantTransactionId of the second. */
const crossed: Cells = { UniqueID: id(1), TransactionId: id(102) };

describe('a line with one sale’s payment.id and another one’s reference', () => {
  test.each<[string, ExpectedSale[], Cells, number]>([
    ['has the amount of the payment: it belongs to that sale', [one(), other()], amount('10.00'), 1],
    ['has the amount of the reference: it belongs to that sale', [one(), other()], amount('20.00'), 2],
    ['has an amount of neither: the payment.id counts', [one(), other()], amount('30.00'), 1],
    ['has the amount of both: the payment.id counts', [one(), other({ till: 1_000n })], amount('10.00'), 1],
    ['has the reference’s amount in another currency', [one(), other()], { ...amount('20.00'), Currency: 'USD' }, 1],
    [
      'gives back what the reference gave back',
      [one({ till: 2_000n }), other({ till: -2_000n })],
      refundCells('20.00'),
      2,
    ],
    ['gives back what the reference took', [one({ till: -1_000n }), other()], refundCells('20.00'), 1],
    ['takes what the reference gave back', [one(), other({ till: -2_000n })], amount('20.00'), 1],
  ])('%s', async (_, sales, line, receipt) => {
    const found = { status: 'MATCHED', receipts: [receipt], isCrossed: true };
    expect(await match(sales, { ...crossed, ...line })).toEqual(found);
    expect(await match(sales.toReversed(), { ...crossed, ...line })).toEqual(found);
  });

  test.each<[string, ExpectedSale[], Cells]>([
    ['a refund and its sale belong together', [one(), other({ follows: id(101) })], amount('20.00')],
    ['a sale and its refund belong together', [one({ follows: id(102) }), other()], amount('20.00')],
    ['the first sale moved no money', [one({ till: 0n }), other()], amount('20.00')],
    ['the second sale moved no money', [one(), other({ till: 0n })], amount('20.00')],
    ['a chargeback', [one(), other()], { ...amount('20.00'), ReconciliationType: 'CHARGEBACK', Cashflow: 'NEG' }],
  ])('%s: the payment.id counts, and the ids are not reported as crossed', async (_, sales, line) => {
    const found = { status: 'MATCHED', receipts: [1], isCrossed: false };
    expect(await match(sales, { ...crossed, ...line })).toEqual(found);
  });

  test('when one of the ids belongs to two sales, the amount does not decide', async () => {
    const equalSales = [one(), expected(3, { payment: id(1) }), other()];
    expect(await match(equalSales, { ...crossed, ...amount('20.00') })).toMatchObject({
      status: 'MULTIPLE_MATCHES',
      receipts: [1, 3],
    });
    const sameDetails = [one(), other(), expected(3, { sale: id(102), till: 2_000n })];
    expect(await match(sameDetails, { ...crossed, ...amount('20.00') })).toMatchObject({
      receipts: [1],
      isCrossed: false,
    });
  });
});

describe('a line that names no sale of this till', () => {
  const withoutIds: Cells = { UniqueID: '', TransactionId: '' };
  const nameless = (more: Partial<ExpectedSale> = {}): ExpectedSale => {
    const { payment: _, ...sale } = expected(1, more);
    return sale;
  };

  const { last4: _, ...withoutCard } = one();

  test.each<[string, ExpectedSale, Cells, number[]]>([
    ['no id at all: amount, day and last four decide', one(), withoutIds, [1]],
    ['another payment.id: no match with a sale that has its own', one(), { ...withoutIds, UniqueID: id(9) }, []],
    ['another payment.id: a match with a sale that has none', nameless(), { ...withoutIds, UniqueID: id(9) }, [1]],
    ['another reference: no match with a sale that has its own', one(), { ...withoutIds, TransactionId: id(109) }, []],
    ['another reference, and no payment.id', nameless(), { ...withoutIds, TransactionId: id(109) }, []],
    [
      'both ids of another sale: a match with a sale without a payment.id',
      nameless(),
      { UniqueID: id(9), TransactionId: id(109) },
      [1],
    ],
    [
      'both ids of another sale: no match with a sale that has its own',
      one(),
      { UniqueID: id(9), TransactionId: id(109) },
      [],
    ],
    ['another amount', one(), { ...withoutIds, ...amount('10.01') }, []],
    ['another card', one(), { ...withoutIds, AccountNumberLast4: '0011' }, []],
    ['a sale without a card, and a line without one', withoutCard, { ...withoutIds, AccountNumberLast4: '' }, []],
    ['a sale of another day', one({ date: '2026-11-20' }), withoutIds, []],
    [
      'settled a day after it was requested',
      one({ date: '2026-11-20' }),
      { ...withoutIds, TxRequestTime: '2026-11-20 12:00:00', SettlementDate: DAY },
      [1],
    ],
    ['money given back, but the sale took it', one(), { ...withoutIds, ...refundCells('10.00') }, []],
    ['money given back, as by the sale', one({ till: -1_000n }), { ...withoutIds, ...refundCells('10.00') }, [1]],
    [
      'a chargeback belongs to the sale that took the money',
      one(),
      { ...withoutIds, ReconciliationType: 'CHARGEBACK', Cashflow: 'NEG' },
      [1],
    ],
    ['no money moved, and a line of zero', one({ till: 0n }), { ...withoutIds, ...amount('0.00') }, []],
  ])('%s', async (_, sale, line, receipts) => {
    expect((await match([sale], line)).receipts).toEqual(receipts);
  });

  test('two possible sales are both reported', async () => {
    expect(await match([one(), expected(2)], withoutIds)).toMatchObject({
      status: 'MULTIPLE_MATCHES',
      receipts: [1, 2],
    });
  });
});
