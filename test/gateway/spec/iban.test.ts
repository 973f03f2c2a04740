import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ibanIsValid } from '../../../src/gateway/spec/iban.ts';

/** The examples that the IBAN registry publishes for its countries. */
const examples = [
  'AD1200012030200359100100',
  'AL47212110090000000235698741',
  'AT611904300234573201',
  'BE68539007547034',
  'BG80BNBG96611020345678',
  'CH9300762011623852957',
  'CY17002001280000001200527600',
  'CZ6508000000192000145399',
  'DE89370400440532013000',
  'DK5000400440116243',
  'EE382200221020145685',
  'ES9121000418450200051332',
  'FI2112345600000785',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'GI75NWBK000000007099453',
  'GR1601101250000000012300695',
  'HR1210010051863000160',
  'HU42117730161111101800000000',
  'IE29AIBK93115212345678',
  'IS140159260076545510730339',
  'IT60X0542811101000000123456',
  'LI21088100002324013AA',
  'LT121000011101001000',
  'LU280019400644750000',
  'LV80BANK0000435195001',
  'MC5811222000010123456789030',
  'MD24AG000225100013104168',
  'ME25505000012345678951',
  'MK07250120000058984',
  'MT84MALT011000012345MTLCAST001S',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'PL61109010140000071219812874',
  'PT50000201231234567890154',
  'RO49AAAA1B31007593840000',
  'RS35260005601001611379',
  'SE4550000000058398257466',
  'SI56263300012039086',
  'SK3112000000198742637541',
  'SM86U0322509800000000270100',
  'VA59001123000012345678',
  'DE23100000001234567890',
];

test.each(examples)('%s is valid', (iban) => {
  expect(ibanIsValid(iban)).toBe(true);
});

test.each([
  ['an empty text', ''],
  ['a wrong check digit', 'DE88370400440532013000'],
  ['two digits swapped', 'DE89370400440532010300'],
  ['one character short', 'DE8937040044053201300'],
  ['one too many', 'DE893704004405320130000'],
  ['small letters', 'de89370400440532013000'],
  ['groups of four', 'DE89 3704 0044 0532 0130 00'],
  ['a country without IBANs', 'US89370400440532013000'],
  ['a property name of every object', 'constructor'],
  ['a full-width digit', 'DE8937040044053201300０'],
])('not valid: %s', (_, iban) => {
  expect(ibanIsValid(iban)).toBe(false);
});

describe('properties', () => {
  test('detects any single changed digit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...examples),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (iban, digitIndex, difference) => {
          const digits = [...iban].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
          const position = digits[digitIndex % digits.length] ?? 2;
          const changedIban =
            iban.slice(0, position) + String((Number(iban[position]) + difference) % 10) + iban.slice(position + 1);
          expect(ibanIsValid(changedIban)).toBe(false);
        },
      ),
    );
  });

  test('answers for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof ibanIsValid(text) === 'boolean'));
  });
});
