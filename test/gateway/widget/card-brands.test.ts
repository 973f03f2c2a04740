/** Brands by the first digits, check digits, groups. */
import { describe, expect, test } from 'vitest';
import { simulatedCards } from '../../../src/gateway/threeds/simulated-cards.ts';
import {
  brandsOfNumber,
  cardBrandNamed,
  cardBrands,
  checkDigitAgrees,
  grouped,
  groupsOf,
  unacceptedBrandOf,
} from '../../../src/gateway/widget/browser/card-data.ts';

const all = cardBrands.map(({ name }) => name);
const names = (digits: string, accepted: readonly string[] = all) =>
  brandsOfNumber(digits, accepted).map(({ name }) => name);

describe('the brand is known while the number is typed', () => {
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

  test('of those only that the shop takes', () => {
    expect(names('4', ['VISA', 'AMEX'])).toEqual(['VISA']);
    expect(names('4', ['AMEX'])).toEqual([]);
    expect(names('9', ['AMEX', 'HOUSECARD'])).toEqual(['HOUSECARD']);
  });

  test('one that is not taken is known all the same, to be named', () => {
    expect(unacceptedBrandOf('3714')?.label).toBe('American Express');
    expect(unacceptedBrandOf('371')).toBeUndefined();
  });
});

test('every public test card has a right check digit, and a brand that takes its length', () => {
  for (const { number } of simulatedCards) {
    expect(checkDigitAgrees(number), number).toBe(true);
    expect(
      brandsOfNumber(number, all).some(({ lengths }) => lengths.includes(number.length)),
      number,
    ).toBe(true);
  }
});

test('any single wrong digit is noticed', () => {
  const number = '4200000000000091';
  for (let place = 0; place < number.length; place += 1) {
    for (const digit of '0123456789') {
      const other = number.slice(0, place) + digit + number.slice(place + 1);
      expect(checkDigitAgrees(other)).toBe(other === number);
    }
  }
  expect(checkDigitAgrees('')).toBe(false);
});

test('groups as they stand on the card, and no blank at the end', () => {
  expect(grouped('4200000000000091', groupsOf(cardBrandNamed('VISA')))).toBe('4200 0000 0000 0091');
  expect(grouped('371449635398431', groupsOf(cardBrandNamed('AMEX')))).toBe('3714 496353 98431');
  expect(grouped('36259600000004', groupsOf(cardBrandNamed('DINERS')))).toBe('3625 960000 0004');
  expect(grouped('4200', groupsOf(cardBrandNamed('VISA')))).toBe('4200');
  expect(grouped('6799998900000060018', groupsOf(cardBrandNamed('MAESTRO')))).toBe('6799 9989 0000 0060 018');
});
