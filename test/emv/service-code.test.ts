import { expect, test } from 'vitest';
import { hasChip, serviceCodeWords, wantsPin } from '../../src/emv/tracks.ts';

test.each([
  ['201', 'international, use the chip; normal authorisation; no restrictions', true, false],
  ['101', 'international; normal authorisation; no restrictions', false, false],
  ['221', 'international, use the chip; authorise by issuer; no restrictions', true, false],
  ['606', 'national, use the chip; normal authorisation; no restrictions, PIN if there is a PIN pad', true, true],
  ['120', 'international; authorise by issuer; no restrictions, PIN required', false, true],
  ['999', 'test card; not assigned; not assigned', false, false],
  ['', 'not assigned; not assigned; not assigned', false, false],
  ['2010', 'international, use the chip; normal authorisation; no restrictions', false, false],
])('%s', (code, text, chip, pin) => {
  expect([serviceCodeWords(code), hasChip(code), wantsPin(code)]).toEqual([text, chip, pin]);
});
