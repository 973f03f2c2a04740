/** Training over HTTP as a browser does it: a separate till, and not a byte changed in the real till's folder. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LiveSale, SaleRow } from '../../src/api/contract/sales.ts';
import type { SessionState } from '../../src/api/contract/session.ts';
import type { Page } from '../../src/api/contract/wire.ts';
import { type ServedTill, serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import type { Clock } from '../../src/base/clock.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { endedSale } from '../support/api/ended-sale.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { servedHeaders } from '../support/servers/visitor.ts';
import { quickClock } from '../support/time/quick-clock.ts';

let folder: string;
let served: ServedTill;

/** Customers and cards do nothing until this resolves. */
let pending: Promise<void>;
const customers: Clock = {
  ...quickClock,
  after(ms, callback) {
    let isOff = false;
    let stop = (): void => {};
    void pending.then(() => {
      if (!isOff) stop = quickClock.after(ms, callback);
    });
    return () => {
      isOff = true;
      stop();
    };
  },
};

beforeEach(async () => {
  pending = Promise.resolve();
  folder = mkdtempSync(join(tmpdir(), 'training-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>till</title>');
  const dataDir = join(folder, 'data');
  served = await serveTill({
    ...{ dataDir, at: { port: 0 }, version: '1', page: folder, answerCheck, services: tillServices },
    ...{ simulate: 'mpi', simulatedClock: customers, open: openSqlUnsynced },
  });
});
afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A separate browser with its own session. */
const openBrowser = async () => {
  const headers = await servedHeaders(served);
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${served.address}api/${path}`, { headers });
    return (await answer.json()) as T;
  };
  return {
    get,
    headers,
    post: async (path: string, body: unknown, key = '') => {
      const answer = await fetch(`${served.address}api/${path}`, {
        method: 'POST',
        headers: { ...headers, ...(key !== '' && { 'idempotency-key': key }) },
        body: JSON.stringify(body),
      });
      return {
        status: answer.status,
        body: (await answer.json()) as LiveSale & { problem?: { code: string }; training?: boolean },
      };
    },
    ended: (id: string) => endedSale(served.address, headers, () => get<LiveSale>(`live/${id}`)),
  };
};

/** Every file of the real till. */
const bytes = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(folder, 'data'), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
      .map(({ name }) => [name, readFileSync(join(folder, 'data', name)).toString('base64')]),
  );

const sale = { operation: 'sale', amount: { amount: '7.00', currency: 'EUR' } };

test('a trainee sells at a separate till, and nobody else notices', async () => {
  const [pupil, other] = [await openBrowser(), await openBrowser()];
  const real = await other.post('sales', sale, 'key-real-1');
  expect(real).toMatchObject({ status: 201, body: { receipt: 1 } });
  expect(await other.ended(real.body.id)).toMatchObject({ mode: 'test' });
  const before = bytes();

  expect((await pupil.post('training', { on: true })).body).toEqual({ training: true });
  expect(await pupil.get<SessionState>('session')).toMatchObject({ shop: { mode: 'training', currency: 'EUR' } });
  expect(await other.get<SessionState>('session')).toMatchObject({ shop: { mode: 'test' } });
  expect(await pupil.get<Page<SaleRow>>('sales')).toMatchObject({ total: 0 });
  const started = await pupil.post('sales', sale, 'key-pupil-1');
  expect(started).toMatchObject({ status: 201, body: { receipt: 1, mode: 'training' } });
  const { id } = started.body;
  expect(await pupil.ended(id)).toMatchObject({ mode: 'training', result: { ending: 'approved' } });
  expect((await fetch(`${served.address}api/live/${id}`, { headers: other.headers })).status).toBe(404);
  expect(await pupil.get<Page<SaleRow>>('sales')).toMatchObject({ total: 1, rows: [{ id }] });
  expect(await other.get<Page<SaleRow>>('sales')).toMatchObject({ total: 1 });
  expect((await pupil.post('devices/pair', {})).status).toBeGreaterThanOrEqual(400);
  expect(bytes()).toEqual(before);

  expect((await pupil.post('training', { on: false })).body).toEqual({ training: false });
  expect(await pupil.get<Page<SaleRow>>('sales')).toMatchObject({ total: 1 });
  expect(await pupil.get<SessionState>('session')).toMatchObject({ shop: { mode: 'test' } });
});

test('training cannot begin during a sale, and a program never trains', async () => {
  const pupil = await openBrowser();
  const customer = Promise.withResolvers<void>();
  pending = customer.promise;
  const started = await pupil.post('sales', sale, 'key-real-1');
  expect(await pupil.post('training', { on: true })).toMatchObject({
    status: 409,
    body: { problem: { code: 'terminal.busy' } },
  });
  customer.resolve();
  await pupil.ended(started.body.id);
  expect((await pupil.post('training', { on: true })).body).toEqual({ training: true });
  const program = await fetch(`${served.address}api/sales`, {
    headers: { ...pupil.headers, authorization: 'Bearer nobody' },
  });
  expect(await program.text()).not.toContain('training');
  const state = await pupil.get<SessionState>('session');
  expect(state.shop.mode).toBe('training');
  await fetch(`${served.address}api/session`, { method: 'DELETE', headers: pupil.headers });
  expect(await (await openBrowser()).get<SessionState>('session')).toMatchObject({ shop: { mode: 'test' } });
});
