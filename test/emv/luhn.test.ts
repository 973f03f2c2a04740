import fc from 'fast-check';
import { expect, test } from 'vitest';
import { luhnDigit, luhnIsValid } from '../../src/emv/luhn.ts';
import { testCards } from '../../src/emv/test-cards.ts';

const numbers = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 18 });

test('the check digit makes any number valid, and any other digit makes it invalid', () => {
  fc.assert(
    fc.property(numbers, (partial) => {
      const right = luhnDigit(partial);
      for (const digit of '0123456789') expect(luhnIsValid(partial + digit)).toBe(digit === right);
    }),
  );
});

test('swapped neighbours are detected, except 0 and 9', () => {
  fc.assert(
    fc.property(numbers, fc.nat(), (partial, where) => {
      const pan = partial + luhnDigit(partial);
      const index = where % (pan.length - 1);
      const [left = '', right = ''] = pan.slice(index, index + 2);
      fc.pre(left !== right && `${left}${right}` !== '09' && `${left}${right}` !== '90');
      expect(luhnIsValid(pan.slice(0, index) + right + left + pan.slice(index + 2))).toBe(false);
    }),
  );
});

test.each(['', '0', '4', '4761 7390 0101 0010', '476173900101001X', '٤٧٦١'])('"%s" is not valid', (pan) => {
  expect(luhnIsValid(pan)).toBe(false);
});

test.each(['', '47 61', 'abc'])('"%s" gets no digit', (partial) => {
  expect(() => luhnDigit(partial)).toThrow(expect.objectContaining({ code: 'emv.malformed' }));
});

test.each(Object.entries(testCards))('the simulated %s has a valid number', (_, { pan }) => {
  expect(luhnIsValid(pan)).toBe(true);
});
