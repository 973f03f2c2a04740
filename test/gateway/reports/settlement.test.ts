import { readFileSync } from 'node:fs';
/** The till reads the gateway's settlement file, record by record and cent by cent. */
import { expect, test } from 'vitest';
import { printAmount } from '../../../src/base/money.ts';
import { openSqliteStore } from '../../../src/gateway/database/open.ts';
import { apiRecord } from '../../../src/gateway/reports/endpoints/reconciliations.ts';
import {
  parseRows,
  type SettlementRow,
  settlementCsv,
  settlementLine,
} from '../../../src/gateway/reports/settlement-csv.ts';
import { settlementFileOf } from '../../../src/gateway/reports/settlement-file.ts';
import { recordOf } from '../../../src/gateway/reports/settlement-record.ts';
import { termsOf } from '../../../src/gateway/reports/terms.ts';
import { settlementColumns } from '../../../src/gateway/spec/settlement-columns.ts';
import type { Payment } from '../../../src/gateway/store/records.ts';
import { isRefused } from '../../../src/reconciliation/settlement-record.ts';
import { id, MERCHANT, read } from '../../reconciliation/settlement-lines.ts';
import { dice, SEED } from '../../support/chance/dice.ts';

const DATE = '2026-11-21';
const terms = termsOf({ entityId: MERCHANT });

type Options = Partial<Pick<Payment, 'paymentType' | 'amount' | 'referencedId' | 'at'>> & {
  code?: string;
  descriptor?: string;
};

const payment = (n: number, { code = '000.100.110', descriptor = 'Shop', ...fields }: Options = {}): Payment => ({
  id: id(n),
  entityId: MERCHANT,
  paymentType: 'DB',
  paymentMethod: 'CC',
  amount: { minor: 1_000n, currency: 'EUR' },
  at: Date.parse(`${DATE}T12:00:00Z`) + n,
  shortId: '0000.0000.0000',
  merchantTransactionId: id(100 + n),
  rootId: fields.referencedId ?? id(n),
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
  ...fields,
});

const fileOf = async (payments: readonly Payment[], date = DATE): Promise<string> => {
  const store = await openSqliteStore(':memory:');
  await store.transact([], async (session) => {
    for (const one of payments) await session.add(one, []);
  });
  const text = await settlementFileOf(store, { entityId: MERCHANT, date });
  await store.close();
  return text;
};

const rowsOf = async (payments: readonly Payment[]): Promise<SettlementRow[]> =>
  parseRows((await fileOf(payments)).trimEnd().split('\n').slice(1));

test('the header has the interface’s own names in their exact spelling', () => {
  const text = readFileSync(new URL('../../vectors/host-api.md', import.meta.url), 'utf8');
  const [output = ''] = /(?<=^Columns in order, semicolon separated: ).*?(?=\. )/m.exec(text) ?? [];
  const beyondList = ['TransactionId', 'InvoiceId'];
  expect(settlementColumns.filter((name) => !beyondList.includes(name))).toEqual(output.split(', '));
  expect(settlementColumns.indexOf('TransactionId')).toBe(settlementColumns.indexOf('ConnectorTxId3') + 1);
  expect(settlementCsv([]).trim()).toBe(settlementColumns.join(';'));
});

test('writes payouts, refunds and chargebacks, and nothing else', async () => {
  const confirmed = payment(14, { paymentType: 'RC', referencedId: id(1) });
  const rows = await rowsOf([
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
    payment(11, { paymentType: 'RF', referencedId: id(10) }),
    payment(12),
    payment(13, { paymentType: 'RV', referencedId: id(12), amount: { minor: 400n, currency: 'EUR' } }),
    { ...confirmed, facts: { ...confirmed.facts, confirms: true } },
  ]);
  const shownRows = rows.map((row) => [
    row['ReconciliationType'],
    row['PaymentType'],
    row['Cashflow'],
    row['SettlementFee'],
    row['UniqueID'],
  ]);
  expect(shownRows).toEqual([
    ['SETTLED', 'DEBIT', 'POS', '0.17', id(1)],
    ['SETTLED', 'DEBIT', 'POS', '0.17', id(4)],
    ['SETTLED', 'REFUND', 'NEG', '0.00', id(5)],
    ['CHARGEBACK', 'DEBIT', 'NEG', '0.00', id(1)],
    ['CHARGEBACK REVERSAL', 'DEBIT', 'POS', '0.00', id(1)],
    ['SETTLED', 'CREDIT', 'NEG', '0.00', id(10)],
    ['SETTLED', 'REFUND', 'POS', '0.00', id(11)],
    // A sale that was reversed in part is paid out in full, and the reversed part is taken back.
    ['SETTLED', 'DEBIT', 'POS', '0.17', id(12)],
    ['SETTLED', 'REFUND', 'NEG', '0.00', id(13)],
  ]);
  expect(
    rows.slice(3, 5).map((row) => [row['MatchingStatus'], row['MatchedTransactions'], row['ChargebackId']]),
  ).toEqual([
    ['MATCHED', id(1), id(8)],
    ['MATCHED', id(1), id(9)],
  ]);
});

