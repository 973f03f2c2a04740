/** The gateway's own calls to the shop: at which minute, once, and only when needed (spec 3, 6). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Parameters } from '../../support/gateway/gateway.ts';
import { type Counter, card, MINUTE, OK, openCounter, payPath } from './counter.ts';
import { isEventually, type ListeningShop, listeningShop } from './listening-shop.ts';

let counter: Counter;
let shop: ListeningShop;
beforeEach(async () => {
  counter = await openCounter();
  shop = await listeningShop();
});
afterEach(async () => {
  await counter.gateway.close();
  await shop.close();
  expect(counter.faults).toEqual([]);
});

const SECOND = 1000;
const wallet: Parameters = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com' };
const closedAccount: Parameters = { ...wallet, 'virtualAccount.accountId': 'closed@example.com' };
const transfer: Parameters = { paymentBrand: 'SOFORTUEBERWEISUNG' };
const submit = (id: string, form: Parameters) => counter.shopper.post(payPath(id), form);
const returnParameters = () => ({ shopperResultUrl: `${shop.url}/back?order=7#top` });
const query = (id: string) => `id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`;

/** Advances the time, and lets every due call happen. */
const advanceUntilCalled = async (ms: number, calls: number): Promise<void> => {
  await counter.clock.advance(ms);
  await isEventually(() => shop.received.length >= calls);
  await counter.clock.settle();
};
/** Many more turns of the event loop than a call would need. */
const callsWithin = async (ms: number): Promise<readonly string[]> => {
  await counter.clock.advance(ms);
  for (let turn = 0; turn < 300; turn += 1) await counter.clock.settle();
  return shop.received;
};

test('calls for an unfetched status at 29:00 and once more before the end, and never again', async () => {
  const id = await counter.checkout(returnParameters());
  expect((await submit(id, card)).code).toBe(OK);
  expect(await callsWithin(28 * MINUTE + 59 * SECOND)).toEqual([]);
  await advanceUntilCalled(SECOND, 1);
  expect(shop.received).toEqual([`/back?order=7&${query(id)}`]);
  await advanceUntilCalled(29 * SECOND, 1);
  expect(shop.received).toHaveLength(1);
  await advanceUntilCalled(SECOND, 2);
  expect(shop.received).toEqual([`/back?order=7&${query(id)}`, `/back?order=7&${query(id)}`]);
  expect(await callsWithin(29 * SECOND)).toHaveLength(2);
  expect(await callsWithin(SECOND)).toHaveLength(2);
  expect(await callsWithin(24 * 60 * MINUTE)).toHaveLength(2);
});

test('a shop that fetched the status is not called, or not a second time', async () => {
  const [early, between] = [await counter.checkout(returnParameters()), await counter.checkout(returnParameters())];
  for (const id of [early, between]) await submit(id, card);
  expect((await counter.shop.get(payPath(early))).code).toBe(OK);
  await advanceUntilCalled(29 * MINUTE, 1);
  expect(shop.received).toEqual([`/back?order=7&${query(between)}`]);
  await counter.shop.get(payPath(between));
  expect(await callsWithin(10 * MINUTE)).toHaveLength(1);
});

test('makes no call if nothing was submitted', async () => {
  const id = await counter.checkout(returnParameters());
  await counter.shop.get(payPath(id));
  await counter.shopper.post(payPath(id), { ...card, amount: '1.00' });
  expect(await callsWithin(31 * MINUTE)).toEqual([]);
});

test('a shop that fetched a pending status is still called', async () => {
  const id = await counter.checkout(returnParameters());
  await submit(id, transfer);
  expect((await counter.shop.get(payPath(id))).code).toBe('000.200.000');
  await advanceUntilCalled(29 * MINUTE, 1);
  expect(shop.received).toHaveLength(1);
});

test('calls about a new attempt although an earlier decline was fetched', async () => {
  const id = await counter.checkout(returnParameters());
  await submit(id, closedAccount);
  await counter.shop.get(payPath(id));
  await submit(id, wallet);
  await advanceUntilCalled(29 * MINUTE, 1);
  expect(shop.received).toHaveLength(1);
});

test('notificationUrl is called when the payment is approved, once', async () => {
  const id = await counter.checkout({ notificationUrl: `${shop.url}/note` });
  await submit(id, closedAccount);
  expect(await callsWithin(MINUTE)).toEqual([]);
  await submit(id, wallet);
  await advanceUntilCalled(0, 1);
  expect(shop.received).toEqual([`/note?${query(id)}`]);
  await counter.shop.get(payPath(id));
  expect(await callsWithin(60 * MINUTE)).toHaveLength(1);
});

test('notificationUrl is called about a decline when little time is left for another attempt', async () => {
  const id = await counter.checkout({ notificationUrl: `${shop.url}/note` });
  await submit(id, closedAccount);
  expect(await callsWithin(28 * MINUTE + 59 * SECOND)).toEqual([]);
  await advanceUntilCalled(SECOND, 1);
  expect(shop.received).toEqual([`/note?${query(id)}`]);
});

test('notificationUrl is called at once about a decision at the bank', async () => {
  const id = await counter.checkout({ ...returnParameters(), notificationUrl: `${shop.url}/note` });
  const reply = await submit(id, transfer);
  const { url } = reply.body['redirect'] as { url: string };
  await counter.raw(new URL(url).pathname.slice(1), {
    method: 'POST',
    body: 'decision=pays',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await advanceUntilCalled(0, 1);
  expect(shop.received).toEqual([`/note?${query(id)}`]);
});

test('notificationUrl is called for a registration too, with its own path', async () => {
  const created = await counter.shop.post('v1/checkouts', { createRegistration: 'true', ...returnParameters() });
  const id = String(created.body['id']);
  await counter.shopper.post(`v1/checkouts/${id}/registration`, card);
  await advanceUntilCalled(29 * MINUTE, 1);
  expect(shop.received).toEqual([`/back?order=7&id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fregistration`]);
});

test('follows no redirect, and does not repeat a call that got an error', async () => {
  const other = await listeningShop(302);
  const failingShop = await listeningShop(500);
  for (const { url } of [other, failingShop])
    await submit(await counter.checkout({ shopperResultUrl: `${url}/back` }), wallet);
  await counter.clock.advance(29 * MINUTE);
  expect(await isEventually(() => other.received.length + failingShop.received.length >= 2)).toBe(true);
  await callsWithin(20 * SECOND);
  expect([other.received.length, failingShop.received.length]).toEqual([1, 1]);
  await Promise.all([other.close(), failingShop.close()]);
});

test('the shop’s values are deleted when the checkout ends, and the row stays', async () => {
  const id = await counter.checkout({
    'customer.email': 'jane@example.com',
    'customer.givenName': 'J',
    'customer.surname': 'J',
  });
  await submit(id, card);
  const before = await counter.gateway.store.checkouts.byId(id);
  expect(before?.sealed).toBeDefined();
  expect(JSON.stringify(before)).not.toMatch(/jane@example|4200000000000000|"123"/);
  await callsWithin(30 * MINUTE);
  const { sealed, attempts } = (await counter.gateway.store.checkouts.byId(id)) ?? {};
  expect([sealed, attempts?.length]).toEqual([undefined, 1]);
});
