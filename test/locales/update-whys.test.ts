/** Why a newer version is not installed: screens and program have one English, and the screens a word for each. */
import { expect, test } from 'vitest';
import { en } from '../../src/locales/screens.ts';
import { updateWhys } from '../../src/terminals/support/updates.ts';

test('the screens say in English what the program says', () => {
  const said = Object.entries(updateWhys).map(([name, text]) => [`updates.${name}`, text]);
  expect(en.technician.reasons).toEqual(Object.fromEntries(said));
});
