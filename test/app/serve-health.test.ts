/** What a served till tells its operator's monitoring, on its port and on a socket. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedTill, serveTill } from '../../src/app/serve.ts';
import type { ServeAddress } from '../../src/app/serve-listen.ts';
import { tillServices } from '../../src/app/services.ts';
import { openTillHealth } from '../../src/app/till-health.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { type MachineIdentity, systemMachine } from '../../src/folder/machine.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { isWindows } from '../support/platform/platform.ts';
import { visitor } from '../support/servers/visitor.ts';
import { quickClock } from '../support/time/quick-clock.ts';

let folder: string;
let served: ServedTill;
let passedMs = 0;
const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passedMs };

const serve = (name: string, at: ServeAddress, machine?: MachineIdentity) =>
  serveTill({
    boundTo: machine === undefined ? undefined : { identity: machine },
    ...{ dataDir: join(folder, name), at, version: '1.2.3', page: folder, answerCheck, services: tillServices, clock },
    ...{ simulate: 'mpi', simulatedClock: quickClock, open: openSqlUnsynced },
  });
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'serve-health-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><head></head><title>till</title>');
  served = await serve('data', { port: 0 });
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const asked = async (path: string) => {
  const response = await fetch(new URL(path, served.address));
  return { status: response.status, text: await response.text() };
};
const readyz = async () => {
  const { status, text } = await asked('readyz');
  return { http: status, ...(JSON.parse(text) as { status: string; why?: string }) };
};
const readFigures = async (): Promise<Record<string, number>> => {
  const { text } = await asked('metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]));
};

test('a till that can take a sale is ready without a session, and counts its sales without amounts', async () => {
  expect(await asked('healthz')).toEqual({ status: 200, text: '{"status":"ok"}' });
  expect(await readyz()).toMatchObject({ http: 200, status: 'ready', mode: 'test', terminals: { ready: 1 } });
  const anonymous = await visitor((path, init) => fetch(new URL(path, served.address), init), served.startCode());
  const sale = { amount: { amount: '47.11', currency: 'EUR' } };
  expect((await anonymous.post('sales', sale, 'key-00001')).status).toBeLessThan(300);
  while (served.underWay() > 0) await new Promise((resolve) => setImmediate(resolve));
  const counted = await readFigures();
  expect(counted).toMatchObject({
    'tillgate_till_info{version="1.2.3",mode="test"}': 1,
    tillgate_till_ready: 1,
    'tillgate_till_sales_today{outcome="approved"}': 1,
    'tillgate_till_sales_today{outcome="underWay"}': 0,
    'tillgate_till_queue_messages{state="waiting"}': 0,
    tillgate_till_queue_oldest_age_seconds: 0,
    tillgate_till_open_items: 0,
    tillgate_till_gateway_online: 1,
    'tillgate_till_terminals{state="ready"}': 1,
    tillgate_till_journal_entries: served.running().journal.length,
  });
  expect(counted['tillgate_till_journal_bytes']).toBeGreaterThan(4096);
  expect(counted['process_resident_memory_bytes']).toBeGreaterThan(1e6);
  for (const path of ['readyz', 'metrics']) expect((await asked(path)).text).not.toMatch(/47\.11|4711|EUR/);
});

test('a full disk makes it unready by name until there is room; frequent requests spare the disk', async () => {
  const { journal } = served.running();
  passedMs += 60_000;
  expect((await readyz()).http).toBe(200);
  const { steps } = journal;
  passedMs += 4_000;
  expect([(await readyz()).http, journal.steps]).toEqual([200, steps]);
  const pages = Number(journal.sql.get('PRAGMA page_count')?.['page_count']);
  journal.sql.all(`PRAGMA max_page_count = ${pages}`);
  expect(() => {
    for (;;) journal.sql.run('INSERT INTO trial VALUES (NULL, ?)', 'y'.repeat(3_000));
  }).toThrow('cannot be written');
  passedMs += 6_000;
  expect(await readyz()).toMatchObject({ http: 503, why: 'The journal cannot be written: the disk is full.' });
  expect((await readFigures())['tillgate_till_ready']).toBe(0);
  expect((await asked('healthz')).status).toBe(200);
  journal.sql.all('PRAGMA max_page_count = 100000');
  passedMs += 6_000;
  expect(await readyz()).toMatchObject({ http: 200, status: 'ready' });
});

test('while it is being reopened it answers at once and says so', async () => {
  const restarting = served.restart();
  const statuses = new Set<string>();
  let isOver = false;
  void restarting.finally(() => {
    isOver = true;
  });
  while (!isOver) statuses.add((await readyz()).why ?? 'ready');
  await restarting;
  expect(statuses).toContain('The till is restarting.');
  expect((await readyz()).http).toBe(200);
});

test('a stopping till says so before anything else', () => {
  const till = () => undefined;
  const health = (isStopping: boolean) =>
    openTillHealth({
      version: '1',
      clock,
      machine: systemMachine,
      training: false,
      till,
      isStopping: () => isStopping,
    });
  expect(health(true).unready()).toBe('The till is stopping.');
  expect(health(false).unready()).toBe('The till is restarting.');
  expect(health(true).facts()).toBeUndefined();
  expect(
    health(true)
      .figures()
      .map(({ name }) => name),
  ).toContain('tillgate_till_ready');
});

test('a till at a socket answers to its window’s host name; in another machine’s folder it is not ready', async () => {
  const socket = isWindows ? `\\\\.\\pipe\\tillgate-${systemIds.next()}` : join(folder, 'till.sock');
  const other = await serve('other', { socket }, 'name:one');
  const lines: string[] = [];
  const statusBy = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ socketPath: socket, path: '/readyz', agent: false, headers: { host } }, (answer) => {
        answer.on('data', (text) => lines.push(String(text)));
        answer.on('end', () => resolve(answer.statusCode));
      });
      sent.on('error', reject).end();
    });
  expect([await statusBy('localhost'), await statusBy('evil.example')]).toEqual([200, 403]);
  await other.close();
  const copy = await serve('other', { socket }, 'name:two');
  expect(await statusBy('localhost')).toBe(503);
  expect(lines.at(-1)).toContain('"why":"Sales are blocked: the folder belongs to another machine."');
  await copy.close();
});
