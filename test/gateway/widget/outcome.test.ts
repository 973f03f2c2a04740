/** Result codes for the shopper: each of the gateway's own codes means the same in the widget. */
import { expect, test } from 'vitest';
import { meaningOf, resultCodes } from '../../../src/gateway/spec/results.ts';
import { declineReasonKey, outcomeOf } from '../../../src/gateway/widget/browser/outcome.ts';

const outcomes = {
  approved: 'approved',
  pending: 'pending',
  // A shopper must not be asked to pay again while it is not known whether they have.
  unknown: 'uncertain',
  declined: 'declined',
  refused: 'declined',
  later: 'declined',
} as const;

test('each code has the outcome that corresponds to its meaning in the gateway', () => {
  const contradicted = resultCodes.filter(({ code }) => outcomeOf(code) !== outcomes[meaningOf(code)]);
  expect(contradicted.map(({ code }) => `${code} ${outcomeOf(code)}`)).toEqual([]);
});

test.each(['', 'nonsense', '800.100.155x'])('“%s” is not a code, and proves nothing', (code) =>
  expect(outcomeOf(code)).toBe('uncertain'),
);

test.each([
  ['800.100.155', 'declinedFunds'],
  ['800.700.101', 'declinedFunds'],
  ['100.100.303', 'declinedExpired'],
  ['800.100.153', 'declinedCvv'],
  ['100.100.101', 'declinedDetails'],
  ['100.550.312', 'declinedDetails'],
  ['100.380.401', 'declinedSecurity'],
  ['100.396.101', 'declinedCancelled'],
  ['800.120.100', 'tryLater'],
  ['900.100.310', 'tryLater'],
  ['800.100.152', 'declined'],
])('%s says %s', (code, reasonKey) => expect(declineReasonKey(code)).toBe(reasonKey));
