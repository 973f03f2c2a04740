/** Whatever a bank or a shop writes, every engine can store the facts of a payment. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factsText } from '../../../src/gateway/store/facts-text.ts';

test.each([
  ['half a pair', { why: 'a\ud83d' }, { why: 'a\ufffd' }],
  ['the other half', { why: '\udc00b' }, { why: '\ufffdb' }],
  ['U+0000', { echo: { name: 'a\0b' } }, { echo: { name: 'a\ufffdb' } }],
  ['a whole pair', { why: '😀' }, { why: '😀' }],
  ['an escaped backslash before such letters', { why: '\\u0000 \\ud83d' }, { why: '\\u0000 \\ud83d' }],
])('%s', (_, facts, stored) => {
  expect(JSON.parse(factsText(facts))).toEqual(stored);
});

test('any text becomes one that PostgreSQL accepts, and a valid one stays unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat({ max: 0xffff })), (good, units) => {
      const text = String.fromCharCode(...units);
      const stored = JSON.parse(factsText({ text, good })) as { text: string; good: string };
      expect(stored.text.isWellFormed() && !stored.text.includes('\0')).toBe(true);
      if (!good.includes('\0')) expect(stored.good).toBe(good);
    }),
  );
});
