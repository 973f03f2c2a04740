import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestName } from '../../../../src/gateway/spec/parameters/nearest.ts';
import { allRows } from './cases.ts';

const names = [...new Set(allRows.map(([, name]) => name))];

test.each([
  ['card.numbr', 'card.number'],
  ['CARD.NUMBER', 'card.number'],
  ['entityID', 'entityId'],
  ['custommer.emial', undefined],
  ['customer.emial', 'customer.email'],
  ['paymentMethodes', 'paymentMethods'],
  ['x', undefined],
  ['', undefined],
  ['a'.repeat(100_000), undefined],
])('%.40s probably means %s', (name, expectedName) => {
  expect(nearestName(name, names)).toBe(expectedName);
});

test('chooses the nearer of two similar names, and the first of equally near ones', () => {
  expect([nearestName('abd', ['abcc', 'abc', 'abe']), nearestName('abcd', ['ab', 'abc'])]).toEqual(['abc', 'abc']);
});

test('any name with at most two changes leads to an equally near name', () => {
  const change = fc.tuple(fc.nat(), fc.constantFrom('x', 'e', '.', ''), fc.boolean());
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(change, { maxLength: 2 }), (name, changes) => {
      let input = name;
      for (const [position, letter, isReplacement] of changes) {
        const place = position % (input.length + 1);
        input = input.slice(0, place) + letter + input.slice(place + (isReplacement ? 1 : 0));
      }
      const found = nearestName(input, names);
      return input.length > 64 || found !== undefined;
    }),
    { numRuns: 300 },
  );
});
