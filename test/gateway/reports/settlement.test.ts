/** What the gateway writes as a settlement file the till reads, record by record and cent by cent. */
import { expect, test } from 'vitest';
import { printAmount } from '../../../src/base/money.ts';
import { settlementCsv, settlementFileOf } from '../../../src/gateway/reports/settlement-file.ts';
import { settlementColumns, settlementRows, usualFees } from '../../../src/gateway/reports/settlement-record.ts';
import type { Payment } from '../../../src/gateway/store/store.ts';
import { columns } from '../../../src/reconciliation/settlement-columns.ts';
import { isRefused } from '../../../src/reconciliation/settlement-record.ts';
import { id, MERCHANT, read } from '../../reconciliation/settlement-lines.ts';
import { dice } from '../../support/dice.ts';

const DATE = '2026-11-21';
const settling = { date: DATE, fees: usualFees, acquirer: { name: 'Acquirer', merchantId: '00001' } };

type Wish = Partial<Pick<Payment, 'paymentType' | 'amount' | 'referencedId' | 'at'>> & {
  code?: string;
  descriptor?: string;
};

const payment = (n: number, { code = '000.100.110', descriptor = 'Shop', ...more }: Wish = {}): Payment => ({
  id: id(n),
  entityId: MERCHANT,
  paymentType: 'DB',
  paymentMethod: 'CC',
  amount: { minor: 1_000n, currency: 'EUR' },
  at: Date.parse(`${DATE}T12:00:00Z`),
  shortId: '0000.0000.0000',
  merchantTransactionId: id(100 + n),
  rootId: id(n),
  facts: {
    descriptor,
    requestId: id(n),
    acquirerId: id(n),
    paymentBrand: 'VISA',
    card: { last4Digits: '0010', expiryMonth: '12', expiryYear: '2030' },
    echo: {},
  },
  state: 'done',
  resultCode: code,
  ...more,
});

test('the header is the interface’s own, spelling and all', () => {
  expect([...settlementColumns]).toEqual([...columns]);
  expect(settlementCsv([]).trim()).toBe(columns.join(';'));
  expect(settlementColumns).toContain('ClearingInsitituteName');
});

test('what was paid out, given back and charged back is written; what was not, is not', () => {
  const rows = settlementRows(
    [
      payment(1),
      payment(2, { code: '800.100.155' }),
      payment(3, { paymentType: 'PA' }),
      payment(4, { paymentType: 'CP', referencedId: id(3) }),
      payment(5, { paymentType: 'RF', referencedId: id(1) }),
      payment(6),
      payment(7, { paymentType: 'RV', referencedId: id(6) }),
      payment(8, { paymentType: 'CB', referencedId: id(1) }),
      payment(9, { paymentType: 'CR', referencedId: id(8) }),
      payment(10, { paymentType: 'CD' }),
    ],
    settling,
  );
  expect(
    rows.map((row) => [row['ReconciliationType'], row['PaymentType'], row['Cashflow'], row['SettlementFee']]),
  ).toEqual([
    ['SETTLED', 'DEBIT', 'POS', '0.17'],
    ['SETTLED', 'DEBIT', 'POS', '0.17'],
    ['SETTLED', 'REFUND', 'NEG', '0.00'],
    ['CHARGEBACK', 'DEBIT', 'NEG', '0.00'],
    ['CHARGEBACK REVERSAL', 'DEBIT', 'POS', '0.00'],
    ['SETTLED', 'CREDIT', 'NEG', '0.00'],
  ]);
});

test('whatever is written is read as it was', async () => {
  const seed = Date.now() % 1_000_000;
  const chance = dice(seed);
  const texts = [
    'Shop',
    '=SUM(A1:A9)',
    '+1',
    '@x',
    '-1',
    'a;b',
    'quote " inside',
    'line\nbreak',
    'CAFÉ 東京',
    '\t=x',
    ' ',
    "'",
  ];
  const currencies = ['EUR', 'USD', 'GBP'] as const;
  const types = ['DB', 'CP', 'RF', 'CD', 'CB', 'CR'] as const;
  const payments = Array.from({ length: 300 }, (_, n) =>
    payment(n + 1, {
      paymentType: chance.one(types),
      amount: { minor: BigInt(chance.between(1, 10_000_000)), currency: chance.one(currencies) },
      descriptor: chance.one(texts as [string, ...string[]]),
    }),
  );
  const records = await read(settlementCsv(settlementRows(payments, settling)));
  expect(records.filter(isRefused), `seed ${seed}`).toEqual([]);
  expect(records, `seed ${seed}`).toHaveLength(300);
  for (const [at, record] of records.entries()) {
    const { amount, merchantTransactionId } = payments[at] ?? payment(0);
    if (isRefused(record)) continue;
    expect(record, `seed ${seed}`).toMatchObject({
      amount,
      merchantTransactionId,
      date: DATE,
      last4: '0010',
      ok: true,
    });
    const fee = record.fee?.minor ?? 0n;
    expect(printAmount({ ...amount, minor: record.settled.minor + fee }), `seed ${seed}`).toBe(printAmount(amount));
    expect(
      Object.values(record.cells).filter((cell) => /^[=+\-@]/.test(cell ?? '')),
      `seed ${seed}`,
    ).toEqual([]);
  }
});

test('only the day’s own payments, however many pages they fill', async () => {
  const all = Array.from({ length: 1_203 }, (_, n) => payment(n + 1));
  const asked: { from?: number; to?: number }[] = [];
  const store = {
    async search({ from, to, limit, offset = 0 }: { from?: number; to?: number; limit: number; offset?: number }) {
      asked.push({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
      return { payments: all.slice(offset, offset + limit), total: all.length };
    },
  };
  const records = await read(await settlementFileOf(store, { entityId: MERCHANT, date: DATE }));
  expect(records).toHaveLength(1_203);
  const from = Date.parse(`${DATE}T00:00:00Z`);
  expect(asked[0]).toEqual({ from, to: from + 86_399_999 });
});
