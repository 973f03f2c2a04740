/** Planted differences of each kind, alone and combined: each is found with its smallest explanation, and no other. */
import { expect, test } from 'vitest';
import { explanations } from '../../src/locales/messages/en/settlement.ts';
import { type Reconciliation, reconciler } from '../../src/reconciliation/reconcile.ts';
import type { Cells } from '../../src/reconciliation/settlement-columns.ts';
import { findSmallest } from '../../src/reconciliation/settlement-explain.ts';
import type { ExpectedSale } from '../../src/reconciliation/settlement-match.ts';
import { dice, SEED } from '../support/chance/dice.ts';
import { cells, csv, DAY, expected, id, read } from './settlement-lines.ts';

const settle = async (sales: readonly ExpectedSale[], lines: readonly Cells[]): Promise<Reconciliation> => {
  const books = reconciler(sales);
  for (const line of await read(csv(lines))) books.take(line);
  return books.end();
};

/** The reasons for the sale with this receipt, with their amounts. */
const reasons = ({ findings }: Reconciliation, receipt = 1): Record<string, bigint> =>
  Object.fromEntries(
    findings
      .filter((one) => one.receipt === receipt)
      .flatMap((one) => one.reasons.map(({ name, minor }) => [name, minor])),
  );

const plain = { SettlementAmount: '10.00', SettlementFee: '' } as const;
const second = { ...plain, SettlementTxId: 'second' };
const taken = (amount: string): Cells => ({ Amount: amount, SettlementAmount: amount, SettlementFee: '' });
const back: Cells = { Cashflow: 'NEG', PaymentType: 'REFUND', ...plain };
const charged: Cells = { ...plain, ReconciliationType: 'CHARGEBACK', Cashflow: 'NEG' };
const refund = (more: Partial<ExpectedSale> = {}): ExpectedSale =>
  expected(2, { till: -300n, gateway: -300n, follows: id(101), ...more });
/** The file is from a day after the sale. */
const later = cells({ ...plain, UniqueID: id(99), TransactionId: id(199), SettlementDate: '2026-11-22' });

test.each<[string, readonly ExpectedSale[], readonly Cells[], Record<string, bigint>]>([
  ['all the same', [expected(1)], [cells(plain)], {}],
  ['a fee', [expected(1)], [cells()], { fee: -17n }],
  ['settled twice', [expected(1)], [cells(plain), cells(second)], { settledTwice: 1_000n }],
  [
    'settled three times',
    [expected(1)],
    [cells(plain), cells(second), cells({ ...plain, SettlementTxId: 'third' })],
    { settledTwice: 2_000n },
  ],
  ['the day’s last sale', [expected(1)], [], { notSettled: -1_000n }],
  ['not in the file yet', [expected(1, { date: '2026-11-22' })], [later], { settledTomorrow: -1_000n }],
  ['missing', [expected(1)], [later], { notSettled: -1_000n }],
  ['a partial capture', [expected(1, { gateway: 700n })], [cells(taken('7.00'))], { partialCapture: -300n }],
  ['the tip left out', [expected(1, { tip: 150n })], [cells(taken('8.50'))], { tipMissing: -150n }],
  ['a late approval', [expected(1, { till: 0n, place: 'declined' })], [cells(plain)], { lateApproval: 1_000n }],
  [
    'a late approval that is not settled yet',
    [expected(1, { till: 0n, place: 'notSent' })],
    [later],
    { lateApproval: 1_000n },
  ],
  [
    'settled though reversed',
    [expected(1, { till: 0n, gateway: 0n, place: 'reversed' })],
    [cells(plain)],
    { settledThoughReversed: 1_000n },
  ],
  [
    'a failed settlement',
    [expected(1)],
    [cells({ ...plain, SettlementStatus: 'FAILED' })],
    { settlementFailed: -1_000n },
  ],
  ['a chargeback', [expected(1)], [cells(plain), cells(charged)], { chargeback: -1_000n }],
  [
    'a chargeback that was reversed',
    [expected(1)],
    [cells(plain), cells(charged), cells({ ...charged, ReconciliationType: 'CHARGEBACK REVERSAL', Cashflow: 'POS' })],
    { chargeback: -1_000n, chargebackReversal: 1_000n },
  ],
  [
    'another currency',
    [expected(1)],
    [cells({ SettlementCurrency: 'JPY', SettlementAmount: '1600', SettlementFee: '', SettlementFxRate: '160.00' })],
    { exchanged: 1_600n },
  ],
  ['back out short', [expected(1)], [cells({ ...plain, SettlementAmount: '9.00' })], { short: -100n }],
  ['refund netted', [expected(1), refund()], [cells(taken('7.00'))], { refundNetted: -300n }],
  ['no reason at all', [expected(1)], [cells(taken('9.99'))], { unexplained: -1n }],
  ['only the gateway differs', [expected(1, { gateway: 900n })], [cells(plain)], { gatewayDiffers: -100n }],
])('%s', async (_, sales, lines, expected) => {
  expect(reasons(await settle(sales, lines))).toEqual(expected);
});

