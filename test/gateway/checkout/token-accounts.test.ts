/** The accounts that a shopper may use if the shop wants cardholders authenticated. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Parameters } from '../../support/gateway/gateway.ts';
import { APPROVED, type Counter, card, errorsOf, openCounter, payPath, pendingCode, returnUrl } from './counter.ts';

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
  shopperResultUrl: returnUrl,
};

test('a card number sent as a network token does not bypass the authentication', async () => {
  const cardPayment = { ...card, 'card.number': number, shopperResultUrl: returnUrl };
  expect((await counter.shopper.post(payPath(await counter.checkout()), cardPayment)).code).toBe(pendingCode);
  const { 'tokenAccount.cryptogram': _, ...withoutCryptogram } = tokenPayment;
  for (const parameters of [tokenPayment, withoutCryptogram]) {
    const reply = await counter.shopper.post(payPath(await counter.checkout()), parameters);
    expect(reply.code).not.toBe(APPROVED);
    expect(errorsOf(reply)['tokenAccount.number']).toContain('only by the shop');
  }
});
