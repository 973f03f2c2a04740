/** A served till goes live over HTTP: the live till opens in its place, and uses a simulated processor. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Terminal } from '../../drivers/terminal.ts';
import type { Checklist } from '../../src/api/contract/machine.ts';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import type { SessionState } from '../../src/api/contract/session.ts';
import { type ServedTill, type ServeOptions, serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import { findOwner } from '../../src/owner/client.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { endedSale } from '../support/api/ended-sale.ts';
import { type UpstreamHost, upstreamHost } from '../support/gateway/upstream-host.ts';
import { LIVE_ENTITY, LIVE_TOKEN, openReadyFolder, PIN, terminal } from '../support/till/ready-till.ts';

let shop: ReturnType<typeof openReadyFolder>;
let processor: UpstreamHost;
let page: string;
let served: ServedTill;

beforeEach(async () => {
  shop = openReadyFolder();
  processor = await upstreamHost({ approval: '000.000.000' });
  page = mkdtempSync(join(tmpdir(), 'page-'));
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>till</title>');
  served = await serve();
});
afterEach(async () => {
  await served.close();
  await processor.close();
  shop.remove();
  rmSync(page, { recursive: true, force: true });
});

const serve = (changes: Partial<ServeOptions> = {}): Promise<ServedTill> =>
  serveTill({ ...shop.options, at: { port: 0 }, version: '1', page, answerCheck, services: tillServices, ...changes });

/** A browser with its own cookie and CSRF token. */
const browser = () => {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const ask = async (path: string, body?: unknown, key?: string): Promise<Response> => {
    const answer = await fetch(`${served.address}api/${path}`, {
      headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
    if (cookie !== undefined) headers['cookie'] = cookie;
    return answer;
  };
  const get = async <T>(path: string): Promise<T> => (await ask(path)).json() as Promise<T>;
  const readSession = async (): Promise<SessionState> => {
    const state = await get<SessionState>('session');
    headers['x-csrf-token'] = state.signedIn?.csrf ?? '';
    return state;
  };
  const signIn = async (name = 'Max', pin = PIN): Promise<number> => {
    const { status } = await ask('session', { name, pin });
    await readSession();
    return status;
  };
  const begin = async (key: string): Promise<LiveSale> => {
    const sale = await ask('sales', { operation: 'sale', amount: { amount: '12.50', currency: 'EUR' } }, key);
    return (await sale.json()) as LiveSale;
  };
  const waitForEnd = ({ id }: LiveSale) => endedSale(served.address, headers, () => get<LiveSale>(`live/${id}`));
  const sell = async (key: string): Promise<LiveSale> => waitForEnd(await begin(key));
  return { ask, get, look: readSession, signIn, begin, ended: waitForEnd, sell };
};

const channel = () => ({ baseUrl: processor.baseUrl, entityId: LIVE_ENTITY, token: LIVE_TOKEN });

/** Max, the manager, in a browser. */
const manager = async () => {
  const max = browser();
  await max.ask('session/code', { code: served.startCode() });
  await max.look();
  expect((await max.ask('staff', { name: 'Max', role: 'manager', pin: PIN })).status).toBe(201);
  expect(await max.signIn()).toBe(200);
  return max;
};

test('a manager takes the till live: everybody signs in again, and receipt 1 moves money', async () => {
  const max = await manager();
  expect(await max.look()).toMatchObject({ shop: { mode: 'test' }, signedIn: { name: 'Max' } });
  await max.sell('test-key-0001');
  expect(await (await max.ask('going-live/gateway', channel())).json()).toMatchObject({ answered: true });
  expect(await max.get<Checklist>('going-live')).toMatchObject({ ready: true, gateway: { entityId: LIVE_ENTITY } });
  expect((await max.ask('going-live', {})).status).toBe(204);

  const after = await max.look();
  expect(after.shop.mode).toBe('live');
  expect(after).not.toHaveProperty('signedIn');
  expect((await max.ask('going-live')).status).toBe(401);
  expect(served.running().mode).toBe('live');
  // The owner's commands look for it in the live till's folder.
  const { dataDir } = shop.options;
  expect((await findOwner(join(dataDir, 'live')))?.now).toMatchObject({ mode: 'live', address: served.address });
  expect(await findOwner(dataDir)).toBeUndefined();
  expect(await max.signIn()).toBe(200);
  expect(await max.get('sales')).toMatchObject({ total: 0 });

  expect(processor.posted).toEqual([]);
  expect(await max.sell('live-key-0001')).toMatchObject({ result: { ending: 'approved' } });
  expect(processor.booked).toMatchObject([{ code: '000.000.000', form: { entityId: LIVE_ENTITY, amount: '12.50' } }]);
  expect(await max.get('sales')).toMatchObject({ total: 1, rows: [{ receipt: 1 }] });
  const refusal = await max.ask('going-live', { channel: channel() });
  expect([refusal.status, await refusal.json()]).toMatchObject([422, { problem: { code: 'live.already' } }]);
});

test('the next start opens the live till, or with --test the test till, which stays one', async () => {
  const max = await manager();
  expect((await max.ask('going-live', { channel: channel() })).status).toBe(204);
  await max.look();
  await served.close();
  served = await serve();
  expect(served.running().mode).toBe('live');
  await served.close();
  served = await serve({ test: true });
  expect(served.running().mode).toBe('test');
  await served.restart();
  expect(served.running().mode).toBe('test');
});

test('the live till does not take over settings of the test till', async () => {
  await served.close();
  const wrong = { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'a-test-channel' };
  served = await serve({ gateway: wrong, terminal: 'mpi+tcp://127.0.0.1:5', simulate: 'mpi', simulateWhen: 'named' });
  expect(served.running().gatewayUrl).toBe(wrong.baseUrl);
  const max = await manager();
  expect((await max.ask('going-live', { channel: channel() })).status).toBe(204);
  expect((await max.look()).shop.mode).toBe('live');
  expect(served.running().gatewayUrl).toBe(processor.baseUrl);
});

test('training ends when the till goes live, and starts again in the live till’s folder', async () => {
  const max = await manager();
  const trainee = browser();
  expect(await trainee.signIn()).toBe(200);
  expect((await trainee.ask('training', { on: true })).status).toBe(200);
  expect((await trainee.look()).shop.mode).toBe('training');
  expect((await trainee.ask('going-live')).status).toBe(422);
  expect((await max.ask('going-live', { channel: channel() })).status).toBe(204);
  expect(await trainee.look()).not.toHaveProperty('signedIn');
  expect(await trainee.signIn()).toBe(200);
  expect((await trainee.look()).shop.mode).toBe('live');
  expect((await trainee.ask('training', { on: true })).status).toBe(200);
  expect((await trainee.look()).shop.mode).toBe('training');
  expect(existsSync(join(shop.folder, 'live', 'training', 'journal.db'))).toBe(true);
});

test('no going live during a sale', async () => {
  await served.close();
  const card = Promise.withResolvers<void>();
  const quick = terminal();
  const waiting: Terminal = {
    ...quick,
    async read(...of) {
      await card.promise;
      return quick.read(...of);
    },
  };
  served = await serve({ around: { terminals: () => ({ get: async () => waiting, drop: async () => {} }) } });
  const max = await manager();
  const sale = await max.begin('test-key-0001');
  const refused = await max.ask('going-live', { channel: channel() });
  card.resolve();
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ problem: { code: 'terminal.busy' } });
  expect(existsSync(join(shop.folder, 'live'))).toBe(false);
  await max.ended(sale);
  expect((await max.ask('going-live', { channel: channel() })).status).toBe(204);
});

test('a till that is not ready continues as before, and nobody is signed out', async () => {
  const max = await manager();
  processor.nextInquiry({ status: 401, bytes: JSON.stringify({ result: { code: '800.900.300' } }) });
  const refused = await max.ask('going-live', { channel: channel() });
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { problem: { code: 'live.notReady', facts: { open: 'gateway' } } },
  ]);
  expect(await max.look()).toMatchObject({ shop: { mode: 'test' }, signedIn: { name: 'Max' } });
  expect(existsSync(join(shop.folder, 'live'))).toBe(false);
  const plainHttp = await max.ask('going-live', { channel: { ...channel(), baseUrl: 'http://gateway.example/' } });
  expect(plainHttp.status).toBe(400);
});
