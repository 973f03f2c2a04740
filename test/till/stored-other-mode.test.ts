/** Stored sales of a live till while its gateway is wrong: kept with their card data, and sent once it is fixed. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { openCardTries } from '../../src/queue/retry-rules.ts';
import { queueRows } from '../../src/recovery/queue-view.ts';
import type { HostReply } from '../../src/till/ports.ts';
import { replyOf } from '../support/till/issuer-books.ts';
import { openWrongGateway, type WrongGateway } from './wrong-gateway.ts';

const HOUR_MS = 3_600_000;

let shop: WrongGateway;
beforeEach(() => {
  shop = openWrongGateway('live');
});
afterEach(() => shop.close());

const rows = () =>
  queueRows({
    till: shop.run.till,
    ledger: shop.run.ledger,
    outbox: shop.run.outbox,
    tries: openCardTries(shop.run.journal.sql),
    clock: shop.rig.clock,
    sql: shop.run.journal.sql,
  });

const allFive = ['DB 1.00', 'DB 2.00', 'DB 3.00', 'DB 4.00', 'DB 5.00'];

test('five stored sales meet a test channel for an hour, and are charged once each after a live approval', async () => {
  const sales = await shop.storeFive();
  const first = new Set(sales.map(({ intent }) => intent.key));
  shop.rig.channel.mode = 'test';
  shop.run.forwarder.start();
  await shop.rig.clock.advance(HOUR_MS);
  expect([shop.charged(), shop.withCardData(), shop.run.outbox.parked().length]).toEqual([[], 5, 5]);
  expect([shop.keys.length, new Set(shop.keys)]).toEqual([5, first]);

  shop.rig.channel.mode = 'live';
  await shop.rig.clock.advance(HOUR_MS);
  expect([shop.charged(), shop.withCardData()]).toEqual([[], 5]);
  expect((await shop.sold(700n)).ending).toBe('approved');
  await shop.rig.clock.advance(10 * 60_000);
  await shop.run.forwarder.stop();

  expect(shop.charged().toSorted()).toEqual([...allFive, 'DB 7.00']);
  expect(sales.map(shop.isForwarded)).toEqual([true, true, true, true, true]);
  expect(shop.keys.slice(6).toSorted()).toEqual([...first].map((key) => `${key}-1`).toSorted());
  expect([shop.run.ledger.openSales(), shop.run.outbox.parked(), shop.sealed()]).toEqual([[], [], 0]);
});

test('the first test answer stops the others: they are not sent to the test system in a burst', async () => {
  await shop.storeFive();
  shop.rig.channel.mode = 'test';
  await shop.run.drain();
  expect([shop.keys.length, shop.run.outbox.parked().length, shop.run.outbox.waiting().length]).toEqual([1, 1, 4]);
});

test('a start of the till sends the stored sales too, and a second wrong hour changes nothing', async () => {
  const sales = await shop.storeFive();
  shop.rig.channel.mode = 'test';
  await shop.run.passTime(8);
  expect([shop.run.outbox.parked().length, shop.withCardData()]).toEqual([5, 5]);
  shop.restart();
  expect([shop.run.outbox.parked().length, shop.run.outbox.waiting().length]).toEqual([0, 5]);
  await shop.run.passTime(8);
  expect([shop.run.outbox.parked().map(({ again }) => again), shop.withCardData()]).toEqual([[2, 2, 2, 2, 2], 5]);
  shop.rig.channel.mode = 'live';
  shop.restart();
  await shop.run.passTime(3);
  expect([shop.charged().toSorted(), sales.map(shop.isForwarded), shop.sealed()]).toEqual([
    allFive,
    [true, true, true, true, true],
    0,
  ]);
});

test('a message parked for another reason is not resumed by a start or an approval', async () => {
  await shop.stored(100n);
  const { id } = shop.run.outbox.waiting()[0] ?? { id: '' };
  shop.run.outbox.park(id, '000.100.110 looks like a test answer, and is none');
  shop.restart();
  await shop.sold(700n);
  expect(shop.run.outbox.parked()).toHaveLength(1);
  expect(shop.run.outbox.unpark(shop.rig.clock.now())).toBe(1);
});

test('a message that was resumed by hand and parked for another reason since waits for a person', async () => {
  await shop.stored(100n);
  shop.rig.channel.mode = 'test';
  await shop.run.drain();
  const { id } = shop.run.outbox.parked()[0] ?? { id: '' };
  shop.run.outbox.unpark(shop.rig.clock.now());
  shop.run.outbox.park(id, 'refused');
  expect([shop.run.outbox.retryRepaired(shop.rig.clock.now()), shop.run.outbox.parked().length]).toEqual([0, 1]);
});

test('the list of waiting messages says what to fix, and that they are then sent automatically', async () => {
  await shop.stored(100n);
  shop.rig.channel.mode = 'test';
  shop.rig.channel.approves = false;
  await shop.run.drain();
  const [row] = rows();
  expect([row?.state, row?.why]).toEqual(['parked', '800.100.155 amount exceeds credit']);
  expect(row?.toDo).toContain('set this till’s channel live');
  expect(row?.toDo).toContain('sent after the next approval');
  expect([row?.told.why?.code, row?.told.toDo?.code]).toEqual(['open.testAnswer', 'open.mendTestAnswer']);
});

test('a test system’s decline decides nothing: the stored sale is charged when the gateway is live', async () => {
  const sale = await shop.stored(100n);
  Object.assign(shop.rig.channel, { mode: 'test', approves: false });
  await shop.run.drain();
  expect([shop.isForwarded(sale), shop.withCardData()]).toEqual([undefined, 1]);
  Object.assign(shop.rig.channel, { mode: 'live', approves: true });
  await shop.sold(700n);
  await shop.run.passTime(2);
  expect([shop.isForwarded(sale), shop.charged().toSorted()]).toEqual([true, ['DB 1.00', 'DB 7.00']]);
});

test('a live decline ends it', async () => {
  const sale = await shop.stored(100n);
  shop.rig.channel.approves = false;
  await shop.run.drain();
  expect([shop.isForwarded(sale), shop.withCardData(), shop.run.outbox.parked()]).toEqual([false, 0, []]);
});

const refusedToken = () => replyOf('800.900.300', {});
/** How the client reads a 401 without a readable body. */
const bare401 = (): HostReply => ({
  kind: 'silent',
  fault: new Fault('host.silent', { why: 'the answer is not that of a gateway' }),
});
const unreachable = (): HostReply => ({ kind: 'notSent', fault: new Fault('host.unreachable', { why: 'refused' }) });

