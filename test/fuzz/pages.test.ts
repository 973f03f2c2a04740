/** The simulated bank's page under attack: markup, addresses that reach into its policy, interrupted bodies. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { type Embedded, openGateway } from '../../src/gateway/server/embedded.ts';
import { entityId, idOf, type Parameters, replyOf, token } from '../support/gateway/gateway.ts';

let gateway: Embedded;
let faults: unknown[];
beforeEach(async () => {
  faults = [];
  gateway = await openGateway({
    dataDir: ':memory:',
    channels: [{ entityId, token }],
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    report: (error) => faults.push(error),
  });
});
afterEach(async () => {
  await gateway.close();
  expect(faults).toEqual([]);
});

const headers = { authorization: `Bearer ${token}` };
const sale = { amount: '1.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'SOFORTUEBERWEISUNG' };
const pay = async (parameters: Parameters) => {
  const body = new URLSearchParams({ entityId, ...sale, ...parameters });
  const request = new Request('http://gateway.test/v1/payments', { method: 'POST', body, headers });
  return replyOf(await gateway.fetch(request));
};

/** The address of the page that asks the shopper. */
const pageFor = async (shopperResultUrl: string, name: string): Promise<string> => {
  const reply = await pay({ shopperResultUrl, 'merchant.name': name });
  return (reply.body['redirect'] as { url: string }).url;
};

test.each([
  'https://shop.example.com/back',
  'https://a;sandbox/',
  'https://a,script-src/',
  "https://a'b/",
  'https://*/',
  'https://käse.example:8443/ö?x="><script>',
  'http://[2001:db8::1]/',
])('the return address %s adds only its origin to the page’s policy', async (returnUrl) => {
  const page = await gateway.fetch(new Request(await pageFor(returnUrl, '"><script>alert(1)</script>')));
  expect(page.status).toBe(200);
  expect(await page.text()).not.toMatch(/<script|"><img/);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy.split(/[;,]/).map((directive) => directive.trim().split(' ')[0])).toEqual([
    'default-src',
    'style-src',
    'img-src',
    'form-action',
    'base-uri',
    'frame-ancestors',
  ]);
  expect(policy).not.toContain('*');
});

test('an interrupted answer is no decision, and no internal error', async () => {
  const url = await pageFor('https://shop.example.com/back', 'Corner Shop');
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pulled++ === 0) controller.enqueue(new TextEncoder().encode('decision=pa'));
      else controller.error(new Error('reset'));
    },
  });
  const brokenRequest = new Request(url, { method: 'POST', body, ...{ duplex: 'half' } });
  expect((await gateway.fetch(brokenRequest)).status).toBe(200);
  const decided = await gateway.fetch(new Request(url, { method: 'POST', body: 'decision=pays' }));
  expect(decided.status).toBe(303);
});

test('if the answer with the redirect to the bank was lost, a query of the payment returns it', async () => {
  const lostReply = await pay({ amount: '8000.68', shopperResultUrl: 'https://shop.example.com/back' });
  expect(lostReply).toMatchObject({ status: 400, code: '900.100.300' });
  const url = `http://gateway.test/v1/payments/${idOf(lostReply)}?entityId=${entityId}`;
  const found = await replyOf(await gateway.fetch(new Request(url, { headers })));
  const page = `http://gateway.test/v1/simulators/bank/${idOf(lostReply)}`;
  expect(found).toMatchObject({ code: '000.200.000', body: { redirect: { url: page, parameters: [] } } });
});
