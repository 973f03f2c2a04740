/** Webhooks on PostgreSQL: the triggers there, and several gateways that deliver from one database. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/gateway/database/open.ts';
import type { Store } from '../../src/gateway/store/store.ts';
import { registration } from '../contract/store-samples.ts';
import { accepted, type DeliveryRig, debit, openDeliveryRig, unreachable } from '../gateway/webhooks/delivery-rig.ts';
import { entityId } from '../support/gateway/gateway.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const MINUTE = 60_000;
let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
const openStore = async (url: string): Promise<Store> => {
  const store = await openPostgresStore(url);
  ends.push(() => store.close());
  return store;
};
const openDelivery = (works: DeliveryRig) => {
  const delivery = works.startDelivery();
  ends.push(() => delivery.end());
  return delivery;
};

test('payments and registrations create the same events as on SQLite', async () => {
  const works = await openDeliveryRig({ store: await openStore(await server.database()) });
  const { id } = await works.url('shop');
  await works.store.webhooks.change(id, (current) => ({ ...current, types: ['PAYMENT', 'REGISTRATION', 'RISK'] }));
  const { state: _, resultCode: __, ...rest } = debit('p1') as ReturnType<typeof debit> & { resultCode: string };
  const processing = { ...rest, state: 'processing' as const };
  const stored = registration({ id: 'r1', entityId });
  const withRisk = { ...rest.facts, riskScore: 7, stores: stored };
  await works.store.transact([], (session) => session.add({ ...processing, facts: withRisk }, []));
  await works.store.note('p1', { ...withRisk, answer: { details: {} } });
  await works.store.note('p1', { ...withRisk, answer: { details: { again: 'yes' } } });
  await works.store.finish('p1', { resultCode: '000.100.110', facts: rest.facts, registration: stored });
  await works.store.transact([], async (session) => {
    await session.changeRegistration({ ...stored, sealed: { keyId: 'k9', wrappedKey: 'w', box: 'b' } });
    await session.changeRegistration({ ...stored, keptUntil: stored.keptUntil + 1 });
    const { sealed: ___, ...open } = stored;
    await session.changeRegistration({ ...open, state: 'deleted' });
  });
  const current = works.clock.now();
  expect(
    await works.store.webhooks.numberEvents({ webhookId: id, now: current, givesUpAt: current + 1, limit: 99 }),
  ).toBe(6);
  const events = await works.store.webhooks.due({ webhookId: id, now: current, limit: 99 });
  expect(events.map(({ number, type, action }) => [number, type, action])).toEqual([
    [1, 'RISK', undefined],
    [2, 'PAYMENT', undefined],
    [3, 'PAYMENT', undefined],
    [4, 'REGISTRATION', 'CREATED'],
    [5, 'REGISTRATION', 'UPDATED'],
    [6, 'REGISTRATION', 'DELETED'],
  ]);
  // Sealed data is destroyed with its registration: no event keeps it.
  expect(JSON.stringify(events.map(({ snapshot }) => snapshot))).not.toContain('wrappedKey');
});

test('one of several gateways delivers each event; when it dies, another continues', async () => {
  const url = await server.database();
  const clock = virtualClock();
  const first = await openDeliveryRig({ store: await openStore(url), clock });
  const second = await openDeliveryRig({ store: await openStore(url), clock, vault: first.context.vault });
  const { id } = await first.url('shop');
  openDelivery(first);
  openDelivery(second);
  await first.pay(...Array.from({ length: 300 }, (_, index) => `p${index}`));
  await clock.advance(MINUTE / 2);
  const attempts = [...first.deliveryTries, ...second.deliveryTries];
  expect(attempts).toHaveLength(300);
  expect(new Set(attempts.map(({ sequence }) => sequence)).size).toBe(300);
  // One gateway hangs in a call, and its lease expires.
  let hangUp = () => {};
  const hanging = new Promise<typeof unreachable>((resolve) => {
    hangUp = () => resolve(unreachable);
  });
  let holder: DeliveryRig | undefined;
  for (const works of [first, second]) {
    works.answer = () => {
      holder ??= works;
      return holder === works ? hanging : accepted;
    };
  }
  await first.pay('late');
  await clock.advance(MINUTE / 4);
  expect(holder).toBeDefined();
  await clock.advance(2 * MINUTE);
  const otherHolder = holder === first ? second : first;
  expect(otherHolder.deliveryTries.map(({ subject }) => subject)).toContain('late');
  hangUp();
  await clock.advance(MINUTE / 4);
  expect(await first.store.webhooks.eventCounts(id)).toMatchObject({ delivered: 301 });
  expect([...first.reportedErrors, ...second.reportedErrors]).toEqual([]);
});
