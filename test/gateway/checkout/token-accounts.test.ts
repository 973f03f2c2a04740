/** The accounts that a shopper may use if the shop wants cardholders authenticated. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Parameters } from '../../support/gateway/gateway.ts';
import { type Counter, card, errorsOf, openCounter, payPath, waits, way, yes } from './counter.ts';

let at: Counter;
beforeEach(async () => {
  at = await openCounter({ channel: { threeDSecure: { enabled: true } } });
});
afterEach(() => at.gateway.close());

/** A card whose issuer requires a challenge. */
const number = '4200000000000018';
const asToken: Parameters = {
  paymentBrand: 'VISA',
  'tokenAccount.number': number,
  'tokenAccount.type': 'NETWORK',
  'tokenAccount.expiryMonth': '05',
  'tokenAccount.expiryYear': '2034',
  'tokenAccount.cryptogram': 'AK+zkbPMCORcABCD3AGRAoACFA==',
  shopperResultUrl: way,
};

test('a card number sent as a network token does not bypass the authentication', async () => {
  const asCard = { ...card, 'card.number': number, shopperResultUrl: way };
  expect((await at.shopper.post(payPath(await at.checkout()), asCard)).code).toBe(waits);
  const { 'tokenAccount.cryptogram': _, ...bare } = asToken;
  for (const sent of [asToken, bare]) {
    const reply = await at.shopper.post(payPath(await at.checkout()), sent);
    expect(reply.code).not.toBe(yes);
    expect(errorsOf(reply)['tokenAccount.number']).toContain('only by the shop');
  }
});
