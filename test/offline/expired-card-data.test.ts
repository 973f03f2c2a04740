/** Card data that waited too long is destroyed, including its copy in the write-ahead log. The sale stays readable. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../src/folder/config.ts';
import { openHandedOver } from '../../src/ledger/handed-over.ts';
import { destroyExpired, expireCardData } from '../../src/offline/expired-card-data.ts';
import { openTrustedTime } from '../../src/offline/trusted-time.ts';
import type { UnsentDocument } from '../../src/takeover/unsent-file.ts';
import { chipCard, createReply, LIFE_MS, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

const DAY_MS = 86_400_000;

let rig: Rig;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => rig.remove());

const destroy = (run: TillRun, now = run.parts.clock.now()) =>
  destroyExpired({ journal: run.journal, ledger: run.ledger, clock: run.parts.clock, now, days: 30 });

const storeOne = async (run: TillRun): Promise<string> => {
  rig.fates.push('notReached');
  const sale = run.sell(1_000n);
  expect((await rig.clock.until(sale.done)).offline).toBe('chip');
  return sale.sale;
};

const keyOf = (run: TillRun, sale: string) =>
  run.journal.sql.get('SELECT sealed, wrapped FROM message WHERE sale = ?', sale);

const onDisk = (bytes: Uint8Array): boolean =>
  ['journal.db', 'journal.db-wal']
    .map((name) => join(rig.folder, name))
    .filter((file) => existsSync(file))
    // A long record lies on several pages, so this looks for a piece from the middle of one.
    .some((file) => readFileSync(file).includes(Buffer.from(bytes).subarray(-2_000).subarray(0, 64)));

test('a stored sale that nobody tried ends as a loss; its key and its ciphertext are in no file', async () => {
  const run = rig.open();
  const sale = await storeOne(run);
  const { sealed, wrapped } = keyOf(run, sale) ?? {};
  if (!(sealed instanceof Uint8Array && wrapped instanceof Uint8Array)) throw new Error('nothing was sealed');
  expect([onDisk(sealed), onDisk(wrapped)]).toEqual([true, true]);
  await rig.clock.advance(29 * DAY_MS);
  expect(destroy(run)).toEqual([]);
  await rig.clock.advance(DAY_MS + 1);
  expect(destroy(run).map(({ intent }) => intent.sale)).toEqual([sale]);
  expect(run.says(sale)).toEqual({ ending: 'notSent cardDataExpired', charged: 0n });
  expect(keyOf(run, sale)).toEqual({ sealed: null, wrapped: null });
  expect([onDisk(sealed), onDisk(wrapped)]).toEqual([false, false]);
  expect(run.journal.sql.all('SELECT state FROM message WHERE sale = ?', sale)).toEqual([{ state: 'done' }]);
  expect(destroy(run)).toEqual([]);
  expect(run.ledger.openSales()).toEqual([]);
  run.close();
});

test.each([
  ['keeps it', 0],
  ['ends it', LIFE_MS],
] as const)('a sale that only a test system knows, at a live till, charges nobody: %s', async (_, later) => {
  rig.remove();
  rig = tillRig(chipCard, 'live');
  const run = rig.open();
  const sale = await storeOne(run);
  rig.channel.mode = 'test';
  await run.drain();
  await rig.clock.advance(31 * DAY_MS);
  expect(destroy(run)).toHaveLength(1);
  // A request in progress may still arrive.
  await rig.clock.advance(later);
  await run.drain();
  const ending = later === 0 ? 'approved approvedOffline' : 'notSent cardDataExpired';
  expect([run.says(sale).ending, run.outbox.holds(sale)]).toEqual([ending, later === 0]);
  run.close();
});

test('a clock set forward destroys nothing: only proved gateway time counts', async () => {
  const run = rig.open();
  run.offline.heard(rig.clock.now());
  const sale = await storeOne(run);
  rig.wall.jumpMs = 400 * DAY_MS;
  expect(destroy(run, run.offline.time.now().at)).toEqual([]);
  expect(keyOf(run, sale)?.['sealed']).toBeInstanceOf(Uint8Array);
  run.close();
});

test.each([
  ['answerLost', 'approved approvedOffline', 1_000n],
  ['requestLost', 'notSent cardDataExpired', 0n],
] as const)('a sale that was tried (%s) is asked about and never sent again: %s', async (fate, ending, booked) => {
  const run = rig.open();
  const sale = await storeOne(run);
  rig.fates.push(fate);
  await run.drain();
  expect(run.outbox.holds(sale)).toBe(true);
  await rig.clock.advance(31 * DAY_MS);
  expect(destroy(run)).toHaveLength(1);
  // That did not end the sale: the gateway may have it.
  expect(run.says(sale).ending).toBe('approved approvedOffline');
  run.close();

  const next = rig.open();
  next.till.recover();
  await next.drain();
  if (booked === 0n) expect(next.outbox.holds(sale)).toBe(true);
  await next.passTime(2, LIFE_MS);
  expect([next.says(sale).ending, rig.booked(sale)]).toEqual([ending, booked]);
  expect(rig.ofSale(sale).length).toBe(booked === 0n ? 0 : 1);
  expect(next.ledger.openSales()).toEqual([]);
  next.close();
});

test('the data key of a message that was answered is in no file after the pass', async () => {
  const run = rig.open();
  const sale = await storeOne(run);
  const { wrapped, sealed } = keyOf(run, sale) ?? {};
  if (!(sealed instanceof Uint8Array && wrapped instanceof Uint8Array)) throw new Error('nothing was sealed');
  await run.drain();
  run.journal.tidy();
  expect(run.says(sale).ending).toBe('approved approvedOffline');
  expect([onDisk(sealed), onDisk(wrapped)]).toEqual([false, false]);
  run.close();
});

/** The machine restarts, after which only its clock says how long it was off. */
const expireAfterRestart = (run: TillRun) => {
  const { journal, ledger, parts } = run;
  const machine = { boot: 'second', upMs: () => 0, freeBytes: () => 0 };
  const time = openTrustedTime({ sql: journal.sql, clock: parts.clock, machine });
  const expire = () =>
    expireCardData({ config: { keepCardDataDays: 30 } as Config, journal, ledger, clock: parts.clock, time });
  return { time, expire };
};