test.each([
  ['a wrong token, 800.900.300', refusedToken],
  ['a bare 401', bare401],
  ['no line', unreachable],
] as const)('an hour of %s does not lose the offline sales', async (_, says) => {
  const sales = await shop.storeFive();
  shop.line.says = says;
  shop.run.forwarder.start();
  await shop.rig.clock.advance(HOUR_MS);
  expect([shop.withCardData(), shop.run.outbox.parked()]).toEqual([5, []]);
  shop.line.says = undefined;
  await shop.rig.clock.advance(15 * 60_000);
  await shop.run.forwarder.stop();
  expect([shop.charged().toSorted(), sales.map(shop.isForwarded), shop.sealed()]).toEqual([
    allFive,
    [true, true, true, true, true],
    0,
  ]);
});

test('an hour of a wrong token in front of a test channel, then both are fixed', async () => {
  const sales = await shop.storeFive();
  Object.assign(shop.rig.channel, { mode: 'test' });
  shop.line.says = refusedToken;
  shop.run.forwarder.start();
  await shop.rig.clock.advance(HOUR_MS);
  shop.line.says = undefined;
  await shop.rig.clock.advance(HOUR_MS);
  expect([shop.withCardData(), shop.charged()]).toEqual([5, []]);
  shop.rig.channel.mode = 'live';
  await shop.sold(700n);
  await shop.rig.clock.advance(10 * 60_000);
  await shop.run.forwarder.stop();
  expect([shop.charged().toSorted(), sales.map(shop.isForwarded)]).toEqual([
    [...allFive, 'DB 7.00'],
    [true, true, true, true, true],
  ]);
});
