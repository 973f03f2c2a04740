import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvForm, csvLine, guard, removeGuard } from '../../src/base/csv.ts';

const comma: CsvForm = { delimiter: ',', numbers: 'signed' };
const semicolon: CsvForm = { delimiter: ';', numbers: 'unsigned' };
const cellsIn = (line: string, delimiter: string): string[] | undefined =>
  (parse(line, { delimiter, relax_column_count: true }) as string[][])[0];

describe('a cell that a spreadsheet would read as a formula starts with an apostrophe', () => {
  test.each([
    ...['=1+1', '+49 170 1234', '-cmd|calc', '@SUM(A1)', '\t=1+1', '\tx', '\rx', '\nx'],
    ...['  =1+1', '\u00A0=1+1', '\u3000=1+1', '\u2028=1+1', '\u0000=1+1', '\u001F=1+1'],
    ...['＝1+1', '＋1', '－1', '＠SUM(A1)', '﹦1+1', '﹢1', '﹣1', '﹫SUM(A1)', '−1'],
    ...['\uFEFF=1+1', '\u200B=1+1', '\u200E＝1+1', '\u2060 \u200D@x', '\u00AD-1'],
    ...['"=1+1', '"" =1+1', "'=1+1", '" ＝1+1"', '-1+cmd|calc!A0', '-12.50e5', '--1', '-1,5', '-', '-a, -1', '=a;b'],
  ])('%j', (text) => {
    expect(guard(text)).toBe(`'${text}`);
    expect(removeGuard(guard(text))).toBe(text);
    for (const form of [comma, semicolon])
      expect(cellsIn(csvLine(['a', text, 'b'], form), form.delimiter)).toEqual(['a', `'${text}`, 'b']);
  });

  test.each(['', '12.50', 'Anna = Ben', '1-2', "O'Hara", "'quoted'", ' lead', 'x@y', '日本＝', '\u200B', '€', '"'])(
    'and not %j',
    (text) => {
      expect(guard(text)).toBe(text);
      expect(removeGuard(text)).toBe(text);
    },
  );
});

test('a number stays a number only where numbers are signed', () => {
  const numbers = ['-12.50', '-0', '12.50', '-123456789012345678901234567890.123456'];
  expect(csvLine(numbers, comma)).toBe(numbers.join(','));
  expect(csvLine(['-12.50', '12.50'], semicolon)).toBe("'-12.50;12.50");
  expect(csvLine(['+1', '-1.2.3', '-1 ', '-.5', '- 1'], comma)).toBe("'+1,'-1.2.3,'-1 ,'-.5,'- 1");
  expect(csvLine([-5, 0, undefined], semicolon)).toBe('-5;0;');
});

test.each([
  ["x;=1+cmd|' /C calc'!A0;y", "x;'=1+cmd|' /C calc'!A0;y"],
  ['x, ＝1+1', "x,' ＝1+1"],
  ['x\n=1+1', "x\n'=1+1"],
  ['\n=1+1', "'\n'=1+1"],
  ['\r=1+1', "'\r'=1+1"],
  ["x;'=1", "x;''=1"],
  ['=1;"@x', `'=1;'"@x`],
  ['one, -2.50, -3', 'one, -2.50, -3'],
  ["one,'-2", "one,''-2"],
  ['one; two, three\nfour', 'one; two, three\nfour'],
])('%j holds no formula when another country’s settings split the cells: %j', (text, safe) => {
  expect(guard(text)).toBe(safe);
  expect(removeGuard(safe)).toBe(text);
});

test('text with either delimiter is quoted, since a spreadsheet may split cells at the other one', () => {
  expect(csvLine(['a;b', 'c,d', 'e\tf', 'g "h"'], comma)).toBe('"a;b","c,d","e\tf","g ""h"""');
});

test('any cells read back unchanged, and none is a formula', () => {
  const sign = fc.constantFrom(...'=+-@＝＋－＠﹦﹢﹣﹫−');
  const lead = fc.string({
    unit: fc.constantFrom(' ', '"', "'", '\t', '\uFEFF', '\u200B', '\n', ';', ',', 'a'),
    maxLength: 4,
  });
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.tuple(lead, sign, lead, sign).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), fc.constantFrom(comma, semicolon), (cells, form) => {
      const read = cellsIn(csvLine(cells, form), form.delimiter) ?? [];
      // A signed number is not a formula.
      const isNumber = (cell: string) => form.numbers === 'signed' && /^-?\d+(\.\d+)?$/.test(cell);
      expect(read.map((cell) => (isNumber(cell) ? cell : removeGuard(cell)))).toEqual(cells);
      const parts = read.filter((cell) => !isNumber(cell)).flatMap((cell) => cell.split(/[;,\r\n]/));
      for (const part of parts)
        if (!/^\s*-?\d+(\.\d+)?\s*$/.test(part)) expect(part).not.toMatch(/^["\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u);
    }),
    { numRuns: 300 },
  );
});
