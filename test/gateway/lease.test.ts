/** Gateways that share a database: which one ends another's payments, and when. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../src/gateway/database/open.ts';
import type { Store } from '../../src/gateway/store/store.ts';
import { idOf, payment, posSale, testGateway } from '../support/gateway/gateway.ts';
import { type ScriptedAcquirer, scriptedAcquirer } from '../support/gateway/scripted-acquirer.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

const PATIENCE_MS = 30_000;
const LEASE_MS = 2 * PATIENCE_MS;

let store: Store;
let acquirer: ScriptedAcquirer;
let clock: VirtualClock;
beforeEach(async () => {
  // For two gateways one engine behaves like a shared database.
  store = { ...(await openStore(':memory:')), shared: true };
  acquirer = scriptedAcquirer();
  clock = virtualClock();
});
afterEach(() => store.close());

const join = () => testGateway({ store, acquirer, clock });
const hangingStep = { after: new Promise<void>(() => {}) };
const refund = { paymentType: 'RF', amount: '10.00', currency: 'EUR' };

test('a payment in progress in one gateway is left alone by the other until its lease is over', async () => {
  const [firstGateway, other] = [await join(), await join()];
  acquirer.next(hangingStep);
  void firstGateway.post('v1/payments', posSale());
  await clock.settle();
  const id = acquirer.authorised[0]?.id;
  await clock.advance(LEASE_MS - 1);
  expect((await other.get(`v1/payments/${id}`)).code).toBe('000.200.000');
  expect(acquirer.inquired).toEqual([]);
  await clock.advance(1);
  expect((await other.get(`v1/payments/${id}`)).code).toBe('100.396.103');
  await other.app.close();
});

test('an uncertain payment is free at once: the other gateway inquires and reverses', async () => {
  const [firstGateway, other] = [await join(), await join()];
  acquirer.next({ resultCode: '900.100.300' });
  const doubtfulReply = await firstGateway.post('v1/payments', posSale());
  expect(doubtfulReply.code).toBe('900.100.300');
  acquirer.decide(idOf(doubtfulReply), {});
  expect((await other.post(`v1/payments/${idOf(doubtfulReply)}`, { paymentType: 'RV' })).code).toBe('000.100.110');
  expect((await other.post('v1/payments', posSale())).text).toBe(
    (await firstGateway.post('v1/payments', posSale())).text,
  );
  await Promise.all([firstGateway.app.close(), other.app.close()]);
});

test('an acquirer that did not answer is asked again at the next query', async () => {
  const [firstGateway, other] = [await join(), await join()];
  acquirer.next({ lostPart: 'answer' });
  acquirer.setDeaf('deaf');
  expect((await firstGateway.post('v1/payments', posSale())).status).toBe(500);
  acquirer.setDeaf('hearing');
  const found = await other.get('v1/query', { merchantTransactionId: 'till-7-000042' });
  expect(found.body['payments']).toMatchObject([{ result: { code: '000.100.110' } }]);
  await Promise.all([firstGateway.app.close(), other.app.close()]);
});

test('the last capture in one gateway waits for a capture in progress in the other', async () => {
  const [firstGateway, other] = [await join(), await join()];
  const heldReply = await firstGateway.post('v1/payments', payment({ paymentType: 'PA' }));
  const capture = { paymentType: 'CP', amount: '1.00', currency: 'EUR' };
  const { promise: after, resolve: answers } = Promise.withResolvers<void>();
  acquirer.next({ after });
  const earlierReply = firstGateway.post(`v1/payments/${idOf(heldReply)}`, capture);
  await clock.settle();
  const last = other.post(`v1/payments/${idOf(heldReply)}`, { ...capture, sequence: 'FINAL' });
  await clock.advance(1_000);
  expect(acquirer.referred).toHaveLength(1);
  answers();
  await clock.advance(100);
  expect([(await earlierReply).code, (await last).code]).toEqual(['000.100.110', '000.100.110']);
  await Promise.all([firstGateway.app.close(), other.app.close()]);
});

test('payments of a crashed gateway are ended by the others without a query, so its refund blocks no other', async () => {
  const [deadGateway, other] = [await join(), await join()];
  const sale = await deadGateway.post('v1/payments', payment());
  acquirer.next(hangingStep);
  void deadGateway.post(`v1/payments/${idOf(sale)}`, refund);
  await clock.settle();
  expect((await other.post(`v1/payments/${idOf(sale)}`, refund)).code).toBe('700.400.200');
  await clock.advance(2 * LEASE_MS);
  await clock.settle();
  expect((await other.post(`v1/payments/${idOf(sale)}`, refund)).code).toBe('000.100.110');
  await other.app.close();
});

test('a gateway that starts right after another crashed ends its payments when their lease is over', async () => {
  const deadGateway = await join();
  acquirer.next({ ...hangingStep });
  void deadGateway.post('v1/payments', posSale());
  await clock.settle();
  await clock.advance(1_000);
  const next = await join();
  await next.app.ready;
  await clock.advance(2 * LEASE_MS);
  await clock.settle();
  expect(await store.unfinished(Number.MAX_SAFE_INTEGER)).toEqual([]);
  await next.app.close();
});

test('a closed gateway ends no payments any more', async () => {
  const gateway = await join();
  await gateway.app.ready;
  await gateway.app.close();
  expect(clock.waiting()).toBe(0);
});
