/** A payment that waits for a shopper who never comes ends by itself, and money already taken is never timed out. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PATIENCE_MS } from '../../../src/gateway/acquirers/simulator/methods/shopper-decision.ts';
import { pendingDeadlines } from '../../../src/gateway/payments/pending-deadlines.ts';
import { brands } from '../../../src/gateway/spec/brands.ts';
import { idOf, payment, testGateway } from '../../support/gateway/gateway.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';
import { openShop, type Shop } from './gateway-in-memory.ts';

const pendingCode = '000.200.000';
const MINUTE_MS = 60_000;

let clock: VirtualClock;
let shop: Shop;
const faults: unknown[] = [];
beforeEach(async () => {
  clock = virtualClock();
  shop = await openShop({ clock, report: (error) => faults.push(error) });
});
afterEach(async () => {
  await shop.gateway.close();
  expect(faults.splice(0)).toEqual([]);
});

const startPending = (paymentBrand = 'SOFORTUEBERWEISUNG') =>
  shop.post('v1/payments', {
    amount: '10.00',
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand,
    shopperResultUrl: 'https://merchant.test/thanks',
  });
const pressButton = async (url: string, decision: string) =>
  shop.gateway.fetch(new Request(url, { method: 'POST', body: new URLSearchParams({ decision }) }));
const urlOf = (reply: Awaited<ReturnType<typeof startPending>>) =>
  String((reply.body['redirect'] as { url: string }).url);
const storedPayment = async (id: string) => shop.gateway.store.payment(id);

test.each(brands.filter(({ asynchronous }) => asynchronous).map(({ name }) => name))(
  '%s redirects the shopper with a complete redirect, and ends as they decide',
  async (brand) => {
    const first = await startPending(brand);
    expect(first).toMatchObject({
      code: pendingCode,
      body: { redirect: { method: 'GET', parameters: [], preconditions: [] } },
    });
    await pressButton(urlOf(first), 'pays');
    expect(await storedPayment(idOf(first))).toMatchObject({ state: 'done', resultCode: '000.100.110' });
  },
);

test('closing the page leaves the payment waiting, leads back to the shop, and allows another visit', async () => {
  const first = await startPending();
  const response = await pressButton(urlOf(first), 'later');
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toContain(`resourcePath=%2Fv1%2Fpayments%2F${idOf(first)}`);
  expect(await storedPayment(idOf(first))).toMatchObject({ state: 'processing' });
  await pressButton(urlOf(first), 'refuses');
  expect(await storedPayment(idOf(first))).toMatchObject({ state: 'done', resultCode: '100.396.101' });
});

test('without a shopper it ends after its time without a query, and the page says so', async () => {
  const first = await startPending();
  await clock.advance(PATIENCE_MS - 2 * MINUTE_MS);
  expect(await storedPayment(idOf(first))).toMatchObject({ state: 'processing' });
  await clock.advance(4 * MINUTE_MS);
  expect(await storedPayment(idOf(first))).toMatchObject({ state: 'done', resultCode: '100.396.103' });
  expect((await shop.gateway.fetch(new Request(urlOf(first)))).status).toBe(404);
  await pressButton(urlOf(first), 'pays');
  expect(await storedPayment(idOf(first))).toMatchObject({ resultCode: '100.396.103' });
});

test('a processor’s payment is queried until its ending is known, and is never timed out here', async () => {
  const gateway = await testGateway({ clock });
  const redirect = { url: 'https://bank.test/', method: 'GET', parameters: [], preconditions: [] } as const;
  gateway.acquirer.next({ resultCode: pendingCode, redirect });
  const first = await gateway.post('v1/payments', payment());
  const job = pendingDeadlines({ ...gateway.app.gateway, report: (error) => faults.push(error) });
  await clock.advance(14 * MINUTE_MS);
  expect(gateway.acquirer.inquired).toEqual([]);
  await clock.advance(3 * MINUTE_MS);
  expect(gateway.acquirer.inquired.length).toBeGreaterThan(0);
  await clock.advance(24 * 60 * MINUTE_MS);
  expect(await gateway.store.payment(idOf(first))).toMatchObject({ state: 'processing' });
  // Every minute in the first hour, then every hour.
  expect(gateway.acquirer.inquired.length).toBeLessThan(100);
  gateway.acquirer.decide(idOf(first), {});
  await clock.advance(61 * MINUTE_MS);
  expect(await gateway.store.payment(idOf(first))).toMatchObject({ state: 'done', resultCode: '000.100.110' });
  await job.end();
  await gateway.app.close();
});

test('a silent processor is reported, and asked again', async () => {
  const gateway = await testGateway({ clock });
  gateway.acquirer.next({ resultCode: pendingCode });
  const first = await gateway.post('v1/payments', payment());
  const job = pendingDeadlines({ ...gateway.app.gateway, report: () => {} });
  gateway.acquirer.setDeaf('deaf');
  await clock.advance(20 * MINUTE_MS);
  expect(gateway.reported.length).toBeGreaterThan(0);
  gateway.acquirer.setDeaf('hearing');
  gateway.acquirer.decide(idOf(first), { resultCode: '100.396.101' });
  await clock.advance(2 * MINUTE_MS);
  expect(await gateway.store.payment(idOf(first))).toMatchObject({ resultCode: '100.396.101' });
  await job.end();
  await gateway.app.close();
});
