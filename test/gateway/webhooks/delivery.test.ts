/** When and in which order events are tried again and again: thirty days of it in moments. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resend } from '../../../src/gateway/webhooks/manage.ts';
import { byNight } from '../../support/night/night.ts';
import { type DeliveryRig, openDeliveryRig, paid, refused, silent, taken } from './delivery-rig.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** For tests over days, in which nothing falls due within an hour. */
const SELDOM = byNight({ day: HOUR, night: MINUTE });

let works: DeliveryRig;
let running: ReturnType<DeliveryRig['begin']>[];
beforeEach(async () => {
  // One round a minute is enough in tests over days.
  works = await openDeliveryRig({ pollMs: MINUTE });
  running = [];
});
afterEach(async () => {
  for (const each of running) await each.end();
  await works.store.close();
  expect(works.reported).toEqual([]);
  expect(works.clock.waiting()).toBe(0);
});
const begin = (pollMs?: number) => {
  const delivery = works.begin(pollMs);
  running.push(delivery);
  return delivery;
};
/** Minutes from the first attempt on. */
const minutes = (of: readonly { at: number }[]) => of.map(({ at }) => (at - (of[0]?.at ?? 0)) / MINUTE);
const schedule = [0, 1, 3, 7, 15, 30, 60, 120, ...Array.from({ length: 29 }, (_, day) => 120 + (day + 1) * 1440)];

test.each([
  ['nobody answers', silent],
  ['the receiver refuses it', refused],
])(
  '%s: 1, 2, 4, 8, 15, 30 minutes, an hour, then daily for thirty days; then it is given up',
  async (_, outcome) => {
    const { id } = await works.url('shop');
    works.answer = () => outcome;
    await works.pay('p1');
    const first = begin();
    await works.clock.advance(3 * HOUR);
    await first.end();
    begin(SELDOM);
    await works.clock.advance(40 * DAY);
    expect(minutes(works.tried)).toEqual(schedule);
    expect(works.tried.map(({ attempt }) => attempt)).toEqual(schedule.map((_, index) => index + 1));
    expect(await works.store.webhooks.eventCounts(id)).toEqual({ new: 0, waiting: 0, delivered: 0, dead: 1 });
    // A person resends it, and now the receiver answers.
    works.answer = () => taken;
    expect(await resend(works.managing, id, { dead: true })).toBe(1);
    await works.clock.advance(2 * SELDOM);
    expect(works.tried.at(-1)).toMatchObject({ attempt: 1, sequence: 1 });
    expect(await works.store.webhooks.eventCounts(id)).toMatchObject({ delivered: 1, dead: 0 });
  },
  120_000,
);

test('a silent receiver backs off as a whole, and gets everything in order when it is back', async () => {
  const { id } = await works.url('shop');
  const ids = Array.from({ length: 600 }, (_, index) => `p${String(index).padStart(3, '0')}`);
  works.answer = () => silent;
  await works.pay(...ids);
  begin();
  await works.clock.advance(16 * MINUTE);
  // In each of five rounds a few calls probed the receiver; six hundred others were not made.
  expect(works.tried.length).toBeLessThanOrEqual(16 + 4 * 4);
  expect((await works.store.webhooks.byId(id))?.failures).toBe(5);
  const before = works.tried.length;
  works.answer = () => taken;
  await works.clock.advance(16 * MINUTE);
  expect(works.tried.slice(before).map(({ subject }) => subject)).toEqual(ids);
  expect(works.tried.slice(before).map(({ sequence }) => sequence)).toEqual(ids.map((_, index) => index + 1));
  expect((await works.store.webhooks.byId(id))?.failures).toBe(0);
});

test('an event without an attempt is given up after its thirty days too', async () => {
  const { id } = await works.url('shop');
  works.answer = () => silent;
  await works.pay(...Array.from({ length: 500 }, (_, index) => `p${index}`));
  begin(SELDOM);
  await works.clock.advance(31 * DAY);
  expect(await works.store.webhooks.eventCounts(id)).toEqual({ new: 0, waiting: 0, delivered: 0, dead: 500 });
}, 120_000);