test('each record of a test channel is marked TEST, and none of a live channel', () => {
  const formatOf = (mode: 'test' | 'live') => {
    const settlement = { folder: '.', acquirer: { name: 'Acquirer', merchantId: '1' } };
    const ownTerms = termsOf({ entityId: MERCHANT, mode, settlement });
    return recordOf({ payment: payment(1), before: [] }, DATE, ownTerms)?.row['SettlementFileFormat'];
  };
  expect([formatOf('test'), formatOf('live')]).toEqual(['TEST TILLGATE-2.36', 'TILLGATE-2.36']);
});

test.each(['＝HYPERLINK("x")', '＋1', '－1', '＠SUM(A1)', '"=1', '-12.50', "'=x", 'Shop'])(
  'the descriptor %j is no formula in the file, and the API returns it unchanged',
  (descriptor) => {
    const row = recordOf({ payment: payment(1, { descriptor }), before: [] }, DATE, terms)?.row ?? {};
    const [parsedRow = {}] = parseRows([settlementLine(row)]);
    expect(parsedRow['Descriptor']).toBe(descriptor === 'Shop' ? 'Shop' : `'${descriptor}`);
    expect(apiRecord(parsedRow)).toMatchObject({ descriptor });
  },
);

test('every written file is read back unchanged', async () => {
  const chance = dice(SEED);
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
    '＝SUM(A1:A9)',
    '\u200B＠x',
    '"－1',
    "'=x",
    ' ',
    "'",
  ];
  const currencies = ['EUR', 'USD', 'GBP', 'JPY'] as const;
  const types = ['DB', 'RB', 'RF', 'CD', 'CB', 'CR'] as const;
  const payments = Array.from({ length: 300 }, (_, n) =>
    payment(n + 1, {
      paymentType: chance.one(types),
      amount: { minor: BigInt(chance.between(1, 10_000_000)), currency: chance.one(currencies) },
      descriptor: chance.one(texts as [string, ...string[]]),
    }),
  );
  const rows = payments.map((one) => recordOf({ payment: one, before: [] }, DATE, terms)?.row ?? {});
  const records = await read(settlementCsv(rows));
  expect(records.filter(isRefused), `seed ${SEED}`).toEqual([]);
  expect(records, `seed ${SEED}`).toHaveLength(300);
  for (const [index, record] of records.entries()) {
    const { amount, merchantTransactionId } = payments[index] ?? payment(0);
    if (isRefused(record)) continue;
    expect(record, `seed ${SEED}`).toMatchObject({
      amount,
      merchantTransactionId,
      date: DATE,
      last4: '0010',
      ok: true,
    });
    const fee = record.fee?.minor ?? 0n;
    const gross = record.cashflow === 'POS' ? record.settled.minor + fee : record.settled.minor - fee;
    expect(printAmount({ ...amount, minor: gross }), `seed ${SEED}`).toBe(printAmount(amount));
    expect(
      Object.values(record.cells).filter((cell) => /^["\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(cell ?? '')),
      `seed ${SEED}`,
    ).toEqual([]);
  }
});

test('contains only the day’s own payments, with any number of pages and of payments in one moment', async () => {
  const at = Date.parse(`${DATE}T12:00:00Z`);
  const all = Array.from({ length: 2_303 }, (_, n) => payment(n + 1, { at: n < 1_100 ? at : at + n }));
  const otherPayments = [
    payment(3_001, { at: Date.parse(`${DATE}T00:00:00Z`) - 1 }),
    payment(3_002, { at: at + 43_200_000 }),
  ];
  const records = await read(await fileOf([...all, ...otherPayments]));
  expect(records.filter((item) => !isRefused(item))).toHaveLength(2_303);
});
