/** Malicious requests, and harmless plain forms. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf, type Parameters } from '../../support/gateway/gateway.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import {
  type Counter,
  card,
  errorsOf,
  OK,
  openCounter,
  order,
  payPath,
  pendingCode,
  shopperResultUrl,
} from './counter.ts';

let counter: Counter;
beforeEach(async () => {
  counter = await openCounter();
});
afterEach(async () => {
  await counter.gateway.close();
  expect(counter.faults).toEqual([]);
});

const bad = [
  'javascript://shop.test/%0aalert(1)',
  'https://shop.test@evil.example/',
  'ftp://shop.test/x',
  'shop://paid',
];

test.each(bad)('no shopper is sent to %s: neither the shop nor the shopper’s side can set it', async (address) => {
  const created = await counter.shop.post('v1/checkouts', { ...order, shopperResultUrl: address });
  expect(errorsOf(created)).toHaveProperty('shopperResultUrl');
  expect(errorsOf(await counter.shop.post('v1/checkouts', { ...order, notificationUrl: address }))).toHaveProperty(
    'notificationUrl',
  );
  const id = await counter.checkout();
  const response = await counter.raw(payPath(id), formOf({ ...card, shopperResultUrl: address }, 'text/html'));
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
});

const formOf = (parameters: Parameters, accept: string): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(parameters).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept },
});

test('a line break in the return address ends no header', async () => {
  const id = await counter.checkout();
  const form = { ...card, shopperResultUrl: 'https://shop.test/a\r\nset-cookie: x=1' };
  const reply = await counter.raw(payPath(id), formOf(form, 'text/html'));
  expect([reply.status, reply.headers.get('location'), reply.headers.get('set-cookie')]).toEqual([400, null, null]);
});

test('a plain form is redirected to the shop or to the bank; a script gets JSON', async () => {
  const page = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const paidId = await counter.checkout({ shopperResultUrl });
  const response = await counter.raw(payPath(paidId), formOf(card, page));
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(
    `${shopperResultUrl}&id=${paidId}&resourcePath=%2Fv1%2Fcheckouts%2F${paidId}%2Fpayment`,
  );
  const redirectId = await counter.checkout({ shopperResultUrl });
  const redirectResponse = await counter.raw(payPath(redirectId), formOf({ paymentBrand: 'SOFORTUEBERWEISUNG' }, page));
  expect(redirectResponse.status).toBe(303);
  expect(redirectResponse.headers.get('location')).toMatch(/^https:\/\/pay\.test\/v1\/simulators\/bank\//);
  const script = await counter.raw(
    payPath(await counter.checkout({ shopperResultUrl })),
    formOf(card, 'application/json'),
  );
  expect(script.status).toBe(200);
});

test.each([
  'customer.givenName',
  'billing.city',
  'locale',
  'customParameters[SHOPPER_x]',
  'customParameters[SHOPPER_<b>]',
  'card.holder',
  'paymentBrand',
  '<img src=x onerror=alert(1)>',
])('a script in %s is never answered as a page', async (name) => {
  const id = await counter.checkout();
  const script = '<script>alert(1)</script>';
  const extra: Parameters = name === 'customer.givenName' ? { 'customer.surname': 'J' } : {};
  const reply = await counter.shopper.post(payPath(id), { ...card, ...extra, [name]: script });
  expect(reply.headers.get('content-type')).toBe('application/json;charset=UTF-8');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('any page may read the answers to a browser, which contain no more than it sent', async () => {
  const id = await counter.checkout();
  const reply = await counter.shopper.post(payPath(id), card);
  expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
  expect(reply.text).not.toMatch(/4200000000000000|"123"/);
  const status = await counter.shop.get(payPath(id));
  expect(status.headers.get('access-control-allow-origin')).toBeNull();
});

test('a huge body is not read, and a POST with a query is refused', async () => {
  const id = await counter.checkout();
  const oversizedReply = await counter.shopper.post(payPath(id), {
    ...card,
    'customParameters[SHOPPER_x]': 'x'.repeat(70_000),
  });
  expect(oversizedReply).toMatchObject({ status: 400, code: '200.100.103' });
  const request = await counter.shopper.post(`${payPath(id)}?card.number=4200000000000000`, card);
  expect(request).toMatchObject({ status: 400, code: '200.100.103' });
  expect((await counter.shop.get(payPath(id))).code).toBe(pendingCode);
});

test.each(["' or 1=1 --", '%00', '../payments', 'A'.repeat(200), '%E2%82%AC'])(
  'the id %s belongs to nobody',
  async (guessedId) => {
    for (const path of [`v1/checkouts/${encodeURIComponent(guessedId)}/payment`]) {
      expect((await counter.shopper.post(path, card)).status).toBe(404);
      expect((await counter.shop.get(path)).status).toBe(404);
    }
  },
);

test('without a token nobody can create or change a checkout, or read its result', async () => {
  const id = await counter.checkout();
  for (const reply of [
    await counter.shopper.post('v1/checkouts', order),
    await counter.shopper.post(`v1/checkouts/${id}`, { amount: '1.00' }),
    await counter.shopper.get(payPath(id)),
  ]) {
    expect(reply).toMatchObject({ status: 401, code: '800.900.300' });
  }
});

test('an Idempotency-Key from the shopper’s side does not reach the shop’s answers', async () => {
  const key = { 'idempotency-key': 'order-7' };
  const shops = await counter.shop.post('v1/payments', { ...order, ...card }, key);
  const reply = await counter.shopper.post(payPath(await counter.checkout()), card, key);
  expect(reply.code).toBe(OK);
  expect(idOf(reply)).not.toBe(idOf(shops));
});

test('the store contains no card data, whatever happened to the checkout', async () => {
  const id = await counter.checkout();
  await counter.shopper.post(payPath(id), { ...card, amount: '1.00' });
  await counter.shopper.post(payPath(id), card);
  const { checkouts } = counter.gateway.store;
  const stored = JSON.stringify([await checkouts.byId(id), await checkouts.dueCalls(Number.MAX_SAFE_INTEGER, 100)]);
  expect(stored).not.toMatch(/4200000000000000|"2034"|Jane Jones/);
});

test('throttling slows the channel’s own requests, but not its shoppers’', async () => {
  const slowCounter = await openCounter({ channel: { throttle: { perSecond: 1, burst: 2 } }, clock: virtualClock() });
  const id = await slowCounter.checkout();
  expect((await slowCounter.shop.get(payPath(id))).code).toBe(pendingCode);
  expect(await slowCounter.shop.get(payPath(id))).toMatchObject({ status: 429, code: '800.120.100' });
  expect((await slowCounter.shopper.post(payPath(id), card)).code).toBe(OK);
  await slowCounter.gateway.close();
});
