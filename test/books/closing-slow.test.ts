/** With a slow gateway the closing page shows the previous comparison, and is notified of the new one. */
import { afterEach, expect, test } from 'vitest';
import { pause } from '../../src/base/clock.ts';
import { booksRig, type Life, type Rig } from './manager-rig.ts';

let rig: Rig;
let till: Life;
let slow = false;
let lists = 0;
afterEach(async () => {
  await till.close();
  rig.remove();
});

const open = async (): Promise<void> => {
  rig = booksRig();
  slow = false;
  lists = 0;
  const { host, clock } = rig;
  const list: typeof host.list = async (period) => {
    lists += 1;
    if (slow) await pause(clock, 5_000);
    return host.list(period);
  };
  till = await rig.open({ host: () => ({ ...host, list }) });
};

const look = async () => (await rig.done(till.service.closing())).checks.find(({ what }) => what === 'gatewayAgrees');
const closingEventCount = () => till.told.filter((event) => event.on === 'changed' && event.what === 'closing').length;

test('the page waits briefly, shows the previous comparison with its time, and later the new one', async () => {
  await open();
  await till.sell(1_000n);
  const first = await look();
  expect([first?.ok, first?.asOf]).toEqual([true, undefined]);
  const comparedAt = rig.clock.now();
  slow = true;
  await till.sell(2_000n);
  const from = rig.clock.now();
  const earlyState = await look();
  expect(rig.clock.now() - from).toBeLessThan(500);
  expect(earlyState?.ok).toBe(true);
  expect(comparedAt - (earlyState?.asOf ?? 0)).toBeLessThan(500);
  // Requests in the meantime do not ask the gateway again.
  await look();
  expect([lists, closingEventCount()]).toEqual([2, 0]);
  await rig.clock.advance(6_000);
  expect(closingEventCount()).toBe(1);
  expect((await look())?.asOf).toBeUndefined();
  expect(lists).toBe(2);
});

test('the first comparison of a batch waits for the gateway', async () => {
  await open();
  slow = true;
  await till.sell(1_000n);
  const from = rig.clock.now();
  expect((await look())?.asOf).toBeUndefined();
  expect(rig.clock.now() - from).toBeGreaterThan(5_000);
  expect(till.running.journal.sql.all('SELECT agreed FROM book_line')).toEqual([{ agreed: 1 }]);
});
