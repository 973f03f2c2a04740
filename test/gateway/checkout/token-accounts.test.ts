/** The accounts that a shopper may use if the shop wants cardholders authenticated. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Parameters } from '../../support/gateway/gateway.ts';
import { type Counter, card, errorsOf, OK, openCounter, payPath, pendingCode, shopperResultUrl } from './counter.ts';

let counter: Counter;
beforeEach(async () => {
  counter = await openCounter({ channel: { threeDSecure: { enabled: true } } });
});
afterEach(() => counter.gateway.close());

/** A card whose issuer requires a challenge. */
const number = '4200000000000018';
const tokenPayment: Parameters = {
  paymentBrand: 'VISA',
  'tokenAccount.number': number,
  'tokenAccount.type': 'NETWORK',
  'tokenAccount.expiryMonth': '05',
  'tokenAccount.expiryYear': '2034',
  'tokenAccount.cryptogram': 'AK+zkbPMCORcABCD3AGRAoACFA==',
  shopperResultUrl,
};

test('a card number sent as a network token does not bypass the authentication', async () => {
  const cardPayment = { ...card, 'card.number': number, shopperResultUrl };
  expect((await counter.shopper.post(payPath(await counter.checkout()), cardPayment)).code).toBe(pendingCode);
  const { 'tokenAccount.cryptogram': _, ...withoutCryptogram } = tokenPayment;
  for (const form of [tokenPayment, withoutCryptogram]) {
    const reply = await counter.shopper.post(payPath(await counter.checkout()), form);
    expect(reply.code).not.toBe(OK);
    expect(errorsOf(reply)['tokenAccount.number']).toContain('only by the shop');
  }
});