test('a refused event is rescheduled, and delays no other', async () => {
  const { id } = await works.url('shop');
  works.answer = ({ subject }) => (subject === 'p2' ? refused : taken);
  await works.pay('p1', 'p2', 'p3');
  begin();
  await works.clock.advance(MINUTE / 2);
  expect(works.tried.map(({ subject }) => subject)).toEqual(['p1', 'p2', 'p3']);
  expect(await works.store.webhooks.eventCounts(id)).toMatchObject({ waiting: 1, delivered: 2 });
  await works.pay('p4');
  await works.clock.advance(4 * MINUTE);
  expect(works.tried.slice(3).map(({ subject }) => subject)).toEqual(expect.arrayContaining(['p4', 'p2', 'p2']));
});

test('events of one payment are delivered one after another, those of others in parallel', async () => {
  await works.url('shop');
  const under = new Set<string>();
  let most = 0;
  works.answer = async ({ subject }) => {
    expect(under.has(subject)).toBe(false);
    under.add(subject);
    most = Math.max(most, under.size);
    await new Promise((resolve) => setImmediate(resolve));
    under.delete(subject);
    return taken;
  };
  const answer = { details: {} };
  for (const id of ['p1', 'p2', 'p3']) {
    const { state: _, resultCode: __, ...rest } = paid(id) as ReturnType<typeof paid> & { resultCode: string };
    const begun = { ...rest, state: 'processing' as const, facts: { ...rest.facts, answer } };
    await works.store.transact([], (session) => session.add(begun, []));
    await works.store.finish(id, { resultCode: '000.100.110', facts: rest.facts });
  }
  begin();
  await works.clock.advance(MINUTE);
  expect(most).toBe(3);
  const sequences = (id: string) => works.tried.flatMap(({ subject, sequence }) => (subject === id ? [sequence] : []));
  expect(['p1', 'p2', 'p3'].map(sequences)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
});

test('a new event waits at most an hour for a receiver that was silent for days', async () => {
  await works.url('shop');
  works.answer = () => silent;
  await works.pay('p1');
  begin();
  await works.clock.advance(5 * DAY + 3 * 60 * MINUTE);
  const before = works.tried.length;
  works.answer = () => taken;
  await works.pay('p2');
  await works.clock.advance(62 * MINUTE);
  expect(works.tried.slice(before).map(({ subject }) => subject)).toEqual(['p1', 'p2']);
}, 60_000);

test('a receiver that never answers delays no other', async () => {
  for (let index = 0; index < 20; index += 1) await works.url(`slow${index}`);
  await works.url('fast');
  const hanging: (() => void)[] = [];
  works.answer = ({ url }) => {
    if (!url.includes('slow')) return taken;
    return new Promise((resolve) => {
      hanging.push(() => resolve(silent));
    });
  };
  await works.pay(...Array.from({ length: 100 }, (_, index) => `p${index}`));
  begin();
  await works.clock.advance(MINUTE / 2);
  expect(works.tried.filter(({ url }) => url.includes('fast'))).toHaveLength(100);
  // Each slow receiver gets at least one call, and all together are limited.
  expect(hanging.length).toBeLessThanOrEqual(256 + 20);
  works.answer = () => silent;
  for (const end of hanging) end();
});

test('delivered events are deleted after thirty days, and given up ones after ninety', async () => {
  const { id } = await works.url('shop');
  await works.pay('p1');
  begin(SELDOM);
  await works.clock.advance(29 * DAY);
  expect(await works.store.webhooks.eventCounts(id)).toMatchObject({ delivered: 1 });
  expect(await works.store.webhooks.log({ webhookId: id, limit: 9 })).toMatchObject([{ status: 200, attempt: 1 }]);
  await works.clock.advance(2 * DAY);
  expect(await works.store.webhooks.eventCounts(id)).toMatchObject({ delivered: 0 });
  expect(await works.store.webhooks.log({ webhookId: id, limit: 9 })).toEqual([]);
}, 60_000);
