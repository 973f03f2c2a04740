import { expect, test } from 'vitest';
import { decimalMark, withMark } from '../../src/base/money.ts';

test.each([
  ['en', '.'],
  ['de', ','],
  ['de-AT', ','],
  ['de-CH', '.'],
  ['fr', ','],
  ['es', ','],
  ['ar', '.'],
  ['no', ','],
  ['ja', '.'],
  ['de-Latn-DE', ','],
  ['DE', ','],
  ['', '.'],
  ['x', '.'],
  ['1234', '.'],
])('in %j it is %s', (tag, mark) => {
  expect(decimalMark(tag)).toBe(mark);
});

test.each([
  ['12.50 EUR', '12,50 EUR'],
  ['-0.05', '-0,05'],
  ['1.250 KWD', '1,250 KWD'],
  ['1250 JPY', '1250 JPY'],
  ['2026-05-01', '2026-05-01'],
  ['12.5', '12.5'],
  ['1.0.50', '1.0.50'],
  ['10.50 of 12.50', '10.50 of 12.50'],
  ['', ''],
])('%j: %j', (text, expected) => {
  expect(withMark(text, ',')).toBe(expected);
  expect(withMark(text, '.')).toBe(text);
});
