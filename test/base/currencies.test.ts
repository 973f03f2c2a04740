/** The currency table: some rows that are known for certain, and what must hold for each row. */
import { describe, expect, test } from 'vitest';
import { currencyOfNumeric, currencyRow, isCurrency } from '../../src/base/money.ts';

test.each([
  ['EUR', '978', 2],
  ['USD', '840', 2],
  ['GBP', '826', 2],
  ['CHF', '756', 2],
  ['ALL', '008', 2],
  ['JPY', '392', 0],
  ['KRW', '410', 0],
  ['ISK', '352', 0],
  ['XOF', '952', 0],
  ['KWD', '414', 3],
  ['BHD', '048', 3],
  ['TND', '788', 3],
  ['XCG', '532', 2],
])('%s is %s with %i decimals', (alphabetic, numeric, exponent) => {
  expect(currencyRow(alphabetic)).toEqual({ numeric, exponent });
  expect(currencyOfNumeric(numeric)).toBe(alphabetic);
  expect(currencyOfNumeric(`0${numeric}`)).toBe(alphabetic);
});

test.each(['', 'eur', 'EURO', 'XXX', 'DEM', 'constructor', 'EUR '])('%j is not a currency', (text) => {
  expect(isCurrency(text)).toBe(false);
  expect(currencyRow(text)).toBeUndefined();
});

test.each(['', '78', '1978', '00978', '999', '97F'])('%j is not a currency number', (numeric) => {
  expect(currencyOfNumeric(numeric)).toBeUndefined();
});

describe('every row', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c))).filter(isCurrency);
  const numbers = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

  test('has its own number and 0, 2 or 3 decimals', () => {
    const rows = codes.map((code) => currencyRow(code));
    expect(new Set(rows.map((row) => row?.numeric)).size).toBe(codes.length);
    expect(new Set(rows.map((row) => row?.exponent))).toEqual(new Set([0, 2, 3]));
  });

  test('is found by its number, and other numbers find nothing', () => {
    expect(numbers.flatMap((number) => currencyOfNumeric(number) ?? []).sort()).toEqual(codes);
    expect(codes.length).toBeGreaterThan(150);
  });
});
