/** When and in which order events are tried again and again: thirty days of it in moments. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resend } from '../../../src/gateway/webhooks/manage.ts';
import { byNight } from '../../support/night/night.ts';
import { accepted, type DeliveryRig, debit, openDeliveryRig, serverError, unreachable } from './delivery-rig.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The step of the clock in tests over days, in which nothing falls due within an hour. */
const RETRY_STEP = byNight({ day: HOUR, night: MINUTE });

let rig: DeliveryRig;
let deliveries: ReturnType<DeliveryRig['startDelivery']>[];
beforeEach(async () => {
  // One round a minute is enough in tests over days.
  rig = await openDeliveryRig({ pollIntervalMs: MINUTE });
  deliveries = [];
});
afterEach(async () => {
  for (const each of deliveries) await each.end();
  await rig.store.close();
  expect(rig.reportedErrors).toEqual([]);
  expect(rig.clock.waiting()).toBe(0);
});
const startDelivery = (pollIntervalMs?: number) => {
  const delivery = rig.startDelivery(pollIntervalMs);
  deliveries.push(delivery);
  return delivery;
};
/** Minutes from the first attempt on. */
const minutesOf = (tries: readonly { at: number }[]) => tries.map(({ at }) => (at - (tries[0]?.at ?? 0)) / MINUTE);
const schedule = [0, 1, 3, 7, 15, 30, 60, 120, ...Array.from({ length: 29 }, (_, day) => 120 + (day + 1) * 1440)];

test.each([
  ['nobody answers', unreachable],
  ['the receiver refuses it', serverError],
])(
  '%s: 1, 2, 4, 8, 15, 30 minutes, an hour, then daily for thirty days; then it is given up',
  async (_, outcome) => {
    const { id } = await rig.url('shop');
    rig.answer = () => outcome;
    await rig.pay('p1');
    const first = startDelivery();
    await rig.clock.advance(3 * HOUR);
    await first.end();
    startDelivery(RETRY_STEP);
    await rig.clock.advance(40 * DAY);
    expect(minutesOf(rig.deliveryTries)).toEqual(schedule);
    expect(rig.deliveryTries.map(({ attempt }) => attempt)).toEqual(schedule.map((_, index) => index + 1));
    expect(await rig.store.webhooks.eventCounts(id)).toEqual({ new: 0, waiting: 0, delivered: 0, dead: 1 });
    // A person resends it, and now the receiver answers.
    rig.answer = () => accepted;
    expect(await resend(rig.context, id, { dead: true })).toBe(1);
    await rig.clock.advance(2 * RETRY_STEP);
    expect(rig.deliveryTries.at(-1)).toMatchObject({ attempt: 1, sequence: 1 });
    expect(await rig.store.webhooks.eventCounts(id)).toMatchObject({ delivered: 1, dead: 0 });
  },
  120_000,
);

test('a silent receiver backs off as a whole, and gets everything in order when it is back', async () => {
  const { id } = await rig.url('shop');
  const ids = Array.from({ length: 600 }, (_, index) => `p${String(index).padStart(3, '0')}`);
  rig.answer = () => unreachable;
  await rig.pay(...ids);
  startDelivery();
  await rig.clock.advance(16 * MINUTE);
  // In each of five rounds a few calls probed the receiver; six hundred others were not made.
  expect(rig.deliveryTries.length).toBeLessThanOrEqual(16 + 4 * 4);
  expect((await rig.store.webhooks.byId(id))?.failures).toBe(5);
  const before = rig.deliveryTries.length;
  rig.answer = () => accepted;
  await rig.clock.advance(16 * MINUTE);
  expect(rig.deliveryTries.slice(before).map(({ subject }) => subject)).toEqual(ids);
  expect(rig.deliveryTries.slice(before).map(({ sequence }) => sequence)).toEqual(ids.map((_, index) => index + 1));
  expect((await rig.store.webhooks.byId(id))?.failures).toBe(0);
});

test('an event without an attempt is given up after its thirty days too', async () => {
  const { id } = await rig.url('shop');
  rig.answer = () => unreachable;
  await rig.pay(...Array.from({ length: 500 }, (_, index) => `p${index}`));
  startDelivery(RETRY_STEP);
  await rig.clock.advance(31 * DAY);
  expect(await rig.store.webhooks.eventCounts(id)).toEqual({ new: 0, waiting: 0, delivered: 0, dead: 500 });
}, 120_000);

