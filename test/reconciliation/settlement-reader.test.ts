/** A settlement file comes from a stranger: what is wrong is said by name and line, and the good lines are read. */
import { expect, test } from 'vitest';
import { columns } from '../../src/reconciliation/settlement-columns.ts';
import { isRefused } from '../../src/reconciliation/settlement-record.ts';
import { dice } from '../support/dice.ts';
import { cells, csv, id, MERCHANT, read } from './settlement-lines.ts';
import { peakOf } from './settlement-peak.ts';

const good = cells({ UniqueID: id(7), TransactionId: id(107) });

test('a good line is read, whatever the pieces in which it comes', async () => {
  const file = csv([cells({ Descriptor: 'CAFÉ ☕ 東京' }), good]);
  const seed = Date.now() % 1_000_000;
  const whole = await read(file);
  expect(whole).toMatchObject([
    {
      line: 2,
      recordType: 'SETTLED',
      payment: id(1),
      merchantTransactionId: id(101),
      amount: { minor: 1_000n, currency: 'EUR' },
    },
    { line: 3, settled: { minor: 983n }, fee: { minor: 17n }, rateMillionths: 1_000_000n, ok: true, last4: '0010' },
  ]);
  for (const step of [1, 2, 3, dice(seed).between(4, 400)])
    expect(await read(file, step), `seed ${seed}`).toEqual(whole);
});

test.each([
  ['with a byte order mark', `\uFEFF${csv([good])}`],
  ['with Windows line ends', csv([good]).replaceAll('\n', '\r\n')],
  [
    'without TransactionId and InvoiceId',
    csv(
      [good],
      columns.filter((name) => !/^(TransactionId|InvoiceId)$/.test(name)),
    ),
  ],
  ['with its columns in another order, and unknown ones', csv([good], [...columns].reverse().concat('New' as never))],
  ['with an empty line at its end', `${csv([good])}\n`],
])('a file %s is read', async (_, file) => {
  expect(await read(file)).toMatchObject([{ payment: id(7), amount: { minor: 1_000n } }]);
});

test.each([
  ['formula', cells({ Descriptor: '=HYPERLINK("http://x")' }), 'Descriptor'],
  ['formula', cells({ AccountHolder: '+1+1' }), 'AccountHolder'],
  ['formula', cells({ Descriptor: '@SUM(A1)' }), 'Descriptor'],
  ['formula', cells({ Amount: '-10.00' }), 'Amount'],
  ['otherStore', cells({ MerchantId: 'f'.repeat(32) }), 'another store’s'],
  ['otherStore', cells({ MerchantId: '' }), 'empty'],
  ['malformedAmount', cells({ Amount: '10,00' }), '"10,00"'],
  ['malformedAmount', cells({ SettlementFee: '0.5' }), 'SettlementFee'],
  ['malformedAmount', cells({ Amount: '' }), 'empty'],
  ['unknownCurrency', cells({ Currency: 'EURO' }), 'EURO'],
  ['malformedRate', cells({ SettlementFxRate: '1,0' }), 'SettlementFxRate'],
  ['malformedDate', cells({ SettlementDate: '2026-02-30' }), '2026-02-30'],
  ['malformedDate', cells({ SettlementDate: '21.11.2026' }), '21.11.2026'],
  ['unknownReconciliationType', cells({ ReconciliationType: 'SETTLEMENT' }), 'SETTLEMENT'],
  ['unknownPaymentType', cells({ PaymentType: 'SALE' }), 'SALE'],
  ['unknownCashflow', cells({ Cashflow: '1' }), 'POS, NEG'],
  ['unknownStatus', cells({ SettlementStatus: 'OK' }), 'SUCCESS'],
])('%s is refused by line, and the line behind it is read', async (why, bad, words) => {
  const [first, second] = await read(csv([bad, good]));
  expect(first).toMatchObject({ line: 2, why, says: expect.stringContaining(words) });
  expect(second).toMatchObject({ line: 3, payment: id(7) });
});

test('a line with too few cells, and one that is there twice, are refused', async () => {
  const lines = await read(`${csv([good])}SETTLED;DEBIT;POS\n${csv([good]).split('\n')[1]}\n`);
  expect(lines.slice(1)).toMatchObject([
    { line: 3, why: 'ragged' },
    { line: 4, why: 'doubled' },
  ]);
});

test('a card number in a bad cell is not said again', async () => {
  const [line] = await read(csv([cells({ SettlementDate: '4761739001010010' })]));
  expect(JSON.stringify(line)).not.toContain('4761739001010010');
});

const latin = Buffer.from(csv([good, cells({ Descriptor: 'CAFÉ' })]), 'latin1');

test.each([
  ['UTF-16', Buffer.from(`\uFEFF${csv([good])}`, 'utf16le'), 'UTF-16'],
  ['UTF-16, big end first', Buffer.from(`\uFEFF${csv([good])}`, 'utf16le').swap16(), 'UTF-16'],
  ['Latin-1', latin, 'line 3: it is not UTF-8'],
  ['commas', csv([good]).replaceAll(';', ','), 'semicolons'],
  ['no header', csv([good]).split('\n').slice(1).join('\n'), 'ReconciliationType'],
  [
    'a column missing',
    csv(
      [good],
      columns.filter((name) => name !== 'SettlementAmount'),
    ),
    'SettlementAmount',
  ],
  ['a column twice', csv([good], [...columns, 'Amount']), 'Amount stands there twice'],
  ['nothing', '', 'empty'],
  ['zero bytes', csv([good]).replace('EUR', 'E\u0000R'), 'zero byte'],
  ['an open quote', `${csv([good])}"SETTLED;DEBIT`, 'x.csv'],
])('a file of %s is refused as a whole', async (_, file, words) => {
  await expect(read(file)).rejects.toMatchObject({
    code: 'settlement.unreadable',
    message: expect.stringContaining(words),
  });
});

test('bytes changed anywhere never make anything else than records, refusals or the fault', async () => {
  const seed = Date.now() % 1_000_000;
  const chance = dice(seed);
  const file = new TextEncoder().encode(csv([good, cells(), cells({ UniqueID: id(3) })]));
  for (let round = 0; round < 150; round += 1) {
    const damaged = Uint8Array.from(file);
    for (let n = chance.between(1, 4); n > 0; n -= 1)
      damaged[chance.between(0, file.length - 1)] = chance.between(0, 255);
    try {
      for (const line of await read(damaged, 97))
        if (!isRefused(line)) expect(line.cells.MerchantId, `seed ${seed}`).toBe(MERCHANT);
    } catch (error) {
      expect(error, `seed ${seed}, round ${round}`).toMatchObject({ code: 'settlement.unreadable' });
    }
  }
});

test('a hundred thousand lines take hardly more memory than ten thousand', { timeout: 120_000 }, () => {
  expect(peakOf(100_000) - peakOf(10_000)).toBeLessThan(48);
});
