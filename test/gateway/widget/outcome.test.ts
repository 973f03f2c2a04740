/** Result codes as a shopper is to understand them: each of the gateway's own gets the same meaning here as there. */
import { expect, test } from 'vitest';
import { meaningOf, resultCodes } from '../../../src/gateway/spec/results.ts';
import { outcomeOf, wordOf } from '../../../src/gateway/widget/browser/outcome.ts';

test('what the gateway calls approved is approved, and nothing else is', () => {
  for (const { code } of resultCodes) {
    if (meaningOf(code) === 'approved') expect(outcomeOf(code), code).toBe('approved');
    if (['declined', 'refused'].includes(meaningOf(code))) expect(outcomeOf(code), code).not.toBe('approved');
  }
});

test('nobody is asked to pay again while it is not known whether he has', () => {
  expect(outcomeOf('900.100.300')).toBe('uncertain');
  expect(outcomeOf('000.200.000')).toBe('pending');
});

test('what was never charged is declined', () => {
  for (const code of ['', 'nonsense', '800.100.155', '200.300.404']) expect(outcomeOf(code)).toBe('declined');
});

test.each([
  ['800.100.155', 'declinedFunds'],
  ['100.100.303', 'declinedExpired'],
  ['800.100.153', 'declinedCvv'],
  ['100.100.101', 'declinedDetails'],
  ['100.380.401', 'declinedSecurity'],
  ['100.396.101', 'declinedCancelled'],
  ['800.110.100', 'tryLater'],
  ['800.100.152', 'declined'],
])('%s says %s', (code, word) => expect(wordOf(code)).toBe(word));
