/** Brands by first digits, check digits, groups. */
import { describe, expect, test } from 'vitest';
import { simulatedCards } from '../../../src/gateway/threeds/simulated-cards.ts';
import {
  brandsOfNumber,
  cardBrandNamed,
  cardBrands,
  checkDigitAgrees,
  expiryOf,
  formatExpiry,
  groupDigits,
  groupsOf,
  isPast,
  unacceptedBrandOf,
} from '../../../src/gateway/widget/browser/card-data.ts';

const all = cardBrands.map(({ name }) => name);
const names = (digits: string, accepted: readonly string[] = all) =>
  brandsOfNumber(digits, accepted).map(({ name }) => name);

describe('the brand is recognised while the number is typed', () => {
  test.each([
    ['', []],
    ['1', []],
    ['3', []],
    ['34', ['AMEX']],
    ['37', ['AMEX']],
    ['36', ['DINERS']],
    ['305', ['DINERS']],
    ['3528', ['JCB']],
    ['3527', []],
    ['3589', ['JCB']],
    ['6011', ['DISCOVER']],
    ['62', ['UNIONPAY']],
    ['2221', ['MASTER', 'MASTERDEBIT']],
    ['2220', []],
    ['2720', ['MASTER', 'MASTERDEBIT']],
    ['2721', []],
    ['55', ['MASTER', 'MASTERDEBIT', 'CARTEBLEUE']],
    ['56', ['MAESTRO']],
    ['4', ['VISA', 'VISADEBIT', 'CARTEBLEUE']],
    ['4026', ['VISA', 'VISADEBIT', 'VISAELECTRON', 'CARTEBLEUE']],
  ])('%s', (digits, expected) => expect(names(digits)).toEqual(expected));

  test('only among those that the shop accepts', () => {
    expect(names('4', ['VISA', 'AMEX'])).toEqual(['VISA']);
    expect(names('4', ['AMEX'])).toEqual([]);
    expect(names('9', ['AMEX', 'HOUSECARD'])).toEqual(['HOUSECARD']);
  });

  test('an unaccepted brand is recognised too, to be named', () => {
    expect(unacceptedBrandOf('3714')?.label).toBe('American Express');
    expect(unacceptedBrandOf('371')).toBeUndefined();
  });
});

test('every public test card has a right check digit, and a brand that allows its length', () => {
  for (const { number } of simulatedCards) {
    expect(checkDigitAgrees(number), number).toBe(true);
    expect(
      brandsOfNumber(number, all).some(({ lengths }) => lengths.includes(number.length)),
      number,
    ).toBe(true);
  }
});

test('detects any single wrong digit', () => {
  const number = '4200000000000091';
  for (let place = 0; place < number.length; place += 1) {
    for (const digit of '0123456789') {
      const other = number.slice(0, place) + digit + number.slice(place + 1);
      expect(checkDigitAgrees(other)).toBe(other === number);
    }
  }
  expect(checkDigitAgrees('')).toBe(false);
});

test('groups as on the card, without a blank at the end', () => {
  expect(groupDigits('4200000000000091', groupsOf(cardBrandNamed('VISA')))).toBe('4200 0000 0000 0091');
  expect(groupDigits('371449635398431', groupsOf(cardBrandNamed('AMEX')))).toBe('3714 496353 98431');
  expect(groupDigits('36259600000004', groupsOf(cardBrandNamed('DINERS')))).toBe('3625 960000 0004');
  expect(groupDigits('4200', groupsOf(cardBrandNamed('VISA')))).toBe('4200');
  expect(groupDigits('6799998900000060018', groupsOf(cardBrandNamed('MAESTRO')))).toBe('6799 9989 0000 0060 018');
});

// The expiry date while it is typed, and when it has passed.

/** The text in the field after each key. */
const typeExpiry = (keys: string): string => {
  let text = '';
  for (const key of keys) text = formatExpiry(text + key, text);
  return text;
};

test.each([
  ['0530', '05/30'],
  ['05/30', '05/30'],
  ['530', '05/30'],
  ['5/30', '05/30'],
  ['1230', '12/30'],
  ['1/30', '01/30'],
  ['12/2030', '12/30'],
  ['5 / 30', '05/30'],
  ['a5b3c0', '05/30'],
])('%s is %s', (keys, text) => expect(typeExpiry(keys)).toBe(text));

test('filled in at once, as browsers do', () => {
  expect(formatExpiry('05/2034', '')).toBe('05/34');
  expect(formatExpiry('05/34', '')).toBe('05/34');
});

test('the slash can be deleted', () => expect(formatExpiry('05', '05/')).toBe('0'));

const today = { year: 2026, month: 11 };

test('the year has four digits', () => {
  expect(expiryOf('05/34', today)).toEqual({ month: '05', year: '2034' });
  expect(expiryOf('05/01', { year: 2098, month: 1 })).toEqual({ month: '05', year: '2101' });
  for (const text of ['', '13/30', '00/30', '5/30', '05/3', '05/2034']) expect(expiryOf(text, today)).toBeUndefined();
});

test('a card is valid to the end of its month', () => {
  expect(isPast({ month: '11', year: '2026' }, today)).toBe(false);
  expect(isPast({ month: '10', year: '2026' }, today)).toBe(true);
  expect(isPast({ month: '01', year: '2027' }, today)).toBe(false);
});
