/** What a manager downloads: tables in which a spreadsheet executes nothing, and printable reports. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, test } from 'vitest';
import type { DisplayMode } from '../../src/base/mode.ts';
import { csvOf, withModeColumn } from '../../src/books/reports/downloads.ts';
import { reportPdf, wrap } from '../../src/books/reports/report-pdf.ts';
import { englishReports } from '../../src/locales/reports.ts';
import { paperFonts } from '../../src/receipt/fonts.ts';
import { wallTimes } from '../../src/reconciliation/business-day.ts';
import { cells, csv } from '../reconciliation/settlement-lines.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { booksRig, type Life, MERCHANT, max, type Rig } from './manager-rig.ts';

let rig: Rig;
afterEach(() => rig?.remove());

describe('formulas are made harmless, and numbers stay numbers', () => {
  const rows: [string, string][] = [
    ['=1+1', "'=1+1"],
    ['+49 170 1234', "'+49 170 1234"],
    ['-cmd|calc', "'-cmd|calc"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1+1', "'\t=1+1"],
    ['\r=1+1', "'\r'=1+1"],
    ['\n=1+1', "'\n'=1+1"],
    ['x;=1+1', "x;'=1+1"],
    ['  =1+1', "'  =1+1"],
    ['＝1+1', "'＝1+1"],
    ['\u200B＠SUM(A1)', "'\u200B＠SUM(A1)"],
    ['"=1+1', `'"=1+1`],
    ['-1+cmd|calc!A0', "'-1+cmd|calc!A0"],
    ['-12.50e5', "'-12.50e5"],
    ['--1', "'--1"],
    ['-12.50', '-12.50'],
    ['-0', '-0'],
    ['12.50', '12.50'],
    ['Anna = Ben', 'Anna = Ben'],
    ['', ''],
  ];
  test.each(rows)('%j becomes %j', async (text, so) => {
    const bytes = await readAll(csvOf({ columns: ['text', 'last'], rows: [[text, 'x']] }, virtualClock()));
    expect(rowsOf(bytes)).toEqual([{ text: so, last: 'x' }]);
  });
});

/** Reads a file to its last byte. */
const readAll = async (bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> =>
  bytes instanceof Uint8Array ? bytes : Buffer.concat(await Array.fromAsync(bytes));

const rowsOf = (bytes: Uint8Array): Record<string, string>[] => {
  const text = Buffer.from(bytes).toString('utf8');
  expect(text.startsWith('\uFEFF')).toBe(true);
  return parse(text, { columns: true, bom: true });
};

test('the lines of a chunk are made in one turn', () => {
  let read = 0;
  const rows = function* () {
    for (; read < 600; read += 1) yield [read];
  };
  void csvOf(withModeColumn({ columns: ['n'], rows: rows() }, 'test'), virtualClock()).next();
  expect(read).toBe(247);
});

test('times within one second are shown alike, and the next second is shown differently', () => {
  const wall = wallTimes('Europe/Vienna');
  const at = Date.UTC(2026, 9, 24, 21, 59, 59);
  expect([at, at + 999, at + 1_000, at + 999].map(wall).map((text) => text.slice(8))).toEqual([
    ...['24 23:59:59', '24 23:59:59', '25 00:00:00', '24 23:59:59'],
  ]);
});

test('quotes, line ends, commas and letters of all scripts survive', async () => {
  const all = ['a "b"', 'one, two', 'line\nline', 'Zürich', 'مرحبا', '日本', '😀'];
  const bytes = await readAll(csvOf({ columns: all.map((_, index) => `c${index}`), rows: [all] }, virtualClock()));
  expect(Object.values(rowsOf(bytes)[0] ?? {})).toEqual(all);
  expect(wallTimes('Europe/Vienna')(Date.UTC(2026, 9, 25, 0, 30))).toBe('2026-10-25 02:30:00');
});

const taken = async (till: Life, what: Parameters<Life['service']['download']>[0], languages?: string[]) => {
  const { bytes, ...file } = await rig.done(till.service.download(what, max, languages));
  return { ...file, bytes: await rig.done(readAll(bytes)) };
};

const openUsedTill = async (): Promise<{ till: Life; id: string }> => {
  rig = booksRig();
  const till = await rig.open();
  const evil = '=HYPERLINK("http://evil")';
  const key = { madeBy: '@Tom', approvedBy: 'Max' };
  const ended = await rig.done(
    till.running.till.sell({ amount: { minor: 1_250n, currency: 'EUR' }, cashier: evil, program: key }, () => {}).done,
  );
  await till.follow(ended.intent.receipt, 'refund', 250n);
  const other = await till.sell(2_000n);
  const lineOf = ({ intent, answer }: typeof ended, amount: string, settled: string) =>
    cells({
      ...{
        MerchantId: MERCHANT,
        UniqueID: answer?.payment ?? '',
        TransactionId: intent.sale,
        SettlementDate: '2026-01-02',
      },
      ...{ SettlementTxId: String(intent.receipt), Amount: amount, SettlementAmount: settled },
    });
  const text = `${csv([lineOf(ended, '12.50', '12.33'), lineOf(other, '20.00', '19.00')])}SETTLED;x\n`;
  const { id, findings } = await rig.done(
    till.service.reconcile({ name: 'märz, 1.csv', bytes: Buffer.from(text) }, max),
  );
  const difference = findings.find(({ receipt }) => receipt === other.intent.receipt);
  till.service.resolveDifference(id, difference?.n ?? 0, { choice: 'short', note: '@asked' }, max);
  return { till, id };
};

test('sales, a batch, the audit list and a reconciliation can be downloaded as tables', async () => {
  const { till, id } = await openUsedTill();
  const sales = rowsOf((await taken(till, { of: 'sales', as: 'csv' })).bytes);
  expect(sales.map(({ receipt, operation, amount, ending }) => [receipt, operation, amount, ending])).toEqual([
    ['1', 'sale', '12.50', 'approved'],
    ['2', 'refund', '2.50', 'approved'],
    ['3', 'sale', '20.00', 'approved'],
  ]);
  expect(sales[0]).toMatchObject({
    ...{ last4: '0010', brand: 'VISA', cashier: '\'=HYPERLINK("http://evil")', time: '2026-01-02 13:00:00' },
    ...{ counter: 'T1', terminalId: '10000001', followsReceipt: '', keyMadeBy: "'@Tom", keyApprovedBy: 'Max' },
  });
  expect(sales[1]).toMatchObject({ followsReceipt: '1', last4: '0010', keyMadeBy: '', keyApprovedBy: '' });
  const batch = rowsOf((await taken(till, { of: 'batch', batch: 1, as: 'csv' })).bytes);
  expect(batch.map(({ moved, keyApprovedBy }) => [moved, keyApprovedBy])).toEqual([
    ['12.50', 'Max'],
    ['-2.50', ''],
    ['20.00', ''],
  ]);
  const file = await taken(till, { of: 'reconciliation', id, as: 'csv' });
  expect(file.name).toBe('test-reconciliation-2026-01-02.csv');
  const differences = rowsOf(file.bytes);
  expect(differences.find(({ receipt }) => receipt === '3')).toMatchObject({
    ...{ till: '20.00', settled: '20.00', settledAs: 'short', note: "'@asked", by: 'Max' },
  });
  expect(differences.at(-1)).toMatchObject({ lines: '4', reasons: expect.stringContaining('not read') });
  const audit = rowsOf((await taken(till, { of: 'audit', as: 'csv' })).bytes);
  expect(audit.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['downloaded', 'reconciled']));
  expect(audit[0]).toMatchObject({ by: 'Max', words: 'downloaded test-reconciliation-2026-01-02.csv' });
  for (const table of [sales, batch, differences, audit]) {
    expect(Object.keys(table[0] ?? {}).at(-1)).toBe('mode');
    expect(new Set(table.map(({ mode }) => mode))).toEqual(new Set(['test']));
  }
  const now = rig.clock.now();
  expect(rowsOf((await taken(till, { of: 'sales', as: 'csv', from: now + 1 })).bytes)).toEqual([]);
  await expect(taken(till, { of: 'batch', batch: 9, as: 'csv' })).rejects.toMatchObject({ code: 'books.notFound' });
  await expect(taken(till, { of: 'reconciliation', id: 'x', as: 'pdf' })).rejects.toMatchObject({
    code: 'settlement.notFound',
  });
  await till.close();
});