test('a refused event is rescheduled, and delays no other', async () => {
  const { id } = await rig.url('shop');
  rig.answer = ({ subject }) => (subject === 'p2' ? serverError : accepted);
  await rig.pay('p1', 'p2', 'p3');
  startDelivery();
  await rig.clock.advance(MINUTE / 2);
  expect(rig.deliveryTries.map(({ subject }) => subject)).toEqual(['p1', 'p2', 'p3']);
  expect(await rig.store.webhooks.eventCounts(id)).toMatchObject({ waiting: 1, delivered: 2 });
  await rig.pay('p4');
  await rig.clock.advance(4 * MINUTE);
  expect(rig.deliveryTries.slice(3).map(({ subject }) => subject)).toEqual(expect.arrayContaining(['p4', 'p2', 'p2']));
});

test('events of one payment are delivered one after another, those of others in parallel', async () => {
  await rig.url('shop');
  const busyIds = new Set<string>();
  let highest = 0;
  rig.answer = async ({ subject }) => {
    expect(busyIds.has(subject)).toBe(false);
    busyIds.add(subject);
    highest = Math.max(highest, busyIds.size);
    await new Promise((resolve) => setImmediate(resolve));
    busyIds.delete(subject);
    return accepted;
  };
  const answer = { details: {} };
  for (const id of ['p1', 'p2', 'p3']) {
    const { state: _, resultCode: __, ...rest } = debit(id) as ReturnType<typeof debit> & { resultCode: string };
    const processingPayment = { ...rest, state: 'processing' as const, facts: { ...rest.facts, answer } };
    await rig.store.transact([], (session) => session.add(processingPayment, []));
    await rig.store.finish(id, { resultCode: '000.100.110', facts: rest.facts });
  }
  startDelivery();
  await rig.clock.advance(MINUTE);
  expect(highest).toBe(3);
  const sequencesOf = (id: string) =>
    rig.deliveryTries.flatMap(({ subject, sequence }) => (subject === id ? [sequence] : []));
  expect(['p1', 'p2', 'p3'].map(sequencesOf)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
});

test('a new event waits at most an hour for a receiver that was silent for days', async () => {
  await rig.url('shop');
  rig.answer = () => unreachable;
  await rig.pay('p1');
  startDelivery();
  await rig.clock.advance(5 * DAY + 3 * 60 * MINUTE);
  const before = rig.deliveryTries.length;
  rig.answer = () => accepted;
  await rig.pay('p2');
  await rig.clock.advance(62 * MINUTE);
  expect(rig.deliveryTries.slice(before).map(({ subject }) => subject)).toEqual(['p1', 'p2']);
}, 60_000);

test('a receiver that never answers delays no other', async () => {
  for (let index = 0; index < 20; index += 1) await rig.url(`slow${index}`);
  await rig.url('fast');
  const pendingResolvers: (() => void)[] = [];
  rig.answer = ({ url }) => {
    if (!url.includes('slow')) return accepted;
    return new Promise((resolve) => {
      pendingResolvers.push(() => resolve(unreachable));
    });
  };
  await rig.pay(...Array.from({ length: 100 }, (_, index) => `p${index}`));
  startDelivery();
  await rig.clock.advance(MINUTE / 2);
  expect(rig.deliveryTries.filter(({ url }) => url.includes('fast'))).toHaveLength(100);
  // Each slow receiver gets at least one call, and all together are limited.
  expect(pendingResolvers.length).toBeLessThanOrEqual(256 + 20);
  rig.answer = () => unreachable;
  for (const end of pendingResolvers) end();
});

test('delivered events are deleted after thirty days, and given up ones after ninety', async () => {
  const { id } = await rig.url('shop');
  await rig.pay('p1');
  startDelivery(RETRY_STEP);
  await rig.clock.advance(29 * DAY);
  expect(await rig.store.webhooks.eventCounts(id)).toMatchObject({ delivered: 1 });
  expect(await rig.store.webhooks.log({ webhookId: id, limit: 9 })).toMatchObject([{ status: 200, attempt: 1 }]);
  await rig.clock.advance(2 * DAY);
  expect(await rig.store.webhooks.eventCounts(id)).toMatchObject({ delivered: 0 });
  expect(await rig.store.webhooks.log({ webhookId: id, limit: 9 })).toEqual([]);
}, 60_000);
