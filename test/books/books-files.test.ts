/** Settlement files on a real disk: unusable ones are named, and the matched copy can be read again. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFile } from '../../src/base/files.ts';
import type { Mode } from '../../src/base/mode.ts';
import { daysOf, reconcileFile } from '../../src/books/reconcile.ts';
import { settlementColumns } from '../../src/gateway/spec/settlement-columns.ts';
import { readSettlement } from '../../src/reconciliation/settlement-reader.ts';
import { isFormula } from '../../src/reconciliation/settlement-record.ts';
import { cells, csv, expected, id, MERCHANT } from '../reconciliation/settlement-lines.ts';
import { dice, SEED } from '../support/chance/dice.ts';
import { isWindows } from '../support/platform/platform.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const noSales = { expected: [], others: [] };
const reconciled = async (file: string, { out, mode = 'live' }: { out?: string; mode?: Mode } = {}) => {
  const copy = out === undefined ? undefined : await createFile(out);
  const matched = copy?.write;
  try {
    const all = { ...noSales, expected: [expected(1)] };
    const result = await reconcileFile({ file, merchantId: MERCHANT, mode, matched }, all);
    await copy?.close();
    return result;
  } catch (error) {
    await copy?.discard();
    throw error;
  }
};
const writeSettlement = (text: string | Uint8Array, name = 's.csv'): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

test('a folder, a missing file, an empty file and an unreadable file are named', async () => {
  mkdirSync(join(folder, 'sub'));
  const secret = writeSettlement(csv([cells()]), 'secret.csv');
  chmodSync(secret, 0);
  const rows: [string, RegExp][] = [
    [join(folder, 'sub'), /it is a folder/],
    [join(folder, 'nowhere.csv'), /no such file/],
    ...(isWindows ? [] : [['/dev/zero', /it is no file/] as [string, RegExp]]),
    [writeSettlement(''), /it is empty/],
    // Root can read every file.
    ...(isWindows || process.getuid?.() === 0 ? [] : [[secret, /permission denied/] as [string, RegExp]]),
  ];
  for (const [file, message] of rows) {
    const refused = { code: 'settlement.unreadable', message: expect.stringMatching(message) };
    await expect(reconciled(file)).rejects.toMatchObject(refused);
    await expect(daysOf({ file, merchantId: MERCHANT })).rejects.toMatchObject(refused);
  }
});

test('a file that grows while it is read is refused, and its incomplete copy is deleted', async () => {
  const many = Array.from({ length: 5_000 }, (_, n) =>
    cells({ UniqueID: id(n), TransactionId: '', SettlementTxId: String(n) }),
  );
  const file = writeSettlement(csv(many));
  const out = join(folder, 'out.csv');
  const growing = setInterval(() => appendFileSync(file, 'x'), 1);
  try {
    await expect(reconciled(file, { out })).rejects.toMatchObject({ message: expect.stringMatching(/changed while/) });
  } finally {
    clearInterval(growing);
  }
  expect(existsSync(out)).toBe(false);
  writeFileSync(file, csv(many));
  expect(await reconciled(file, { out })).toMatchObject({ records: 5_000 });
});

test('an existing file is not overwritten', async () => {
  const out = writeSettlement('mine', 'out.csv');
  const file = writeSettlement(csv([cells()]));
  await expect(reconciled(file, { out })).rejects.toMatchObject({
    message: expect.stringContaining('is there already'),
  });
  expect(readFileSync(out, 'utf8')).toBe('mine');
});

test('a file with only refused lines has no days', async () => {
  const file = writeSettlement(csv([cells({ MerchantId: 'f'.repeat(32) }), cells({ SettlementDate: '1900-01-01' })]));
  expect(await daysOf({ file, merchantId: MERCHANT })).toBeUndefined();
  expect(await reconciled(file)).toMatchObject({ records: 0, refusedCount: 2, agreeing: 0 });
});

const words = [
  'CAFÉ',
  '東京',
  '"quoted"',
  'a;b',
  "O'Hara",
  '',
  ' lead',
  'trail ',
  '1-2',
  'a=b',
  '€',
  '\u200B',
  'x"',
  '100%',
] as const;
const quoteCell = (text: string): string => (/[;"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

test('each record is copied unchanged, with its match, and opens as the same table', async () => {
  const chance = dice(SEED);
  const of = (n: number) => ({
    ...cells({ UniqueID: id(n), TransactionId: '', SettlementTxId: String(n) }),
    Descriptor: quoteCell(`${chance.one(words)}${chance.one(words)}`.trim()),
    AccountHolder: quoteCell(`${chance.one(words)} ${chance.one(words)}`.trim()),
  });
  const file = writeSettlement(csv([...Array.from({ length: 60 }, (_, n) => of(n)), cells({ Descriptor: '=1+1' })]));
  const out = join(folder, 'out.csv');
  const result = await reconciled(file, { out });
  const text = readFileSync(out, 'utf8');
  const [header, ...rows] = parse(text, { delimiter: ';' });
  const [, ...input] = parse(readFileSync(file, 'utf8'), { delimiter: ';' });
  expect(header).toEqual([...settlementColumns]);
  expect(result.records, `seed ${SEED}`).toBe(rows.length);
  const stored = input.filter((row) => !row.some((cell) => isFormula(cell)));
  const status = settlementColumns.indexOf('MatchingStatus');
  const withoutQuotes = (row: readonly string[]) =>
    row.filter((_, index) => index !== status && index !== status + 1).map((cell) => cell.trim());
  expect(rows.map(withoutQuotes), `seed ${SEED}`).toEqual(stored.map(withoutQuotes));
  expect(rows.filter((row) => row[status] === 'MATCHED').map((row) => row[status + 1])).toEqual([id(1)]);
  for (const row of rows) for (const cell of row) expect(isFormula(cell), `seed ${SEED}: ${cell}`).toBe(false);
  // The copy can be read as a settlement file with the same records.
  const rereadRows = [];
  const bytes = async function* () {
    yield new TextEncoder().encode(text);
  };
  for await (const line of readSettlement(bytes(), { file: 'out', merchantId: MERCHANT })) rereadRows.push(line);
  expect(rereadRows.filter((line) => 'why' in line)).toEqual([]);
});

test('a test till’s copy says TEST in each record and is still a valid settlement file', async () => {
  const formats = ['', 'ACME 7', 'TEST TILLGATE-2.36', 'X'.repeat(32)];
  const file = writeSettlement(
    csv(
      formats.map((SettlementFileFormat, n) =>
        cells({ UniqueID: id(n), SettlementTxId: String(n), SettlementFileFormat }),
      ),
    ),
  );
  const formatsIn = (out: string): (string | undefined)[] => {
    const [header = [], ...rows] = parse(readFileSync(out, 'utf8'), { delimiter: ';' }) as string[][];
    expect(header).toEqual([...settlementColumns]);
    return rows.map((row) => row[settlementColumns.indexOf('SettlementFileFormat')]);
  };
  const [test, live] = [join(folder, 'test.csv'), join(folder, 'live.csv')];
  await reconciled(file, { out: test, mode: 'test' });
  await reconciled(file, { out: live, mode: 'live' });
  expect(formatsIn(test)).toEqual(['TEST', 'TEST ACME 7', 'TEST TILLGATE-2.36', `TEST ${'X'.repeat(27)}`]);
  expect(formatsIn(live)).toEqual(formats);
  expect(await reconciled(test)).toMatchObject({ records: formats.length, refusedCount: 0 });
});