test('a clock set forward while the machine was off destroys nothing, even once the gateway answers', async () => {
  const run = rig.open();
  run.offline.heard(rig.clock.now());
  const sale = await storeOne(run);
  rig.wall.jumpMs = 400 * DAY_MS;
  const { time, expire } = expireAfterRestart(run);
  expect(time.sinceAnswer()).toMatchObject({ byClock: true });
  expect(expire()).toEqual([]);
  time.noteAnswer(rig.clock.now());
  expect(expire()).toEqual([]);
  expect(keyOf(run, sale)?.['sealed']).toBeInstanceOf(Uint8Array);
  run.close();
});

test('card data stored while the clock was years behind keeps its full time from when that is noticed', async () => {
  rig.wall.jumpMs = -9_000 * DAY_MS;
  const run = rig.open();
  await storeOne(run);
  const { time, expire } = expireAfterRestart(run);
  time.noteAnswer(rig.clock.now());
  expect(expire()).toEqual([]);
  time.noteAnswer(rig.clock.now() + 31 * DAY_MS);
  // The till's clock was behind once more, and nobody knows for how long.
  expect(expire()).toEqual([]);
  const { at } = time.now();
  expect(destroy(run, at + 31 * DAY_MS)).toHaveLength(1);
  run.close();
});

test('a sale that was set aside is asked about again once its card data is gone', async () => {
  const run = rig.open();
  const sale = await storeOne(run);
  rig.fates.push('answerLost');
  await run.drain();
  const [message] = run.outbox.waiting();
  run.outbox.park(message?.id ?? '', 'the card’s scheme allows no further try of this sale');
  await rig.clock.advance(31 * DAY_MS);
  expect(destroy(run)).toHaveLength(1);
  await run.passTime(2);
  expect([run.says(sale).ending, run.outbox.parked(), run.ledger.openSales()]).toEqual([
    'approved approvedOffline',
    [],
    [],
  ]);
  run.close();
});

test.each([
  ['an approval of less', '000.100.110', 'approved', 'approved approvedOffline'],
  ['a refusal', '600.200.500', 'refused', 'declined declinedOnForwarding'],
  ['an undecided result', '900.100.310', 'declined', 'declined declinedOnForwarding'],
] as const)('%s in the gateway’s list ends the sale: it can never be sent again', async (_, code, means, ending) => {
  let listed: Record<string, unknown> | undefined;
  const run = rig.open({
    host: {
      ...rig.host,
      meaningOf: (one) => (one === code ? means : rig.host.meaningOf(one)),
      find: async (reference) =>
        listed === undefined
          ? rig.host.find(reference)
          : createReply('000.100.110', 'approved', { payments: [listed] }),
    },
  });
  const sale = await storeOne(run);
  rig.fates.push('requestLost');
  await run.drain();
  await rig.clock.advance(31 * DAY_MS);
  destroy(run);
  const body = { id: 'f'.repeat(32), paymentType: 'DB', merchantTransactionId: sale, amount: '6.00', currency: 'EUR' };
  listed = { ...body, result: { code, description: '' } };
  await run.passTime(1);
  const now = run.till.findSale(sale);
  expect([run.says(sale).ending, run.ledger.openSales()]).toEqual([ending, []]);
  if (means === 'approved') expect(now.answer?.approved).toEqual({ minor: 600n, currency: 'EUR' });
  run.close();
});

test('a sale handed to another till is not assumed unsent: it is asked about, and never voided here', async () => {
  const run = rig.open();
  const sale = await storeOne(run);
  const clock = run.parts.clock;
  const handedOver = openHandedOver(run.journal, clock);
  handedOver.note({ id: 'e'.repeat(32), messages: run.outbox.waiting(), entries: [] } as unknown as UnsentDocument, [
    'Ana',
    'Ben',
  ]);
  // The sale is not assumed unsent even when everything that was set aside is retried.
  run.outbox.unpark(clock.now());
  expect(run.outbox.untried(sale)).toBeUndefined();
  await rig.clock.advance(31 * DAY_MS);
  expect(destroy(run)).toHaveLength(1);
  expect(run.says(sale).ending).toBe('approved approvedOffline');
  run.close();
});
