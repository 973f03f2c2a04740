/** A settlement file comes from outside: errors are reported by name and line, and the good lines are read. */
import { expect, test } from 'vitest';
import { settlementColumns } from '../../src/gateway/spec/settlement-columns.ts';
import { readSettlement } from '../../src/reconciliation/settlement-reader.ts';
import { isRefused } from '../../src/reconciliation/settlement-record.ts';
import { dice, SEED } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { cells, csv, DAY, id, MERCHANT, read } from './settlement-lines.ts';
import { peakOf } from './settlement-peak.ts';

const validCells = cells({ UniqueID: id(7), TransactionId: id(107) });

test('a good line is read, in whatever chunks it arrives', async () => {
  const file = csv([cells({ Descriptor: 'CAFÉ ☕ 東京' }), validCells]);
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
  for (const step of [1, 2, 3, dice(SEED).between(4, 400)])
    expect(await read(file, step), `seed ${SEED}`).toEqual(whole);
});

test.each([
  ['with a byte order mark', `\uFEFF${csv([validCells])}`],
  ['with Windows line ends', csv([validCells]).replaceAll('\n', '\r\n')],
  ['with returns alone', csv([validCells]).replaceAll('\n', '\r')],
  ['in UTF-16', Buffer.from(`\uFEFF${csv([validCells])}`, 'utf16le')],
  ['in UTF-16, big end first', Buffer.from(`\uFEFF${csv([validCells])}`, 'utf16le').swap16()],
  ['in UTF-16 without a mark', Buffer.from(csv([validCells]), 'utf16le')],
  [
    'without TransactionId and InvoiceId',
    csv(
      [validCells],
      settlementColumns.filter((name) => !/^(TransactionId|InvoiceId)$/.test(name)),
    ),
  ],
  [
    'with its settlementColumns in another order, and unknown ones',
    csv([validCells], [...settlementColumns].reverse().concat('New' as never)),
  ],
  ['with an empty line at its end', `${csv([validCells])}\n`],
])('a file %s is read', async (_, file) => {
  expect(await read(file)).toMatchObject([{ payment: id(7), amount: { minor: 1_000n } }]);
});

test('a merchant’s channel is accepted as the account of its records', async () => {
  const wrongMerchant = cells({ MerchantId: 'f'.repeat(32), MerchantAccountId: MERCHANT });
  expect(await read(csv([wrongMerchant]))).toMatchObject([{ line: 2, payment: id(1) }]);
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
])('%s is refused with its line, and the next line is read', async (reason, invalidLine, text) => {
  const [first, second] = await read(csv([invalidLine, validCells]));
  expect(first).toMatchObject({ line: 2, why: reason, says: expect.stringContaining(text) });
  expect(second).toMatchObject({ line: 3, payment: id(7) });
});

test('a line with too few cells, and a duplicate line, are refused', async () => {
  const lines = await read(`${csv([validCells])}SETTLED;DEBIT;POS\n${csv([validCells]).split('\n')[1]}\n`);
  expect(lines.slice(1)).toMatchObject([
    { line: 3, why: 'ragged' },
    { line: 4, why: 'doubled' },
  ]);
});

test.each([
  ['formula', cells({ Descriptor: '"=1+1"' })],
  ['formula', cells({ Descriptor: '"  -1+1"' })],
  ['formula', cells({ Descriptor: '\t=1+1' })],
  ['formula', cells({ Descriptor: '\r1' })],
  ['openQuote', cells({ Descriptor: '"never closed' })],
  ['tooLong', cells({ Descriptor: 'x'.repeat(70_000) })],
  ['malformedAmount', cells({ Amount: '10.000' })],
  ['malformedAmount', cells({ Amount: '1e3' })],
  ['malformedAmount', cells({ Amount: '0x10' })],
  ['malformedAmount', cells({ Amount: '٣.٠٠' })],
  ['malformedAmount', cells({ Amount: '1 000.00' })],
  ['malformedAmount', cells({ Amount: '99999999999.00' })],
  ['malformedAmount', cells({ Currency: 'JPY', Amount: '10.50' })],
  ['malformedAmount', cells({ SettlementAmount: 'NaN' })],
  ['implausibleDate', cells({ SettlementDate: '1900-01-01' })],
  ['implausibleDate', cells({ SettlementDate: '2100-01-01' })],
  ['malformedDate', cells({ SettlementDate: '2026-11-21Z' })],
] as const)('%s: %o is refused with its line, and the lines around it are read', async (reason, invalidLine) => {
  for (const step of [7, 1 << 16]) {
    const [first, second, third] = await read(csv([cells(), invalidLine, validCells]), step);
    expect([first, third]).toMatchObject([
      { line: 2, payment: id(1) },
      { line: 4, payment: id(7) },
    ]);
    expect(second).toMatchObject({ line: 3, why: reason, says: expect.stringMatching(/.{10}/) });
  }
});