test.each<[string, readonly ExpectedSale[], readonly Cells[], Record<string, bigint>]>([
  [
    'twice, with fees',
    [expected(1)],
    [cells(), cells({ SettlementTxId: 'second' })],
    { settledTwice: 1_000n, fee: -34n },
  ],
  [
    'twice, and charged back',
    [expected(1)],
    [cells(plain), cells(second), cells(charged)],
    { settledTwice: 1_000n, chargeback: -1_000n },
  ],
  [
    'a partial capture, twice',
    [expected(1, { gateway: 700n })],
    [cells(taken('7.00')), cells({ ...taken('7.00'), SettlementTxId: 'second' })],
    { settledTwice: 700n, partialCapture: -300n },
  ],
  [
    'the tip left out, minus a fee',
    [expected(1, { tip: 150n })],
    [cells({ Amount: '8.50', SettlementAmount: '8.35', SettlementFee: '0.15' })],
    { tipMissing: -150n, fee: -15n },
  ],
  [
    'the tip left out and a refund netted',
    [expected(1, { tip: 150n }), refund()],
    [cells(taken('5.50'))],
    { tipMissing: -150n, refundNetted: -300n },
  ],
  [
    'a late approval, settled twice',
    [expected(1, { till: 0n, place: 'notSent' })],
    [cells(plain), cells(second)],
    { lateApproval: 1_000n, settledTwice: 1_000n },
  ],
  [
    'a fee, another currency and too little',
    [expected(1)],
    [
      cells({
        SettlementCurrency: 'USD',
        SettlementFxRate: '1.100000',
        SettlementFee: '0.20',
        SettlementAmount: '10.00',
      }),
    ],
    { fee: -20n, exchanged: 1_000n, short: -80n },
  ],
])('together: %s', async (_, sales, lines, expected) => {
  expect(reasons(await settle(sales, lines))).toEqual(expected);
});

test('a refund can be settled, not settled yet, or netted in its sale', async () => {
  const line = cells({ ...back, UniqueID: id(2), TransactionId: id(102), Amount: '3.00', SettlementAmount: '3.00' });
  expect(reasons(await settle([expected(1), refund()], [cells(plain), line]), 2)).toEqual({});
  expect(reasons(await settle([expected(1), refund()], [cells(plain), later]), 2)).toEqual({ refundNotSettled: 300n });
  expect(reasons(await settle([expected(1), refund()], [cells(taken('7.00')), later]), 2)).toEqual({});
});

test('matches by payment.id, then merchantTransactionId, then amount, day and last four', async () => {
  const held = expected(3, { payment: undefined as never });
  const { payment: _, ...nameless } = held;
  const status = async (sales: readonly ExpectedSale[], more: Cells) =>
    (await settle(sales, [cells({ ...plain, ...more })])).statuses;
  const one = { MATCHED: 1, MULTIPLE_MATCHES: 0, NOT_MATCHED: 0 };
  const none = { MATCHED: 0, MULTIPLE_MATCHES: 0, NOT_MATCHED: 1 };
  expect(await status([expected(1)], { TransactionId: '' })).toEqual(one);
  expect(await status([expected(1)], { UniqueID: '' })).toEqual(one);
  expect(await status([expected(1)], { UniqueID: id(55) })).toEqual(one);
  expect(await status([expected(1)], { UniqueID: '', TransactionId: '' })).toEqual(one);
  expect(await status([nameless], { UniqueID: id(55), TransactionId: '' })).toEqual(one);
  expect(await status([expected(1)], { UniqueID: id(55), TransactionId: '' })).toEqual(none);
  expect(await status([expected(1)], { UniqueID: id(55), TransactionId: id(155) })).toEqual(none);
  expect(await status([expected(1)], { UniqueID: '', TransactionId: '', AccountNumberLast4: '9999' })).toEqual(none);
  expect(await status([expected(1)], { UniqueID: '', TransactionId: '', SettlementDate: '2026-11-25' })).toEqual(none);
  expect(await status([expected(1), expected(2)], { UniqueID: '', TransactionId: '' })).toEqual({
    MATCHED: 0,
    MULTIPLE_MATCHES: 1,
    NOT_MATCHED: 0,
  });
});

test('lines without a sale: another till’s sale, a separate fee, and one that fits several', async () => {
  const lines = [
    cells({ ...plain, UniqueID: id(55), TransactionId: id(155) }),
    cells({
      ...plain,
      ReconciliationType: 'FEE',
      PaymentType: 'MONTHLY',
      Cashflow: 'NEG',
      UniqueID: '',
      TransactionId: '',
      AccountNumberLast4: '',
    }),
    cells({ ...plain, UniqueID: '', TransactionId: '' }),
  ];
  const { findings } = await settle([expected(1), expected(2)], lines);
  const names = findings.filter(({ lines: of }) => of.length > 0).flatMap((one) => one.reasons.map(({ name }) => name));
  expect(names).toEqual(['otherTill', 'standaloneFee', 'ambiguous']);
});