/** Keeps a file for inspection by eye. */
const keep = (name: string, bytes: Uint8Array): void => {
  if (!existsSync('dist/screenshots')) mkdirSync('dist/screenshots', { recursive: true });
  writeFileSync(join('dist/screenshots', name), bytes);
};
const pagesOf = (bytes: Uint8Array): number =>
  Buffer.from(bytes)
    .toString('latin1')
    .match(/\/Type \/Page\b/g)?.length ?? 0;

test('a Z report, an open batch and a reconciliation can be printed on A4', async () => {
  const { till, id } = await openUsedTill();
  const open = await taken(till, { of: 'batch', batch: 1, as: 'pdf' });
  expect(open).toMatchObject({ name: 'test-batch-10000001-1.pdf', type: 'application/pdf' });
  const stranger = { paymentType: 'DB', amount: '9.00', currency: 'EUR', merchantTransactionId: 'c0ffee00' };
  await rig.done(rig.host.pay({ ...stranger, 'pos.terminalId': '10000001' }, 'another till'));
  await rig.done(till.service.close({}, max));
  expect(till.running.books.batch(1).z?.unknownHere).toHaveLength(1);
  const z = await taken(till, { of: 'batch', batch: 1, as: 'pdf' });
  const file = await taken(till, { of: 'reconciliation', id, as: 'pdf' });
  for (const { bytes } of [open, z, file]) {
    expect(Buffer.from(bytes.slice(0, 5)).toString()).toBe('%PDF-');
    expect(pagesOf(bytes)).toBe(1);
  }
  keep('z-report.pdf', z.bytes);
  keep('reconciliation.pdf', file.bytes);
  for (const tag of ['de', 'fr', 'es']) {
    const reported = await taken(till, { of: 'batch', batch: 1, as: 'pdf' }, [tag]);
    const compared = await taken(till, { of: 'reconciliation', id, as: 'pdf' }, [tag]);
    for (const { bytes } of [reported, compared])
      expect(Buffer.from(bytes).toString('latin1')).toContain(`/Lang (${tag})`);
    keep(`z-report-${tag}.pdf`, reported.bytes);
    keep(`reconciliation-${tag}.pdf`, compared.bytes);
  }
  await till.close();
});

