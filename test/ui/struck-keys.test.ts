/** Whether key presses show that a till has a keyboard. */
import { expect, test } from 'vitest';
import { showsKeyboard } from '../../src/ui/key-presses.ts';

type Key = readonly [key: string, at: number, inField?: boolean];

const scan = (at: number): Key[] => [...'12345678-000417', 'Enter'].map((key, index) => [key, at + index * 5]);

test.each<[string, readonly Key[], boolean]>([
  [
    'an amount by hand',
    [
      ['1', 0],
      ['2', 180],
    ],
    true,
  ],
  ['one digit alone', [['1', 0]], false],
  ['a scanner', scan(0), false],
  ['a scanner, and again', [...scan(0), ...scan(900)], false],
  ['a hand after a scanner', [...scan(0), ['1', 900], ['2', 1100]], true],
  [
    'a PIN in its field, as from an on-screen keyboard',
    [
      ['1', 0, true],
      ['2', 180, true],
      ['Enter', 400, true],
    ],
    false,
  ],
  ['a function key', [['F7', 0]], true],
  ['Alt, in a field too', [['Alt', 0, true]], true],
  ['Tab', [['Tab', 0]], true],
  ['Tab in a field, as some on-screen keyboards have it', [['Tab', 0, true]], false],
])('%s', (_, keys, isKeyboard) => {
  const struck = keys.map(([key, at, inField = false]) => ({ key, at, inField }));
  expect(struck.some((key, index) => showsKeyboard(struck.slice(0, index), key))).toBe(isKeyboard);
});