test('for a sale of another reconciliation only what the file itself says is reported', async () => {
  const books = reconciler([], [expected(1), expected(2), refund(), expected(3), expected(4)]);
  const of = (n: number, more: Cells = {}): Cells =>
    cells({ ...plain, UniqueID: id(n), TransactionId: id(100 + n), ...more });
  for (const line of await read(csv([of(1, charged), of(3, taken('8.00')), of(4), of(4, second)]))) books.take(line);
  const { findings, agreeing } = books.end();
  expect(findings.map(({ receipt, reasons: all }) => [receipt, ...all.map(({ name }) => name)])).toEqual([
    [1, 'chargeback'],
    [3, 'unexplained'],
    [4, 'settledTwice'],
  ]);
  expect(agreeing).toBe(0);
});

test('takes the fewest reasons that add up', () => {
  const of = (minor: bigint) => ({ name: 'tipMissing', minor, currency: 'EUR' }) as const;
  expect(findSmallest(6n, [of(1n), of(2n), of(3n), of(6n)])).toEqual([of(6n)]);
  expect(findSmallest(5n, [of(1n), of(2n), of(3n), of(-1n)])).toEqual([of(2n), of(3n)]);
  expect(findSmallest(100n, [of(1n), of(2n)])).toBeUndefined();
});

test('differences planted at random among many sales are found, and no others', async () => {
  const chance = dice(SEED);
  const kinds = ['none', 'twice', 'missing', 'tip', 'partial', 'late', 'chargeback', 'failed'] as const;
  const required = new Map<number, string>();
  const sales: ExpectedSale[] = [];
  const lines: Cells[] = [
    cells({ ...plain, UniqueID: id(9_999), TransactionId: id(9_998), SettlementDate: '2026-11-25' }),
  ];
  const names = {
    twice: 'settledTwice',
    missing: 'notSettled',
    tip: 'tipMissing',
    partial: 'partialCapture',
    late: 'lateApproval',
    chargeback: 'chargeback',
    failed: 'settlementFailed',
  };
  for (let n = 1; n <= 300; n += 1) {
    const kind = chance.one(kinds);
    const of = cells({ ...plain, UniqueID: id(n), TransactionId: id(100 + n), SettlementTxId: String(n) });
    if (kind !== 'none') required.set(n, names[kind]);
    sales.push(
      expected(n, {
        tip: kind === 'tip' ? 100n : undefined,
        gateway: kind === 'partial' ? 800n : undefined,
        ...(kind === 'late' && { till: 0n, place: 'unknown' as const }),
      }),
    );
    if (kind === 'missing') continue;
    lines.push({
      ...of,
      ...(kind === 'tip' && taken('9.00')),
      ...(kind === 'partial' && taken('8.00')),
      ...(kind === 'failed' && { SettlementStatus: 'FAILED' }),
    });
    if (kind === 'twice') lines.push({ ...of, SettlementTxId: `${n} again` });
    if (kind === 'chargeback') lines.push({ ...of, ...charged });
  }
  const result = await settle(sales, lines);
  const found = new Map(
    result.findings.flatMap(({ receipt, reasons: all }) =>
      receipt === undefined ? [] : [[receipt, all.map(({ name }) => name).join()]],
    ),
  );
  expect(found, `seed ${SEED}`).toEqual(required);
  expect(result.agreeing, `seed ${SEED}`).toBe(300 - required.size);
});

test('each explanation says what it means and what to do', () => {
  for (const [name, { says, next }] of Object.entries(explanations)) {
    expect(says.length, name).toBeGreaterThan(8);
    expect(next, name).toMatch(/[.]$/);
  }
  expect(DAY).toMatch(/^\d{4}/);
});

test('sales settled by a terminal’s own acquirer are listed apart with their sums, and need no action', async () => {
  const saleWith = (receipt: number, more: Partial<ExpectedSale> = {}): ExpectedSale => {
    const { gateway: _, ...one } = expected(receipt, { ownTerminal: '20000000', ...more });
    return one;
  };
  const reported = await settle(
    [
      expected(1),
      saleWith(2),
      saleWith(3, { till: 500n }),
      saleWith(4, { till: -200n }),
      saleWith(5, { till: 0n, place: 'declined' }),
      saleWith(6, { ownTerminal: '20000001' }),
      // The file has a line for this one, so it is compared like any other.
      saleWith(7, { payment: id(7) }),
    ],
    [cells(plain), cells({ ...plain, UniqueID: id(7), TransactionId: id(107) })],
  );
  expect(reported.findings).toEqual([]);
  expect(reported.agreeing).toBe(2);
  expect(reported.atTerminals).toEqual([
    { terminalId: '20000000', currency: 'EUR', count: 3, minor: 1_300n },
    { terminalId: '20000001', currency: 'EUR', count: 1, minor: 1_000n },
  ]);
});