test('a line break inside quotes is an open quote, and the rest is no record', async () => {
  const file = csv([cells({ Descriptor: '"CAFÉ\nX"' }), validCells]);
  const lines = await read(file);
  expect(lines).toMatchObject([
    { line: 2, why: 'openQuote' },
    { line: 3, why: 'ragged' },
    { line: 4, payment: id(7) },
  ]);
});

test('a spreadsheet’s quoted cells, with semicolons and quotes inside, are read', async () => {
  const [line] = await read(csv([cells({ Descriptor: '"CAFÉ; ""THE"" BAR"' })]));
  expect(line).toMatchObject({ cells: { Descriptor: 'CAFÉ; "THE" BAR' } });
});

test('an impossible request date is ignored', async () => {
  for (const TxRequestTime of ['0000-00-00 00:00:00', '1900-01-01', '2027-01-01 00:00:00', 'yesterday']) {
    const [line] = await read(csv([cells({ TxRequestTime })]));
    expect(line).toMatchObject({ requestedOn: undefined });
  }
  const [line] = await read(csv([cells({ TxRequestTime: `${DAY} 09:00:00` })]));
  expect(line).toMatchObject({ requestedOn: DAY });
});

test('a file with only a header has no records, and an empty line is not a record', async () => {
  expect(await read(csv([]))).toEqual([]);
  expect(await read(`${csv([])}\r\n\n`)).toEqual([]);
});

test('a hundred megabytes without a line end take no more memory than a line', { timeout: 120_000 }, async () => {
  const piece = new Uint8Array(1 << 20).fill(0x61);
  async function* endless() {
    yield new TextEncoder().encode(csv([validCells]));
    for (let n = 0; n < 100; n += 1) yield piece;
    yield new TextEncoder().encode(`\n${csv([cells()]).split('\n')[1]}\n`);
  }
  const lines = [];
  const before = process.memoryUsage().heapUsed;
  for await (const line of readSettlement(endless(), { file: 'x.csv', merchantId: MERCHANT })) lines.push(line);
  expect(lines).toMatchObject([{ line: 2 }, { line: 3, why: 'tooLong' }, { line: 4, payment: id(1) }]);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 << 20);
});

test('a card number in a bad cell is not repeated in the message', async () => {
  const [line] = await read(csv([cells({ SettlementDate: '4761739001010010' })]));
  expect(JSON.stringify(line)).not.toContain('4761739001010010');
});

const latin = Buffer.from(csv([validCells, cells({ Descriptor: 'CAFÉ' })]), 'latin1');

test.each([
  ['Latin-1', latin, 'line 3: the byte C9 is not UTF-8; save the file as UTF-8'],
  ['commas', csv([validCells]).replaceAll(';', ','), 'semicolons'],
  ['no header', csv([validCells]).split('\n').slice(1).join('\n'), 'ReconciliationType'],
  [
    'a column missing',
    csv(
      [validCells],
      settlementColumns.filter((name) => name !== 'SettlementAmount'),
    ),
    'SettlementAmount',
  ],
  ['a column twice', csv([validCells], [...settlementColumns, 'Amount']), 'Amount stands there twice'],
  ['nothing', '', 'empty'],
  ['zero bytes', csv([validCells]).replace('EUR', 'E\u0000R'), 'zero byte'],
])('a file of %s is refused as a whole', async (_, file, text) => {
  await expect(read(file)).rejects.toMatchObject({
    code: 'settlement.unreadable',
    message: expect.stringContaining(text),
  });
});

test('corrupted bytes lead only to records, refusals or the fault', async () => {
  const chance = dice(SEED);
  const file = new TextEncoder().encode(csv([validCells, cells(), cells({ UniqueID: id(3) })]));
  for (let round = 0; round < 150; round += 1) {
    const damaged = Uint8Array.from(file);
    for (let n = chance.between(1, 4); n > 0; n -= 1)
      damaged[chance.between(0, file.length - 1)] = chance.between(0, 255);
    try {
      for (const line of await read(damaged, 97))
        if (!isRefused(line)) expect(line.cells.MerchantId, `seed ${SEED}`).toBe(MERCHANT);
    } catch (error) {
      expect(error, `seed ${SEED}, round ${round}`).toMatchObject({ code: 'settlement.unreadable' });
    }
  }
});

/** The number of lines, and how many megabytes more than ten thousand lines they may take: less than their own text. */
const many = byNight({ day: { lines: 40_000, mb: 8 }, night: { lines: 100_000, mb: 12 } });

test(`${many.lines} lines take hardly more memory than ten thousand`, { timeout: 120_000 }, () => {
  expect(peakOf(many.lines) - peakOf(10_000)).toBeLessThan(many.mb);
});
