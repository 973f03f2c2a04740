/** Address verification: one letter for the address sent, compared with 1 Test Street, 12345. */
import { describe, expect, test } from 'vitest';
import { avsResponseOf, testAddress } from '../../../src/gateway/acquirers/simulator/accounts.ts';
import { acquirer, cardOf, present } from './shop-counter.ts';

const addressParameters = (line: string): Record<string, string> => {
  const [street1, postcode] = line.split('/');
  return {
    ...(street1 === '-' || street1 === undefined ? {} : { 'billing.street1': street1 }),
    ...(postcode === '-' || postcode === undefined ? {} : { 'billing.postcode': postcode }),
    'billing.city': 'Berlin',
  };
};

describe('one letter for street/postcode, - meaning not sent', () => {
  test.each([
    ['1 Test Street/12345', 'F'],
    ['1 TEST  street/1 23 45', 'F'],
    ['1 Test Street/12346', 'A'],
    ['1 Test Street/-', 'A'],
    ['2 Test Street/12345', 'Z'],
    ['-/12345', 'Z'],
    ['2 Test Street/54321', 'N'],
    ['2 Test Street/-', 'N'],
    ['-/54321', 'N'],
    ['-/-', undefined],
    ['/', undefined],
    ['/12345', 'Z'],
  ])('%s → %s', (line, letter) => {
    expect(avsResponseOf(addressParameters(line), testAddress)).toBe(letter);
  });

  test.each([
    ['1 Test Street/12345', 'U'],
    ['-/-', undefined],
  ])('%s without an address on file gives %s', (line, letter) => {
    expect(avsResponseOf(addressParameters(line), undefined)).toBe(letter);
  });
});

const parameters = addressParameters('1 Test Street/99999');

test.each([
  ['typed in', cardOf('4111111111111111', { parameters }), 'A'],
  ['at a terminal', present('visa-credit', { parameters }), 'A'],
  ['declined', cardOf('4111111111111111', { parameters, minor: 800_005n }), 'A'],
  ['a decrypted wallet', { ...cardOf('4111111111111111', { parameters }), account: 'applePay' as const }, 'A'],
  ['a card of nobody', cardOf('9999999999999995', { parameters }), 'U'],
  ['no address sent', cardOf('4111111111111111'), undefined],
])('%s', async (_, request, letter) => {
  const issuer = acquirer();
  const answer = await issuer.authorise(request);
  expect(answer.avsResponse).toBe(letter);
  expect(await issuer.authorise(request)).toEqual(answer);
});

const issuerAddress = { street1: 'Hauptstraße 5', postcode: 'D-10115' };

test.each([
  [issuerAddress, 'hauptstrasse 5/d-10115', 'F'],
  [issuerAddress, 'Hauptstr. 5/d-10115', 'Z'],
  [issuerAddress, 'HauptStraße5/d-10115', 'F'],
  [issuerAddress, '1 Test Street/12345', 'N'],
  ['none', '1 Test Street/12345', 'U'],
] as const)('an account with an address of its own: %o', async (address, line, letter) => {
  const pan = '4242424242424242';
  const account = { pan, psn: '00', brand: 'VISA', pin: '1111', account: 'open', availableMinor: 10_000n } as const;
  const issuer = acquirer({ accounts: [{ ...account, address }] });
  expect((await issuer.authorise(cardOf(pan, { parameters: addressParameters(line) }))).avsResponse).toBe(letter);
});
