/** Which sale a settlement line is of: a line whose names cross, or that names nobody, never goes to the wrong one. */
import { describe, expect, test } from 'vitest';
import type { Cells } from '../../src/reconciliation/settlement-columns.ts';
import { type Expected, matcher } from '../../src/reconciliation/settlement-match.ts';
import { cells, csv, DAY, expected, id, read } from './settlement-lines.ts';

/** The receipts of the sales found, and whether the line's names cross. */
const match = async (sales: readonly Expected[], line: Cells) => {
  const [record] = await read(csv([cells(line)]));
  if (record === undefined || 'why' in record) throw new Error(`not a line: ${JSON.stringify(record)}`);
  const { status, found, isCrossed = false } = matcher(sales)(record);
  return { status, receipts: found.map(({ receipt }) => receipt), isCrossed };
};

const amount = (text: string): Cells => ({ Amount: text, SettlementAmount: text, SettlementFee: '' });
const back = (text: string): Cells => ({ ...amount(text), Cashflow: 'NEG', PaymentType: 'REFUND' });

/** 10.00 and 20.00, unless a test says otherwise. */
const one = (more: Partial<Expected> = {}): Expected => expected(1, more);
const other = (more: Partial<Expected> = {}): Expected => expected(2, { till: 2_000n, ...more });
/** The payment.id of the first, and the merchantTransactionId of the second. */
const crossed: Cells = { UniqueID: id(1), TransactionId: id(102) };

describe('a line that names one sale’s payment and another one’s reference', () => {
  test.each<[string, Expected[], Cells, number]>([
    ['has the amount of the payment: it is that one’s', [one(), other()], amount('10.00'), 1],
    ['has the amount of the reference: it is that one’s', [one(), other()], amount('20.00'), 2],
    ['has an amount of neither: the payment.id counts', [one(), other()], amount('30.00'), 1],
    ['has the amount of both: the payment.id counts', [one(), other({ till: 1_000n })], amount('10.00'), 1],
    ['has the reference’s sum in another currency', [one(), other()], { ...amount('20.00'), Currency: 'USD' }, 1],
    ['gives back what the reference gave back', [one({ till: 2_000n }), other({ till: -2_000n })], back('20.00'), 2],
    ['gives back what the reference took', [one({ till: -1_000n }), other()], back('20.00'), 1],
    ['takes what the reference gave back', [one(), other({ till: -2_000n })], amount('20.00'), 1],
  ])('%s', async (_, sales, line, receipt) => {
    const found = { status: 'MATCHED', receipts: [receipt], isCrossed: true };
    expect(await match(sales, { ...crossed, ...line })).toEqual(found);
    expect(await match(sales.toReversed(), { ...crossed, ...line })).toEqual(found);
  });

  test.each<[string, Expected[], Cells]>([
    ['a refund and its sale are one business', [one(), other({ follows: id(101) })], amount('20.00')],
    ['a sale and its refund are one business', [one({ follows: id(102) }), other()], amount('20.00')],
    ['of the first no money moved', [one({ till: 0n }), other()], amount('20.00')],
    ['of the second no money moved', [one(), other({ till: 0n })], amount('20.00')],
    ['a chargeback', [one(), other()], { ...amount('20.00'), ReconciliationType: 'CHARGEBACK', Cashflow: 'NEG' }],
  ])('%s: the payment.id counts, and nothing is said to cross', async (_, sales, line) => {
    const found = { status: 'MATCHED', receipts: [1], isCrossed: false };
    expect(await match(sales, { ...crossed, ...line })).toEqual(found);
  });

  test('where one of its names is of two sales, no amount decides', async () => {
    const alike = [one(), expected(3, { payment: id(1) }), other()];
    expect(await match(alike, { ...crossed, ...amount('20.00') })).toMatchObject({
      status: 'MULTIPLE_MATCHES',
      receipts: [1, 3],
    });
    const twice = [one(), other(), expected(3, { sale: id(102), till: 2_000n })];
    expect(await match(twice, { ...crossed, ...amount('20.00') })).toMatchObject({ receipts: [1], isCrossed: false });
  });
});

describe('a line that names no sale of ours', () => {
  const nobody: Cells = { UniqueID: '', TransactionId: '' };
  const nameless = (more: Partial<Expected> = {}): Expected => {
    const { payment: _, ...sale } = expected(1, more);
    return sale;
  };

  const { last4: _, ...withoutCard } = one();

  test.each<[string, Expected, Cells, number[]]>([
    ['no name at all: amount, day and last four decide', one(), nobody, [1]],
    ['another payment.id: not one that has its own', one(), { ...nobody, UniqueID: id(9) }, []],
    ['another payment.id: one that has none', nameless(), { ...nobody, UniqueID: id(9) }, [1]],
    ['another reference: not one that has its own', one(), { ...nobody, TransactionId: id(109) }, []],
    ['another reference, and no payment.id', nameless(), { ...nobody, TransactionId: id(109) }, []],
    ['both of another’s: one without a payment.id', nameless(), { UniqueID: id(9), TransactionId: id(109) }, [1]],
    ['both of another’s: not one that has its own', one(), { UniqueID: id(9), TransactionId: id(109) }, []],
    ['another amount', one(), { ...nobody, ...amount('10.01') }, []],
    ['another card', one(), { ...nobody, AccountNumberLast4: '0011' }, []],
    ['a sale without a card, and a line without one', withoutCard, { ...nobody, AccountNumberLast4: '' }, []],
    ['a sale of another day', one({ date: '2026-11-20' }), nobody, []],
    [
      'settled a day after it was asked for',
      one({ date: '2026-11-20' }),
      { ...nobody, TxRequestTime: '2026-11-20 12:00:00', SettlementDate: DAY },
      [1],
    ],
    ['given back, and the sale took it', one(), { ...nobody, ...back('10.00') }, []],
    ['given back, and so did the sale', one({ till: -1_000n }), { ...nobody, ...back('10.00') }, [1]],
    [
      'a chargeback is of the sale that took it',
      one(),
      { ...nobody, ReconciliationType: 'CHARGEBACK', Cashflow: 'NEG' },
      [1],
    ],
    ['nothing moved, and a line of nothing', one({ till: 0n }), { ...nobody, ...amount('0.00') }, []],
  ])('%s', async (_, sale, line, receipts) => {
    expect((await match([sale], line)).receipts).toEqual(receipts);
  });

  test('two that it may be of are both told', async () => {
    expect(await match([one(), expected(2)], nobody)).toMatchObject({ status: 'MULTIPLE_MATCHES', receipts: [1, 2] });
  });
});
