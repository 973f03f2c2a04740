/** Card data in a command line is refused before the command begins, and the message contains no digit of it. */
import { expect, test } from 'vitest';
import { refuseCardData } from '../../src/cli/arguments.ts';
import { testCards } from '../../src/emv/test-cards.ts';

const { pan } = testCards['visa-credit'];

test.each([
  ['--reason, card number', 'till', 'resolve', '1', '--charged', '--reason', `the card ${pan} said so`],
  ['--evidence, card number', 'till', 'resolve', '1', '--evidence', pan.replace(/\d{4}(?=\d)/g, '$&.')],
  ['--reason, card security code', 'till', 'resolve', '1', '--reason', 'CVV 123'],
  ['--cvv, card security code', 'till', 'sell', '5.00', '--cvv', '123'],
  ['card number', 'till', 'staff', 'add', pan, '--role', 'cashier'],
  ['card number', 'till', 'sales', `--search=${pan}`],
  ['--cashier, track', 'till', 'sell', '5.00', '--cashier', `;${pan}=31122011?`],
])('%s', (where, ...args) => {
  expect(() => refuseCardData(args)).toThrow(
    expect.objectContaining({
      ...{ code: 'text.cardData', facts: { where } },
      message: expect.stringMatching(/^(?!.*\d{3})/),
    }),
  );
});

test('serial numbers in addresses are accepted, and ordinary words', () => {
  for (const args of [
    ['till', 'sell', '5.00', '--terminal', `mms+hid:0801:2020:${pan}`],
    ['till', 'resolve', '17', '--not-charged', '--reason', 'the slip of 2026-11-23 22:15 says so'],
  ])
    expect(() => refuseCardData(args)).not.toThrow();
});
