/** The limit of open checkouts per channel, and the deletion of those that were never submitted. */
import { afterEach, expect, test } from 'vitest';
import { otherEntityId } from '../../support/gateway/gateway.ts';
import { type Counter, card, MINUTE, OK, openCounter, order } from './counter.ts';

let counter: Counter;
afterEach(() => counter.gateway.close());

const created = '000.200.100';
const create = (extra = {}, headers = {}) => counter.shop.post('v1/checkouts', { ...order, ...extra }, headers);

test('a channel at its limit is told when to retry, and there is room when the oldest checkout ends', async () => {
  counter = await openCounter({ channel: { limits: { openCheckouts: 3 } } });
  expect(await create()).toMatchObject({ status: 200, code: created });
  await counter.clock.advance(10 * MINUTE);
  // The checkouts are created in parallel: the limit counts those that are written.
  const replies = await Promise.all([create(), create(), create()]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
  const refusal = await create({}, { 'idempotency-key': 'again' });
  expect(refusal).toMatchObject({ status: 429, code: '800.120.100' });
  expect(refusal.text).toContain('3 open checkouts');
  expect(refusal.headers.get('retry-after')).toBe(String(20 * 60));
  // Another channel has its own limit.
  expect(await counter.stranger.post('v1/checkouts', { ...order, entityId: otherEntityId })).toMatchObject({
    status: 200,
  });

  await counter.clock.advance(20 * MINUTE - 1);
  expect(await create()).toMatchObject({ status: 429 });
  await counter.clock.advance(1);
  // The refused request stored nothing under the key, so this one is processed.
  expect(await create({}, { 'idempotency-key': 'again' })).toMatchObject({ status: 200, code: created });
  expect(await create()).toMatchObject({ status: 429 });
});

test('the default limit is high', async () => {
  counter = await openCounter();
  for (let count = 0; count < 50; count += 1) expect(await create()).toMatchObject({ status: 200 });
});

test('a checkout never submitted is deleted after a day; a paid one stays', async () => {
  counter = await openCounter();
  const [left, paidId] = [await counter.checkout(), await counter.checkout()];
  expect((await counter.shopper.post(`v1/checkouts/${paidId}/payment`, card)).code).toBe(OK);
  const { store } = counter.gateway;
  await counter.clock.advance(24 * 60 * MINUTE - 1);
  expect(await counter.shop.get(`v1/checkouts/${left}/payment`)).toMatchObject({ status: 400 });
  expect(await store.checkouts.byId(left)).toBeDefined();
  await counter.clock.advance(24 * 60 * MINUTE);
  expect(await store.checkouts.byId(left)).toBeUndefined();
  expect(await store.checkouts.byId(paidId)).toMatchObject({ attempts: [expect.anything()] });
  expect(await counter.shop.get(`v1/checkouts/${left}/payment`)).toMatchObject({ status: 404 });
});

test('open checkouts are never deleted, whatever the given time', async () => {
  counter = await openCounter();
  const open = await counter.checkout();
  expect(await counter.gateway.store.checkouts.dropAbandoned({ until: Number.MAX_SAFE_INTEGER, limit: 10 })).toBe(0);
  expect(await counter.shop.get(`v1/checkouts/${open}/payment`)).toMatchObject({ status: 200 });
});
