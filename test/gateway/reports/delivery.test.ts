/** The daily file: complete or absent in its folder, written at its hour, with the same bytes each time. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../../../src/base/ids.ts';
import type { Channel } from '../../../src/gateway/channel.ts';
import { openSqliteStore } from '../../../src/gateway/database/open.ts';
import { settleDaily } from '../../../src/gateway/reports/delivery.ts';
import { placeFile } from '../../../src/gateway/reports/placed-file.ts';
import { redactConfig } from '../../../src/gateway/server/config/redact.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import { dice } from '../../support/chance/dice.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { addPayment, chancePayments, DAY_MS, ENTITY, FIRST_DAY } from './chance-payments.ts';

const START = Date.parse(`${FIRST_DAY}T00:00:00Z`);
const MINUTE_MS = 60_000;
let folder = '';
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'settlement-'));
  store = await openSqliteStore(':memory:');
  for (const payment of chancePayments(dice(7), 60, 2).payments) await addPayment(store, payment, false);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const channelIn = (at: string): Channel => ({ entityId: ENTITY, token: 't', settlement: { folder: at, at: '04:00' } });

/** Real files take real time, during which the virtual clock stands still. */
const advanceUntil = async (
  clock: ReturnType<typeof virtualClock>,
  condition: () => boolean,
  stepMs = 0,
): Promise<void> => {
  for (let turn = 0; turn < 5_000 && !condition(); turn += 1) await clock.advance(stepMs);
  // On a busy machine the disk needs more time than these turns of the clock.
  await expect.poll(condition, { timeout: 30_000 }).toBe(true);
};

test('writes the previous day’s file at its hour, and again with the same bytes after it was lost', async () => {
  const clock = virtualClock(START + DAY_MS + 4 * 60 * MINUTE_MS - 10 * MINUTE_MS);
  const reportedErrors: unknown[] = [];
  const daily = {
    store,
    clock,
    ids: systemIds,
    channels: [channelIn(folder)],
    report: (error: unknown) => reportedErrors.push(error),
  };
  const jobs = settleDaily(daily);
  const name = `settlement_${ENTITY}_${FIRST_DAY}.csv`;
  // A day without payments has a file, too.
  await advanceUntil(clock, () => readdirSync(folder).includes(`settlement_${ENTITY}_2026-11-01.csv`));
  expect(readdirSync(folder)).toHaveLength(1);
  await advanceUntil(clock, () => readdirSync(folder).includes(name), 1_000);
  await Promise.all(jobs.map((work) => work.end()));
  const bytes = readFileSync(join(folder, name));
  const batch = await store.settlements.ofDay(ENTITY, FIRST_DAY);
  expect(await store.settlements.deliveries(batch?.id ?? '')).toMatchObject([
    { target: 'folder', bytes: bytes.length, tries: 1 },
  ]);
  rmSync(join(folder, name));
  const { deliver } = await import('../../../src/gateway/reports/delivery.ts');
  if (batch === undefined) throw new Error('there is no batch');
  const channel = { ...channelIn(folder), settlement: { folder } };
  await deliver({ store, clock, ids: systemIds, channel }, { batch, target: 'folder', isForced: true });
  expect(readFileSync(join(folder, name)).equals(bytes)).toBe(true);
  expect(reportedErrors).toEqual([]);
});

test('an unwritable folder is reported and retried, and delays no other channel’s file', async () => {
  const blockedFolder = join(folder, 'blocked');
  writeFileSync(blockedFolder, 'a file where the folder should be');
  const validChannel = { ...channelIn(join(folder, 'fine')), entityId: 'd'.repeat(32) };
  const clock = virtualClock(START + 2 * DAY_MS);
  const reportedErrors: unknown[] = [];
  const channels = [channelIn(blockedFolder), validChannel];
  const jobs = settleDaily({ store, clock, ids: systemIds, channels, report: (error) => reportedErrors.push(error) });
  await advanceUntil(
    clock,
    () =>
      reportedErrors.length > 0 &&
      readdirSync(folder).includes('fine') &&
      readdirSync(join(folder, 'fine')).length === 1,
  );
  await Promise.all(jobs.map((work) => work.end()));
  const batch = await store.settlements.ofDay(ENTITY, FIRST_DAY);
  const [delivery] = await store.settlements.deliveries(batch?.id ?? '');
  expect(delivery).toMatchObject({ tries: 1, nextAt: clock.now() + MINUTE_MS });
  expect(delivery?.doneAt).toBeUndefined();
  expect(delivery?.why).toMatch(/EEXIST|ENOTDIR/);
});

test('a half-written file is never visible', async () => {
  const path = join(folder, 'x.csv');
  const truncatedFile = async function* () {
    yield Buffer.from('one');
    throw new Error('cut');
  };
  await expect(placeFile({ path, pieces: truncatedFile(), id: 'a', now: 0 })).rejects.toThrow('cut');
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(path, 'before');
  const completeFile = async function* () {
    yield Buffer.from('one');
    yield Buffer.from('two');
  };
  await expect(placeFile({ path, pieces: completeFile(), id: 'a', now: 0, isExclusive: true })).rejects.toMatchObject({
    code: 'EEXIST',
  });
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['x.csv'], 'before']);
  // Partial files of a killed process are deleted when they are old; those being written are not.
  for (const id of ['old', 'young']) writeFileSync(join(folder, `.x.csv.${id}.part`), '');
  utimesSync(join(folder, '.x.csv.old.part'), 0, 0);
  utimesSync(join(folder, '.x.csv.young.part'), 7_000, 7_000);
  expect(await placeFile({ path, pieces: completeFile(), id: 'a', now: 7_200_000 })).toMatchObject({ bytes: 6 });
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['.x.csv.young.part', 'x.csv'], 'onetwo']);
});

test('the configuration as shown contains none of a channel’s secrets', () => {
  const sftp = {
    host: 'h',
    user: 'u',
    hostKey: `SHA256:${'A'.repeat(43)}`,
    password: 'pass-secret',
    passphrase: 'phrase-secret',
  };
  const channel = { ...channelIn('/x'), settlement: { folder: '/x', sftp } };
  const config = {
    ...{
      port: 1,
      host: 'h',
      data: 'd',
      log: 'off',
      maxConnections: 1,
      patienceMs: 1,
      stopMs: 1,
      forAll: {},
      legacy: [],
    },
  };
  const text = JSON.stringify(redactConfig(config, [channel]));
  expect(text).toContain('SHA256:');
  expect(text).not.toMatch(/secret/);
});
