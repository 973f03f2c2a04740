/** When a served till uses a simulated terminal: never at a live till, at an installed till only once asked for. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Counter } from '../../src/api/contract/counters.ts';
import type { DeviceRow } from '../../src/api/contract/devices.ts';
import type { LimitsState } from '../../src/api/contract/limits.ts';
import type { SaleRow } from '../../src/api/contract/sales.ts';
import type { Page } from '../../src/api/contract/wire.ts';
import { type ServedTill, type ServeOptions, serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { changeConfig, loadConfig } from '../../src/folder/config.ts';
import { modeOf } from '../../src/folder/till-mode.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { visitor } from '../support/servers/visitor.ts';
import { quickClock } from '../support/time/quick-clock.ts';

let folder: string;
let dataDir: string;
let served: ServedTill | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'serve-simulated-'));
  dataDir = join(folder, 'data');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>till</title>');
});
afterEach(async () => {
  await served?.close();
  served = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const makeLive = (): void => {
  loadConfig(dataDir, systemIds);
  const journal = openTillJournal(dataDir, { clock: systemClock, open: openSqlUnsynced });
  modeOf(journal, 'live');
  journal.close();
};

const serve = async (more: Partial<ServeOptions>) => {
  served = await serveTill({
    ...{ dataDir, at: { port: 0 }, version: '1', page: folder, answerCheck, services: tillServices, simulate: 'mpi' },
    ...{ simulatedClock: quickClock, open: openSqlUnsynced },
    gateway: { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'token-token' },
    ...more,
  });
  const { address, startCode } = served;
  const anonymous = await visitor((path, request) => fetch(new URL(path, address), request), startCode());
  const firstCounter = async (): Promise<Counter | undefined> => (await anonymous.get<Counter[]>('counters'))[0];
  return { ...anonymous, first: firstCounter };
};

/** The till reopens itself after the answer. */
const waitUntil = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
};

test('a test till uses a simulated terminal while none is paired, without any option', async () => {
  const { first: firstCounter, get, post } = await serve({});
  expect(await firstCounter()).toMatchObject({ model: 'SIMULATED', simulated: true });
  expect(await get<DeviceRow[]>('devices')).toMatchObject([{ counter: 'T1', simulated: true }]);
  expect((await post('devices/simulated')).status).toBe(204);
  expect(loadConfig(dataDir, systemIds).simulatedTerminal).toBeUndefined();
});

test('an installed till uses one once somebody asked for it, and remembers that', async () => {
  const { first: firstCounter, get, post } = await serve({ simulateWhen: 'asked' });
  expect(await firstCounter()).toMatchObject({ state: 'unpaired', offersSimulated: true });
  expect(await get<DeviceRow[]>('devices')).toEqual([]);
  const sale = { amount: { amount: '1.00', currency: 'EUR' } };
  expect(await post('sales', sale, 'key-00001')).toMatchObject({ code: 'terminal.unpaired' });
  expect((await post('devices/simulated')).status).toBe(204);
  await waitUntil(async () => (await firstCounter())?.simulated === true);
  expect(await firstCounter()).toMatchObject({ model: 'SIMULATED' });
  expect(await firstCounter()).not.toHaveProperty('offersSimulated');
  const { rows } = await get<{ rows: { kind: string; words: string }[] }>('audit?from=0&most=5&kind=simulatedUsed');
  expect(rows).toMatchObject([{ kind: 'simulatedUsed', words: 'switched the till to a simulated terminal' }]);
  await served?.close();
  const restarted = await serve({ simulateWhen: 'asked' });
  expect(await restarted.first()).toMatchObject({ simulated: true });
});

test('a request during the reopening waits for the new till', async () => {
  let request: Promise<Counter | undefined> | undefined;
  const services: ServeOptions['services'] = {
    ...tillServices,
    paper(parts) {
      const service = tillServices.paper(parts);
      return {
        ...service,
        async close() {
          // The old till is half closed, and the new one does not exist yet, so the request has time to arrive.
          request ??= firstCounter();
          for (let turns = 0; turns < 1_000; turns++) await new Promise((resolve) => setImmediate(resolve));
          await service.close?.();
        },
      };
    },
  };
  const { first: firstCounter, post } = await serve({ simulateWhen: 'asked', services });
  expect((await post('devices/simulated')).status).toBe(204);
  await waitUntil(async () => request !== undefined);
  expect(await request).toMatchObject({ simulated: true });
});

test('a paired terminal is used instead, and nothing is offered', async () => {
  changeConfig(dataDir, systemIds, (config) => ({ ...config, terminal: 'mpi+tcp://127.0.0.1:1' }));
  const { first: firstCounter } = await serve({ simulateWhen: 'asked' });
  expect(await firstCounter()).not.toHaveProperty('offersSimulated');
  expect(await firstCounter()).not.toHaveProperty('simulated');
});

test.each(['unpaired', 'asked'] as const)('a live till uses none (%s), and refuses a request for one', async (when) => {
  makeLive();
  changeConfig(dataDir, systemIds, (config) => ({ ...config, simulatedTerminal: true }));
  const { first: firstCounter, get, post } = await serve({ simulateWhen: when });
  expect(served?.running().mode).toBe('live');
  expect(await firstCounter()).toMatchObject({ state: 'unpaired' });
  expect(await firstCounter()).not.toHaveProperty('offersSimulated');
  expect(await get<DeviceRow[]>('devices')).toEqual([]);
  expect(await post('devices/simulated')).toMatchObject({ code: 'simulation.live' });
});

test('a live till told to simulate does not start, and leaves nothing open', async () => {
  makeLive();
  await expect(serve({ simulateWhen: 'named' })).rejects.toMatchObject({ code: 'simulation.live' });
  await serve({});
  expect(served?.running().mode).toBe('live');
});

test('selling without the gateway can be tried with it, because its cards are authenticated', async () => {
  const offline = { chip: { upTo: '50.00' }, deferred: { upTo: '50.00' } };
  changeConfig(dataDir, systemIds, (config) => ({ ...config, offline }));
  const { get, post } = await serve({});
  const sale = { amount: { amount: '1.00', currency: 'EUR' } };
  expect((await post('sales', sale, 'key-00001')).status).toBe(201);
  const lastSale = async () => (await get<Page<SaleRow>>('sales?from=0&most=1')).rows[0];
  await waitUntil(async () => (await lastSale())?.ending !== 'open');
  expect(await lastSale()).toMatchObject({ reason: 'approvedOffline' });
  expect(await get<LimitsState>('limits')).toMatchObject({ ready: true, cards: { seen: 1, taken: 1 } });
});