/** How often each page draws a text in the font size that only the mark has. */
const marksOn = (bytes: Uint8Array): number[] =>
  [
    ...Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g),
  ]
    .flatMap(([, stream = '']) => inflate(Buffer.from(stream, 'latin1')) ?? [])
    .filter((text) => / Tf\b/.test(text))
    .map((text) => text.match(/ 15 Tf\b/g)?.length ?? 0);
const inflate = (bytes: Buffer): string | undefined => {
  try {
    return inflateSync(bytes).toString('latin1');
  } catch {
    return undefined;
  }
};

test('each A4 page of a test report is marked at the top and bottom, as is its title; a live one is not', async () => {
  const rows = Array.from({ length: 100 }, (_, n) => [String(n)]);
  const of = (mode: DisplayMode) =>
    reportPdf({
      ...{ mode, title: 'A report', store: 'NORDWIND', about: 'For the test', foot: 'Hash 00', at: 0 },
      blocks: [{ kind: 'table', columns: [{ title: 'No.', width: 1 }], rows }],
      ...{ fonts: paperFonts(), language: englishReports },
    });
  const titles = {
    test: '(TEST - NO MONEY MOVED: A report)',
    training: '(TRAINING - NO MONEY MOVED: A report)',
    live: '(A report)',
  };
  for (const mode of ['test', 'training', 'live'] as const) {
    const bytes = await of(mode);
    expect(marksOn(bytes)).toEqual(Array.from({ length: pagesOf(bytes) }, () => (mode === 'live' ? 0 : 2)));
    expect(Buffer.from(bytes).toString('latin1')).toContain(titles[mode]);
    if (mode === 'test') keep('test-report.pdf', bytes);
  }
});

test('downloads of a training till and of a live till name their mode', async () => {
  rig = booksRig();
  const till = await rig.open();
  await till.sell(1_000n);
  for (const [mode, name] of [
    ['training', 'training-sales.csv'],
    ['live', 'sales.csv'],
  ] as const) {
    const service = till.newService(mode);
    const file = await rig.done(service.download({ of: 'sales', as: 'csv' }, max));
    expect([file.name, rowsOf(await rig.done(readAll(file.bytes))).map((row) => row['mode'])]).toEqual([name, [mode]]);
    const x = await service.xReport(max);
    expect(x.paper.filter((line) => line.includes('NO MONEY MOVED'))).toHaveLength(mode === 'live' ? 0 : 2);
  }
  const { paper = [] } = await rig.done(till.newService('training').close({}, max));
  expect([paper.at(0), paper.at(-1)]).toEqual(
    Array.from({ length: 2 }, () => '******* TRAINING - NO MONEY MOVED ********'),
  );
  await till.close();
});

test('a long table continues over pages with header and page number; letters of other scripts are drawn', async () => {
  const rows = Array.from({ length: 150 }, (_, n) => [
    String(n + 1),
    'Bäckerei Łódź Ελλάδα Привет, and words that are wider than their column',
    `-${n}.50`,
  ]);
  const bytes = await reportPdf({
    ...{ title: 'A long report', store: 'NORDWIND BÄCKEREI', about: 'For the test', foot: 'Hash 00', at: 0 },
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: 'No.', width: 1 },
          { title: 'Words', width: 5 },
          { title: 'EUR', width: 2, align: 'right' },
        ],
        rows,
      },
    ],
    mode: 'live',
    fonts: paperFonts(),
    language: englishReports,
  });
  expect(pagesOf(bytes)).toBeGreaterThan(4);
  keep('long-report.pdf', bytes);
  expect(wrap('aa bb cccccc', 4, (text) => text.length)).toEqual(['aa', 'bb', 'cccc', 'cc']);
});
