/** The expiry date while it is typed, and when it has passed. */
import { expect, test } from 'vitest';
import { expiryOf, expiryTyped, isPast } from '../../../src/gateway/widget/browser/card-data.ts';

/** What stands in the field after each key. */
const typed = (keys: string): string => {
  let text = '';
  for (const key of keys) text = expiryTyped(text + key, text);
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
])('%s is %s', (keys, text) => expect(typed(keys)).toBe(text));

test('filled in at once, as browsers do', () => {
  expect(expiryTyped('05/2034', '')).toBe('05/34');
  expect(expiryTyped('05/34', '')).toBe('05/34');
});

test('the stroke can be deleted', () => expect(expiryTyped('05', '05/')).toBe('0'));

const today = { year: 2026, month: 11 };

test('the year has four digits', () => {
  expect(expiryOf('05/34', today)).toEqual({ month: '05', year: '2034' });
  expect(expiryOf('05/01', { year: 2098, month: 1 })).toEqual({ month: '05', year: '2101' });
  for (const text of ['', '13/30', '00/30', '5/30', '05/3', '05/2034']) expect(expiryOf(text, today)).toBeUndefined();
});

test('a card is good to the end of its month', () => {
  expect(isPast({ month: '11', year: '2026' }, today)).toBe(false);
  expect(isPast({ month: '10', year: '2026' }, today)).toBe(true);
  expect(isPast({ month: '01', year: '2027' }, today)).toBe(false);
});
