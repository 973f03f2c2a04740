/** Card data that waited too long is destroyed, to its copy in the write-ahead log; the sale stays told. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { destroyExpired } from '../../src/runtime/expired-card-data.ts';
import { chipCard, LIFE_MS, type Life, type Rig, tillRig } from '../support/till-rig.ts';

const DAY_MS = 86_400_000;

let rig: Rig;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => rig.remove());

const destroy = (life: Life, now = life.parts.clock.now()) =>
  destroyExpired({ journal: life.journal, ledger: life.ledger, clock: life.parts.clock, now, days: 30 });

const storeOne = async (life: Life): Promise<string> => {
  rig.fates.push('notReached');
  const sale = life.sell(1_000n);
  expect((await rig.clock.until(sale.done)).offline).toBe('chip');
  return sale.sale;
};

const keyOf = (life: Life, sale: string) =>
  life.journal.sql.get('SELECT sealed, wrapped FROM message WHERE sale = ?', sale);

const onDisk = (bytes: Uint8Array): boolean =>
  ['journal.db', 'journal.db-wal']
    .map((name) => join(rig.folder, name))
    .filter((file) => existsSync(file))
    .some((file) => readFileSync(file).includes(Buffer.from(bytes)));

test('a stored sale that nobody tried ends as a loss; its key and its ciphertext are in no file', async () => {
  const life = rig.open();
  const sale = await storeOne(life);
  const { sealed, wrapped } = keyOf(life, sale) ?? {};
  if (!(sealed instanceof Uint8Array && wrapped instanceof Uint8Array)) throw new Error('nothing was sealed');
  expect([onDisk(sealed), onDisk(wrapped)]).toEqual([true, true]);
  await rig.clock.advance(29 * DAY_MS);
  expect(destroy(life)).toEqual([]);
  await rig.clock.advance(DAY_MS + 1);
  expect(destroy(life).map(({ intent }) => intent.sale)).toEqual([sale]);
  expect(life.says(sale)).toEqual({ ending: 'notSent cardDataExpired', charged: 0n });
  expect(keyOf(life, sale)).toEqual({ sealed: null, wrapped: null });
  expect([onDisk(sealed), onDisk(wrapped)]).toEqual([false, false]);
  expect(life.journal.sql.all('SELECT state FROM message WHERE sale = ?', sale)).toEqual([{ state: 'done' }]);
  expect(destroy(life)).toEqual([]);
  expect(life.ledger.openSales()).toEqual([]);
  life.close();
});

test('a clock that is set forward destroys nothing: the time that counts is the gateway’s, as far as it is proved', async () => {
  const life = rig.open();
  life.offline.heard(rig.clock.now());
  const sale = await storeOne(life);
  rig.wall.jumpMs = 400 * DAY_MS;
  expect(destroy(life, life.offline.time.now().at)).toEqual([]);
  expect(keyOf(life, sale)?.['sealed']).toBeInstanceOf(Uint8Array);
  life.close();
});

test.each([
  ['answerLost', 'approved approvedOffline', 1_000n],
  ['requestLost', 'notSent cardDataExpired', 0n],
] as const)('one that was tried (%s) is asked about and never sent again: %s', async (fate, ending, booked) => {
  const life = rig.open();
  const sale = await storeOne(life);
  rig.fates.push(fate);
  await life.drain();
  expect(life.outbox.holds(sale)).toBe(true);
  await rig.clock.advance(31 * DAY_MS);
  expect(destroy(life)).toHaveLength(1);
  // Not ended by that: the gateway may have it.
  expect(life.says(sale).ending).toBe('approved approvedOffline');
  life.close();

  const next = rig.open();
  next.till.recover();
  await next.drain();
  if (booked === 0n) expect(next.outbox.holds(sale)).toBe(true);
  await next.pass(2, LIFE_MS);
  expect([next.says(sale).ending, rig.booked(sale)]).toEqual([ending, booked]);
  expect(rig.ofSale(sale).length).toBe(booked === 0n ? 0 : 1);
  expect(next.ledger.openSales()).toEqual([]);
  next.close();
});

test('the data key of a message that was answered is in no file after the pass', async () => {
  const life = rig.open();
  const sale = await storeOne(life);
  const { wrapped, sealed } = keyOf(life, sale) ?? {};
  if (!(sealed instanceof Uint8Array && wrapped instanceof Uint8Array)) throw new Error('nothing was sealed');
  await life.drain();
  life.journal.tidy();
  expect(life.says(sale).ending).toBe('approved approvedOffline');
  expect([onDisk(sealed), onDisk(wrapped)]).toEqual([false, false]);
  life.close();
});
