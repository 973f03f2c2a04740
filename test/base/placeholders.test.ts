/** The function that fills placeholders, at run time and for the compiler. */
import { expect, expectTypeOf, test } from 'vitest';
import { messageFactory } from '../../src/base/localized-message.ts';
import { fill, type Placeholders, type PlaceholderValues } from '../../src/base/placeholders.ts';
import type { Words } from '../../src/locales/screens.ts';

type Case = [says: string, text: string, values: Readonly<Record<string, string | number>>, filled: string];

test.each<Case>([
  ['text and number', '{count} of {name}', { count: 3, name: 'Anna' }, '3 of Anna'],
  ['twice', '{a}, {a}', { a: 1 }, '1, 1'],
  ['zero and an empty text', '{a}|{b}', { a: 0, b: '' }, '0|'],
  ['a missing value becomes a question mark', '{amount} of {sum}', { amount: '1.00' }, '1.00 of ?'],
  ['so does a null or undefined value', '{a}{b}', { a: undefined, b: null } as never, '??'],
  ['a value is neither a template nor a pattern', '{a} {b}', { a: '{b} $& $1', b: 2 }, '{b} $& $1 2'],
  ['an unused value is ignored', 'none', { a: 1 }, 'none'],
  ['braces around something else stay', '{} {a b} {"a":1}', { a: 1 }, '{} {a b} {"a":1}'],
])('%s', (_, text, values, filled) => {
  expect(fill(text, values)).toBe(filled);
});

test('a value is formatted for its reader', () => {
  expect(fill('{at}, {by}', { at: 5, by: 6 }, (value) => `<${value}>`)).toBe('<5>, <6>');
});

test('a text without its facts shows no placeholder', () => {
  const notify = messageFactory('room', { left: '{count} are left', none: 'Nothing is left' });
  expect(notify('left', {} as never).says).toBe('? are left');
  expect(notify('left', { count: 3 })).toEqual({ code: 'room.left', says: '3 are left', facts: { count: 3 } });
  expect(notify('none')).toEqual({ code: 'room.none', says: 'Nothing is left' });
  expectTypeOf<['left']>().not.toExtend<Parameters<typeof notify<'left'>>>();
  expectTypeOf<['none']>().toExtend<Parameters<typeof notify<'none'>>>();
});

test('the compiler requires the placeholders of a text', () => {
  expectTypeOf<Placeholders<'{a} of {b}, {a}'>>().toEqualTypeOf<'a' | 'b'>();
  expectTypeOf<Placeholders<'none'>>().toEqualTypeOf<never>();
  expectTypeOf<Placeholders<string>>().toEqualTypeOf<string>();
  expectTypeOf<Placeholders<Words['cashier']['offlineLeft']>>().toEqualTypeOf<'left' | 'most'>();
  expectTypeOf(fill<'{a} of {b}'>)
    .parameter(1)
    .toEqualTypeOf<Readonly<Record<'a' | 'b', string | number>>>();
  expectTypeOf<{ a: 1 }>().not.toExtend<PlaceholderValues<'{a} of {b}'>>();
  // The text may be either of the two.
  expectTypeOf<{ a: 1 }>().not.toExtend<PlaceholderValues<'{a}' | '{b}'>>();
});
