/** The large word for an ending: a sale that was provably never made was not declined. */
import { expect, test } from 'vitest';
import type { SaleRow } from '../../src/api/contract/sales.ts';
import { en } from '../../src/locales/screens.ts';
import { joinSentences, stateWord } from '../../src/ui/parts/state-words.ts';

test.each([
  ['approved', 'approved', 'sale', 'Approved'],
  ['declined', 'declined', 'sale', 'Declined'],
  ['declined', 'notSent', 'sale', 'Not charged'],
  ['declined', 'notSent', 'completion', 'Not charged'],
  ['declined', 'notSent', 'refund', 'Not done'],
  ['declined', 'notSent', 'preauthorisation', 'Not done'],
  ['unknown', 'unknown', 'sale', 'Unknown'],
  ['busy', 'open', 'sale', 'In progress'],
] as const)('%s, %s, %s: %s', (state, ending, operation, expected) =>
  expect(stateWord(en.shared, { state, ending, operation })).toBe(expected),
);

test.each<[SaleRow['reason'], string]>([
  ['testAnswer', 'Set-up error'],
  ['liveAnswer', 'Set-up error'],
  ['declinedByHost', 'Declined'],
])('%s is shown as: %s', (reason, expected) =>
  expect(stateWord(en.shared, { state: 'declined', ending: 'declined', operation: 'sale', reason })).toBe(expected),
);

test('texts that a screen reader speaks end with one full stop each', () =>
  expect(joinSentences(['Approved', 'No money moved: test mode.', 'Hand over the receipt'])).toBe(
    'Approved. No money moved: test mode. Hand over the receipt.',
  ));
