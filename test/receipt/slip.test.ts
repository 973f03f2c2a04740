/** The lines of a terminal that authorised by itself, as they appear on the till's receipt. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { starCardNumbers } from '../../src/emv/card-text.ts';
import { columns } from '../../src/receipt/columns.ts';
import { receiptOf } from '../../src/receipt/receipt.ts';
import { receiptText } from '../../src/receipt/text.ts';
import { byNight } from '../support/night/night.ts';
import { sale as facts } from './sample.ts';

const slip = {
  customer: ['   KUNDENBELEG', 'Betrag  EUR    12,50', 'Karte   ****4321'],
  merchant: ['   HAENDLERBELEG', 'Unterschrift', '____________________'],
};
const signed = { ...facts, ...(facts.card && { card: { ...facts.card, verification: 'signature' as const } }) };
const textOf = (of: typeof facts, copy: 'customer' | 'merchant', width: 32 | 42 = 42) =>
  receiptText(receiptOf(of, { copy }), width).join('\n');

test('the lines are under the shop’s header, laid out as received, and replace the till’s rows about the card', () => {
  const text = textOf({ ...facts, slip }, 'customer');
  expect(text).toContain('NORDWIND BAKERY');
  expect(text).toContain('\nBetrag  EUR    12,50\n');
  expect(text).toContain('12.50 EUR');
  expect(text).toContain('CUSTOMER COPY');
  expect(text).not.toContain('AID');
  expect(text).not.toContain('HAENDLERBELEG');
  expect(text.indexOf('KUNDENBELEG')).toBeGreaterThan(text.indexOf('SALE'));
});

test('there is one place to sign: the terminal’s if it prints one, else the till’s', () => {
  expect(textOf({ ...signed, slip }, 'merchant')).not.toContain('SIGNATURE');
  expect(textOf({ ...signed, slip: { ...slip, merchant: ['HAENDLERBELEG'] } }, 'merchant')).toContain('SIGNATURE');
});

test('a copy without lines from the terminal is made from the till’s own card data', () => {
  expect(textOf({ ...facts, slip: { customer: [], merchant: [] } }, 'customer')).toBe(textOf(facts, 'customer'));
});

const hostile: [line: string, stands: string][] = [
  ['PAN 4761739001010010', 'PAN ************0010'],
  ['PAN 4761 7390 0101 0010', 'PAN **** **** **** 0010'],
  ['PAN4761-7390-0101-0010X', 'PAN****-****-****-0010X'],
  ['\u001b@\u001dV\u0000cut', '?@?V?cut'],
  ['a\u202eb\u200bc', 'abc'],
  ['AID A0000000031010', 'AID A0000000031010'],
  ['VU-Nr. 000000012345678', 'VU-Nr. 000000012345678'],
  ['0000004761739001010010', '******************0010'],
  ['TA-Nr 001234 BNr 0417', 'TA-Nr 001234 BNr 0417'],
];
test.each(hostile)('%j', (line, stands) => {
  expect(textOf({ ...facts, slip: { customer: [line], merchant: [] } }, 'customer').split('\n')).toContain(stands);
});

test('whatever the terminal sends, lines and columns are limited, and no line has a card number', () => {
  const line = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.stringMatching(/^[0-9 -]{0,90}$/));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 300 }), fc.constantFrom(32 as const, 42 as const), (lines, width) => {
      const text = receiptText(
        receiptOf({ ...facts, slip: { customer: lines, merchant: [] } }, { copy: 'customer' }),
        width,
      );
      expect(text.length).toBeLessThan(150 * 6 + 40);
      for (const each of text) {
        expect(columns(each)).toBeLessThanOrEqual(width);
        expect(each).not.toMatch(/[\p{Cc}\n]/u);
      }
    }),
    { numRuns: byNight({ day: 70, night: 200 }) },
  );
});

test('masking keeps the length and the last four digits, and is idempotent', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-F -]{0,60}$/), (line) => {
      const once = starCardNumbers(line);
      expect(once.length).toBe(line.length);
      expect(starCardNumbers(once)).toBe(once);
    }),
  );
});
