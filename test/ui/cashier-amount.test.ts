/** Amounts that are typed, pasted and scanned: understood, or refused by name, and never a wrong one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AmountEntry,
  afterKey,
  emptyEntry,
  entryText,
  equalParts,
  minorOf,
  percentOf,
  readAmount,
  sellableAmount,
  wireText,
} from '../../src/ui/cashier/amount.ts';
import { addKey, isReachedByTab, keyAction, noKeys, parseReceiptName, scannedCode } from '../../src/ui/cashier/keys.ts';

const exponents: Readonly<Record<string, number>> = { EUR: 2, CHF: 2, JPY: 0, KWD: 3 };

test.each([
  // [text, currency, minor units or the refusal]
  ['12.50', 'EUR', 1250n],
  ['12,50', 'EUR', 1250n],
  ['1.234,56', 'EUR', 123456n],
  ['1,234.56', 'EUR', 123456n],
  ['1 234,56', 'EUR', 123456n],
  ['1\u202f234,56', 'EUR', 123456n],
  ["1'234.50", 'CHF', 123450n],
  ['1’234.50', 'CHF', 123450n],
  ['1.234.567', 'EUR', 123456700n],
  ['１２,５０', 'EUR', 1250n],
  ['１２，５０', 'EUR', 1250n],
  ['１２．５', 'EUR', 1250n],
  ['１２', 'EUR', 1200n],
  ['١٢٫٥٠', 'EUR', 1250n],
  ['۱۲٫۵۰', 'EUR', 1250n],
  ['\u200e12.50\u200f', 'EUR', 1250n],
  ['  12.5 ', 'EUR', 1250n],
  ['12.', 'EUR', 1200n],
  ['.5', 'EUR', 50n],
  ['0.01', 'EUR', 1n],
  ['007', 'EUR', 700n],
  ['€12.50', 'EUR', 1250n],
  ['１２.5０ ＥＵＲ', 'EUR', 1250n],
  ['12,50 €', 'EUR', 1250n],
  ['EUR 12.50', 'EUR', 1250n],
  ['12.50 eur', 'EUR', 1250n],
  ['1250', 'JPY', 1250n],
  ['1,250', 'JPY', 1250n],
  ['1.250', 'JPY', 1250n],
  ['¥1,250', 'JPY', 1250n],
  ['1250.00', 'JPY', 1250n],
  ['1.5', 'KWD', 1500n],
  ['0.234', 'KWD', 234n],
  ['1,234.567', 'KWD', 1234567n],
  ['12 345.678', 'KWD', 12345678n],
  ['1.234', 'EUR', 'ambiguous'],
  ['1,234', 'EUR', 'ambiguous'],
  ['1.234', 'KWD', 'ambiguous'],
  ['123,456', 'KWD', 'ambiguous'],
  ['0.234', 'EUR', 'tooManyDecimals'],
  ['12.345', 'JPY', 12345n],
  ['1234.567', 'EUR', 'tooManyDecimals'],
  ['12.5678', 'KWD', 'tooManyDecimals'],
  ['12.5', 'JPY', 'tooManyDecimals'],
  ['12.50', 'JPY', 'tooManyDecimals'],
  ['12,34,567', 'EUR', 'notAnAmount'],
  ['1.23.456', 'EUR', 'notAnAmount'],
  ['1,2.3,4', 'EUR', 'notAnAmount'],
  ['12 50', 'EUR', 'notAnAmount'],
  ['1e3', 'EUR', 'notAnAmount'],
  ['0x10', 'EUR', 'notAnAmount'],
  ['12.50.', 'EUR', 'notAnAmount'],
  ['..', 'EUR', 'notAnAmount'],
  ['12.50 + 3', 'EUR', 'notAnAmount'],
  ['<script>1</script>', 'EUR', 'notAnAmount'],
  ['\u202e05.21', 'EUR', 'notAnAmount'],
  ['१२', 'EUR', 'notAnAmount'],
  ['½', 'EUR', 'notAnAmount'],
  ['12²', 'EUR', 'notAnAmount'],
  ['-12.50', 'EUR', 'negative'],
  ['−12.50', 'EUR', 'negative'],
  ['12.50-', 'EUR', 'negative'],
  ['(12.50)', 'EUR', 'negative'],
  ['0', 'EUR', 'zero'],
  ['0.00', 'EUR', 'zero'],
  ['9999999999.99', 'EUR', 999999999999n],
  ['10000000000', 'EUR', 'tooMuch'],
  ['12.50 USD', 'EUR', 'otherCurrency'],
  ['£12.50', 'EUR', 'otherCurrency'],
  ['', 'EUR', 'empty'],
  ['   ', 'EUR', 'empty'],
  ['1'.repeat(65), 'EUR', 'notAnAmount'],
] as const)('%j in %s is %s', (text, currency, expected) => {
  const read = readAmount(text, { currency, exponent: exponents[currency] ?? 2 });
  expect('minor' in read ? read.minor : read.refused).toBe(expected);
});

const minors = fc.bigInt({ min: 1n, max: 10n ** 12n - 1n });
const styles = [
  { group: ',', sign: '.' },
  { group: '.', sign: ',' },
  { group: ' ', sign: ',' },
  { group: "'", sign: '.' },
];

test('an amount with all its decimals is read correctly in every style', () => {
  fc.assert(
    fc.property(minors, fc.constantFrom(...styles), fc.constantFrom(2, 3), (minor, { group, sign }, exponent) => {
      const [units = '', decimals = ''] = wireText(minor, exponent).split('.');
      const text = units.replace(/\B(?=(\d{3})+$)/g, group) + sign + decimals;
      const read = readAmount(text, { currency: exponent === 2 ? 'EUR' : 'KWD', exponent });
      // Three decimals after a short whole number look like a thousand: refused, never misread.
      if ('refused' in read) expect([read.refused, exponent, units.length <= 3]).toEqual(['ambiguous', 3, true]);
      else expect(read.minor).toBe(minor);
    }),
  );
});

test('no text makes it throw, and an accepted amount has the digits of the text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\d., '€-]{1,16}$/)), (text) => {
      const read = readAmount(text, { currency: 'EUR', exponent: 2 });
      if ('refused' in read) return;
      const digits = text.normalize('NFKC').replace(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '');
      if (/^[\d., '€-]*$/.test(text)) expect(read.minor.toString().replace(/0+$/, '')).toBe(digits);
    }),
  );
});

const type = (keys: string, exponent: number): AmountEntry =>
  [...keys].reduce(
    (entry, key) =>
      afterKey(
        entry,
        key === '<' ? { key: 'back' } : /[.,]/.test(key) ? { key: 'sign' } : { key: 'digit', digit: key },
        { currency: 'XXX', exponent },
      ),
    emptyEntry,
  );

test.each([
  ['', 2, '0.00', undefined],
  ['1', 2, '0.01', undefined],
  ['1250', 2, '12.50', undefined],
  ['001250', 2, '12.50', undefined],
  ['12.5', 2, '12.50', undefined],
  ['12,', 2, '12.00', undefined],
  [',5', 2, '0.50', undefined],
  ['12.505', 2, '12.50', 'tooManyDecimals'],
  ['12..', 2, '12.00', 'notAnAmount'],
  ['12.5<<', 2, '0.12', undefined],
  ['1250<', 2, '1.25', undefined],
  ['1250', 0, '1250', undefined],
  ['12.', 0, '12', 'tooManyDecimals'],
  ['1250', 3, '1.250', undefined],
  ['1.25', 3, '1.250', undefined],
  ['9999999999999', 2, '9999999999.99', 'tooMuch'],
])('keys %j with %i decimals show %s', (input, exponent, text, refused) => {
  const entry = type(input, exponent);
  expect(entryText(entry, exponent)).toBe(text);
  expect(entry.refused).toBe(refused);
});

test('a refused paste leaves what was typed', () => {
  const entry = afterKey(type('1250', 2), { key: 'text', text: '1.234' }, { currency: 'EUR', exponent: 2 });
  expect(entry).toEqual({ digits: '1250', refused: 'ambiguous' });
});

test('an empty amount and zero are not sold', () => {
  expect(sellableAmount(emptyEntry, 2)).toEqual({ refused: 'empty' });
  expect(sellableAmount(type('0.', 2), 2)).toEqual({ refused: 'zero' });
  expect(sellableAmount(type('1', 2), 2)).toEqual({ minor: 1n });
});

const noModifiers = { repeat: false, ctrlKey: false, altKey: false, metaKey: false };
test.each([
  ['Enter', 'page', { command: 'sell' }],
  ['Enter', 'button', undefined],
  ['Escape', 'field', { command: 'escape' }],
  ['F6', 'field', { command: 'refund' }],
  ['5', 'page', { entry: { key: 'digit', digit: '5' } }],
  ['５', 'button', { entry: { key: 'digit', digit: '5' } }],
  ['5', 'field', undefined],
  [',', 'page', { entry: { key: 'sign' } }],
  ['Decimal', 'page', { entry: { key: 'sign' } }],
  ['Backspace', 'page', { entry: { key: 'back' } }],
  ['a', 'page', undefined],
] as const)('%s on a %s', (key, focus, action) => {
  expect(keyAction({ ...noModifiers, key }, focus)).toEqual(action);
});

test.each([
  [['Tab'], true],
  [['Tab', 'Shift'], true],
  [['Tab', '5'], false],
  [['Tab', 'Enter'], false],
  [['Escape'], false],
  [['Shift'], false],
] as const)('after %j the focus counts as reached with Tab: %s', (keys, isByTab) => {
  expect(keys.reduce<boolean>(isReachedByTab, false)).toBe(isByTab);
});

test('a held key sells once, and browser shortcuts are left to the browser', () => {
  expect(keyAction({ ...noModifiers, key: 'Enter', repeat: true }, 'page')).toBeUndefined();
  expect(keyAction({ ...noModifiers, key: '5', ctrlKey: true }, 'page')).toBeUndefined();
});

test.each([
  ['000417', 5, '000417'],
  ['12345678-000417', 10, '12345678-000417'],
  ['1250', 5, undefined],
  ['000417', 120, undefined],
])('%s with %i ms between its keys', (text, gap, code) => {
  const keys = [...text].reduce((typed, key, index) => addKey(typed, key, index * gap), noKeys);
  expect(scannedCode(keys, text.length * gap)).toBe(code);
});

test.each([
  ['417', { receipt: 417 }],
  ['000417', { receipt: 417 }],
  ['Receipt 417', { receipt: 417 }],
  ['12345678-000417', { code: '12345678-000417' }],
  ['12345678ß000417', { code: '12345678-000417' }],
  ['A0181F2C3D4E5F60718293A4B5C6D7E8', { code: 'a0181f2c3d4e5f60718293a4b5c6d7e8' }],
  ['０００４１７', { receipt: 417 }],
  ['12.50', undefined],
  ['0', undefined],
  ['x', undefined],
  ['<b>417', undefined],
])('the receipt in %j', (text, receipt) => expect(parseReceiptName(text)).toEqual(receipt));

test('tips are rounded half up, and parts add up to the whole', () => {
  expect(percentOf(1250n, 10)).toBe(125n);
  expect(percentOf(5n, 10)).toBe(1n);
  fc.assert(
    fc.property(minors, fc.integer({ min: 1, max: 20 }), (total, count) => {
      const parts = equalParts(total, count);
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total);
      const last = parts.at(-1) ?? 0n;
      for (const part of parts) expect([last, last + 1n]).toContain(part);
    }),
  );
});

test('converts to the API’s text and back', () => {
  fc.assert(
    fc.property(minors, fc.constantFrom(0, 2, 3), (minor, places) => {
      expect(minorOf(wireText(minor, places))).toBe(minor);
    }),
  );
});
