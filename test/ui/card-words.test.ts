/** The brands and entry modes in the till's books have names on the screens. */
import { expect, test } from 'vitest';
import { brandOfPan } from '../../src/emv/brands.ts';
import { entryModes } from '../../src/emv/entry-mode.ts';
import { bookedBrandName, brandName, cardName } from '../../src/locales/names.ts';
import { en } from '../../src/locales/screens.ts';

test.each([
  ['4761739001010010', 'Visa'],
  ['5413330089604111', 'Mastercard'],
  ['374245455400126', 'American Express'],
  ['36259600000004', 'Diners Club'],
  ['6011000990139424', 'Discover'],
  ['3530111333300000', 'JCB'],
  ['6200000000000005', 'UnionPay'],
  ['6759649826438453', 'Maestro'],
])('a card of %s is called %s', (pan, name) => {
  expect(brandName(brandOfPan(pan))).toBe(name);
});

test('a shop’s own brand keeps its name, and no brand stays empty', () => {
  expect(brandName('LOYALTY')).toBe('LOYALTY');
  expect(brandName(undefined)).toBe('');
  expect(bookedBrandName('OTHER', en.manager)).toBe('Other');
  expect(bookedBrandName('GIFTCARD', en.manager)).toBe('Gift card');
  expect(bookedBrandName('MASTER', en.manager)).toBe('Mastercard');
});

test('a gift card has a name instead of a code', () => {
  expect(cardName('GIFTCARD', en.cashier.giftTitle)).toBe('Gift card');
  expect(cardName('MASTER', en.cashier.giftTitle)).toBe('Mastercard');
});

test.each([...entryModes, 'GIFTCARD', 'NONE'] as const)('%s has words', (mode) => {
  expect(en.manager.entryModes[mode]).toMatch(/^[A-Z][a-z]/);
});
