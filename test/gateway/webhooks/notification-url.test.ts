/** notificationUrl of payments: called when the payment has its ending, signed, and again until it is accepted. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entityId, idOf, type Parameters, payment, token } from '../../support/gateway/gateway.ts';
import { type Counter, MINUTE, OK, openCounter, order, payPath } from '../checkout/counter.ts';
import { isEventually } from '../checkout/listening-shop.ts';

type ReceivedCall = { path: string; headers: IncomingHttpHeaders };

let counter: Counter;
let received: ReceivedCall[];
let status: number;
let url: string;
let close: () => Promise<void>;
beforeEach(async () => {
  [received, status] = [[], 200];
  const server = createServer(({ url: path = '', headers, method }, response) => {
    received.push({ path: `${method} ${path}`, headers });
    response.writeHead(status).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify?shop=7`;
  close = () => new Promise((closed) => server.close(() => closed()).closeAllConnections());
  counter = await openCounter();
});
afterEach(async () => {
  await counter.gateway.close();
  await close();
  expect(counter.faults).toEqual([]);
});

/** Advances the time, and lets every due call happen. */
const advanceUntilCalled = async (ms: number, calls: number): Promise<number> => {
  await counter.clock.advance(ms);
  await isEventually(() => received.length >= calls);
  for (let turn = 0; turn < 50; turn += 1) await counter.clock.settle();
  return received.length;
};
const pay = (extra: Parameters = {}) =>
  counter.shop.post('v1/payments', { ...payment(), notificationUrl: url, ...extra });
const notificationLine = (id: string, path = '/v1/payments/'): string =>
  `GET /notify?shop=7&id=${id}&resourcePath=${encodeURIComponent(`${path}${id}`)}`;

test('an ended payment is notified once, with the query of the shopper’s return address, and signed', async () => {
  const reply = await pay();
  const declined = await pay({ amount: '8000.51' });
  await advanceUntilCalled(1_000, 2);
  expect(received.map(({ path }) => path).sort()).toEqual(
    [notificationLine(idOf(reply)), notificationLine(idOf(declined))].sort(),
  );
  for (const { path, headers } of received) {
    const timestamp = String(headers['x-signature-timestamp']);
    expect(Number(timestamp)).toBe(Math.floor(counter.clock.now() / 1000) - 1);
    const address = new URL(path.slice('GET '.length), url).href;
    const signature = createHmac('sha256', token).update(`${timestamp}.${address}`).digest('hex');
    expect([headers['x-signature'], headers['x-event-attempt']]).toEqual([signature, '1']);
  }
  expect(await advanceUntilCalled(60 * MINUTE, 3)).toBe(2);
});

test('a payment that waits for its shopper is notified when it has ended', async () => {
  const waitingReply = await pay({
    ...{ 'card.number': '', 'card.expiryMonth': '', 'card.expiryYear': '' },
    paymentBrand: 'SOFORTUEBERWEISUNG',
    shopperResultUrl: 'https://shop.test/back',
  });
  expect(waitingReply.code).toBe('000.200.000');
  expect(await advanceUntilCalled(5_000, 1)).toBe(0);
  const redirect = waitingReply.body['redirect'] as { url: string };
  await counter.raw(new URL(redirect.url).pathname.slice(1), {
    method: 'POST',
    body: 'decision=pays',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await advanceUntilCalled(0, 1);
  expect(received.map(({ path }) => path)).toEqual([notificationLine(idOf(waitingReply))]);
});

test('it is called again after 1, 2, 4 … minutes, like a webhook, until it is accepted', async () => {
  status = 500;
  const sale = await pay();
  await advanceUntilCalled(1_000, 1);
  let calls = 1;
  for (const minutes of [1, 2, 4, 8]) {
    expect(await advanceUntilCalled(minutes * MINUTE - 10_000, calls)).toBe(calls);
    calls += 1;
    await advanceUntilCalled(12_000, calls);
    expect([minutes, received.length, received.at(-1)?.headers['x-event-attempt']]).toEqual([
      minutes,
      calls,
      `${calls}`,
    ]);
  }
  status = 204;
  await advanceUntilCalled(15 * MINUTE, calls + 1);
  expect(await advanceUntilCalled(30 * MINUTE, calls + 2)).toBe(calls + 1);
  expect(new Set(received.map(({ path }) => path))).toEqual(new Set([notificationLine(idOf(sale))]));
});

test('when its time is over there are no more calls', async () => {
  status = 500;
  const now = counter.clock.now();
  const call = { id: 'a', entityId, url, dueAt: now + 1_000, givesUpAt: now + 2 * MINUTE, attempts: 0 };
  await counter.gateway.store.transact([], ({ notifications }) => notifications.add(call));
  counter.gateway.gateway.checkoutSignal.wake();
  await advanceUntilCalled(2_000, 1);
  await advanceUntilCalled(MINUTE + 1_000, 2);
  expect(await advanceUntilCalled(30 * MINUTE, 3)).toBe(2);
  expect(await counter.gateway.store.notifications.next(0)).toBeUndefined();
});

test('follow-ups, stored cards and their charges are notified with their own ids', async () => {
  const sale = await counter.shop.post('v1/payments', payment({ createRegistration: 'true' }));
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR', notificationUrl: url };
  const returnReply = await counter.shop.post(`v1/payments/${idOf(sale)}`, refund);
  const path = `v1/registrations/${sale.body['registrationId']}/payments`;
  const charge = await counter.shop.post(path, { ...order, notificationUrl: url });
  const { amount: _, currency: __, paymentType: ___, ...card } = payment();
  const stored = idOf(await counter.shop.post('v1/registrations', { ...card, notificationUrl: url }));
  await advanceUntilCalled(1_000, 3);
  expect(received.map((each) => each.path).sort()).toEqual(
    [
      notificationLine(idOf(returnReply)),
      notificationLine(idOf(charge)),
      notificationLine(stored, '/v1/registrations/'),
    ].sort(),
  );
});

test('a repeat with the same key is notified once', async () => {
  const form = { ...payment(), entityId, notificationUrl: url };
  for (let time = 0; time < 2; time += 1)
    await counter.shop.post('v1/payments', form, { 'idempotency-key': 'order-7' });
  await advanceUntilCalled(1_000, 2);
  expect(received).toHaveLength(1);
});

test('a checkout’s call is repeated until it is accepted too', async () => {
  status = 503;
  const id = await counter.checkout({ notificationUrl: url });
  expect((await counter.shopper.post(payPath(id), payment({ amount: '', currency: '', paymentType: '' }))).code).toBe(
    OK,
  );
  await advanceUntilCalled(1_000, 1);
  status = 200;
  await advanceUntilCalled(MINUTE + 2_000, 2);
  const path = `GET /notify?shop=7&id=${id}&resourcePath=${encodeURIComponent(`/v1/checkouts/${id}/payment`)}`;
  expect(received.map((each) => each.path)).toEqual([path, path]);
  expect(await advanceUntilCalled(60 * MINUTE, 3)).toBe(2);
});
