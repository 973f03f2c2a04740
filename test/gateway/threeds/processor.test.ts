/** The authentication data that a channel's processor gets: made here, made elsewhere, or none. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { otherEntityId } from '../../support/gateway/gateway.ts';
import { type UpstreamHost, upstreamHost } from '../../support/gateway/upstream-host.ts';
import { openShop, type Shop } from '../payments/gateway-in-memory.ts';
import { cardPayment } from './secured-shop.ts';

let processor: UpstreamHost;
let shop: Shop;
beforeEach(async () => {
  processor = await upstreamHost();
  const upstream = { baseUrl: processor.baseUrl, entityId: otherEntityId, token: 'processor-token' };
  shop = await openShop({ channel: { upstream, threeDSecure: { enabled: true, whenNotPossible: 'proceed' } } });
});
afterEach(async () => {
  await shop.gateway.close();
  await processor.close();
});

const external = { testMode: 'EXTERNAL' };

const secureFieldsOf = ({ posted: [sentRequest] }: UpstreamHost) =>
  Object.fromEntries(Object.entries(sentRequest?.form ?? {}).filter(([name]) => name.startsWith('threeDSecure.')));

test('sends the result of an authentication made here', async () => {
  expect(await shop.post('v1/payments', cardPayment('4200000000000026', external))).toMatchObject({ status: 200 });
  expect(secureFieldsOf(processor)).toMatchObject({
    'threeDSecure.eci': '05',
    'threeDSecure.authenticationStatus': 'Y',
    'threeDSecure.version': '2.2.0',
  });
});

test('a card unknown to its issuer has no authentication value, and the eci says so', async () => {
  expect(await shop.post('v1/payments', cardPayment('4012001037141112', external))).toMatchObject({ status: 200 });
  expect(secureFieldsOf(processor)).toEqual({ 'threeDSecure.eci': '07' });
});

test('passes on the result of an authentication elsewhere unchanged, also of version 2.1', async () => {
  const proof = {
    'threeDSecure.eci': '05',
    'threeDSecure.verificationId': 'jKl8CBIAAAAAAAAAAAAAAAAAAAA=',
    'threeDSecure.dsTransactionId': '4f9a2c1e-7c1b-4a0e-9d8e-0c9b1c7e2f31',
    'threeDSecure.authenticationStatus': 'Y',
    'threeDSecure.version': '2.1.0',
  };
  const reply = await shop.post('v1/payments', cardPayment('6250947000000089', { ...external, ...proof }));
  expect(reply).toMatchObject({ status: 200, body: { threeDSecure: { version: '2.1.0', eci: '05' } } });
  expect(secureFieldsOf(processor)).toEqual(proof);
});
