/** Why a newer version is not installed: screens and program use the same English, and screens have each reason. */
import { expect, test } from 'vitest';
import { en } from '../../src/locales/screens.ts';
import { updateWhys } from '../../src/terminals/support/updates.ts';

test('the English on the screens is the program’s', () => {
  const texts = Object.entries(updateWhys).map(([name, text]) => [`updates.${name}`, text]);
  expect(en.technician.reasons).toEqual(Object.fromEntries(texts));
});
