/** Amounts in and out, for every number of decimals, and what is refused on both ways. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  exponentOf,
  money,
  numericOf,
  parseAmount,
  printAmount,
  printMoney,
  subtract,
} from '../../src/base/money.ts';

describe('reading an amount of the host API', () => {
  const rows: [string, string, bigint][] = [
    ['12.50', 'EUR', 1250n],
    ['12', 'EUR', 1200n],
    ['0.01', 'EUR', 1n],
    ['0', 'EUR', 0n],
    ['0012.50', 'EUR', 1250n],
    ['9999999999.99', 'EUR', 999_999_999_999n],
    ['1250', 'JPY', 1250n],
    ['1250.00', 'JPY', 1250n],
    ['9999999999', 'JPY', 9_999_999_999n],
    ['1.25', 'KWD', 1250n],
    ['9999999999.99', 'KWD', 9_999_999_999_990n],
  ];
  test.each(rows)('%s %s', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toEqual({ minor, currency });
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '-1',
    '+1',
    '1.',
    '.50',
    '1.5',
    '1.500',
    '1,50',
    '1e3',
    '0x10',
    '12345678901',
    '１２',
    '1.00\n',
    'NaN',
  ])('%j is refused', (text) => {
    expect(() => parseAmount(text, 'EUR')).toThrow(expect.objectContaining({ code: 'amount.malformed' }));
  });

  test('decimals are refused for a currency without them', () => {
    expect(() => parseAmount('12.50', 'JPY')).toThrow('this currency has no minor unit');
  });

  test('a card number typed as an amount or a currency is not repeated', () => {
    for (const wrong of [() => parseAmount('4761739001010010', 'EUR'), () => parseAmount('1', '4761739001010010')]) {
      expect(wrong).toThrow(expect.objectContaining({ message: expect.not.stringContaining('9001010010') }));
    }
  });
});

describe('writing an amount of the host API', () => {
  const rows: [bigint, string, string][] = [
    [1250n, 'EUR', '12.50'],
    [5n, 'EUR', '0.05'],
    [0n, 'EUR', '0.00'],
    [999_999_999_999n, 'EUR', '9999999999.99'],
    [1250n, 'JPY', '1250.00'],
    [9_999_999_999n, 'JPY', '9999999999.00'],
    [1250n, 'KWD', '1.25'],
    [9_999_999_999_990n, 'KWD', '9999999999.99'],
  ];
  test.each(rows)('%s of %s', (minor, currency, text) => {
    expect(printAmount({ minor, currency })).toBe(text);
  });

  test.each([
    [-1n, 'EUR'],
    [1_000_000_000_000n, 'EUR'],
    [10_000_000_000n, 'JPY'],
    [1251n, 'KWD'],
    [-10n, 'KWD'],
    [10_000_000_000_000n, 'KWD'],
  ])('%s of %s is refused', (minor, currency) => {
    expect(() => printAmount({ minor, currency })).toThrow(expect.objectContaining({ code: 'amount.unrepresentable' }));
  });
});

const currencies = fc.constantFrom('EUR', 'USD', 'JPY', 'XOF', 'KWD', 'BHD');
/** The step and the highest value of the amounts that the host API can write. */
const steps = (currency: string) => 10n ** BigInt(Math.max(0, exponentOf(currency) - 2));
const amounts = currencies.chain((currency) => {
  const most = exponentOf(currency) === 0 ? 9_999_999_999n : 999_999_999_999n;
  return fc.bigInt(0n, most).map((count) => money(count * steps(currency), currency));
});

test('a written amount reads back the same, to the last unit', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(parseAmount(printAmount(amount), amount.currency)).toEqual(amount);
    }),
  );
});

test('a read amount is written as the same number with two decimals', () => {
  const decimals = fc.option(fc.integer({ min: 0, max: 99 }), { nil: undefined });
  fc.assert(
    fc.property(fc.bigInt(0n, 9_999_999_999n), decimals, (whole, cents) => {
      const tail = String(cents ?? 0).padStart(2, '0');
      const text = cents === undefined ? `${whole}` : `${whole}.${tail}`;
      for (const currency of ['EUR', 'KWD']) expect(printAmount(parseAmount(text, currency))).toBe(`${whole}.${tail}`);
    }),
  );
});

test('any text is either read or refused by name', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789.,-+e ') }));
  fc.assert(
    fc.property(text, fc.oneof(currencies, fc.string()), (amount, currency) => {
      try {
        expect(parseAmount(amount, currency).minor).toBeGreaterThanOrEqual(0n);
      } catch (error) {
        expect(error).toMatchObject({ name: 'Fault', remedy: 'refuse' });
      }
    }),
  );
});

test.each([
  [1250n, 'EUR', '12.50 EUR'],
  [-5n, 'EUR', '-0.05 EUR'],
  [1250n, 'JPY', '1250 JPY'],
  [-1n, 'JPY', '-1 JPY'],
  [1n, 'KWD', '0.001 KWD'],
  [10n ** 30n, 'EUR', `1${'0'.repeat(28)}.00 EUR`],
])('%s of %s for people: %s', (minor, currency, text) => {
  expect(printMoney({ minor, currency })).toBe(text);
});

describe('arithmetic', () => {
  test('adding and subtracting changes nothing, and the order follows the difference', () => {
    fc.assert(
      fc.property(currencies, fc.bigInt(), fc.bigInt(), (currency, a, b) => {
        const [left, right] = [money(a, currency), money(b, currency)];
        expect(subtract(add(left, right), right)).toEqual(left);
        expect(Math.sign(compare(left, right))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  test.each([add, subtract, compare])('two currencies are never combined: %o', (calculate) => {
    expect(() => calculate(money(1n, 'EUR'), money(1n, 'USD'))).toThrow(
      expect.objectContaining({ code: 'currency.differs', facts: { left: 'EUR', right: 'USD' } }),
    );
  });

  test('money in an unknown currency cannot be created or queried', () => {
    for (const read of [() => money(1n, 'EURO'), () => exponentOf('eur'), () => numericOf('')]) {
      expect(read).toThrow(expect.objectContaining({ code: 'currency.unknown' }));
    }
  });
});
