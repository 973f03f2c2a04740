/**
 * The answers to a command over the owner's socket, and in its own process if no till is running, are those that the
 * screens get over HTTP, with the same permissions.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnTill, openOwnTill } from '../../src/app/own-till.ts';
import type { RunningTill } from '../../src/app/running-till.ts';
import { type ServedTill, serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import { isFault } from '../../src/base/fault.ts';
import { type ApiTransport, openSession, type TillApi, unwrap } from '../../src/cli/api-client.ts';
import { requestOf } from '../../src/cli/front-door.ts';
import { fetchOver } from '../../src/owner/client.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { cheapStretchCost } from '../support/till/stretch-cost.ts';

const people = { Max: ['manager', '471193'], Tess: ['technician', '740265'], Anna: ['cashier', '825417'] } as const;
type Name = keyof typeof people;

const eur = { amount: '1.00', currency: 'EUR' };
const header = { 'idempotency-key': 'a-key-of-a-test' };
const asking = {
  sales: (api: TillApi) => api.sales.$get({ query: {} }),
  batches: (api: TillApi) => api.batches.$get({ query: {} }),
  devices: (api: TillApi) => api.devices.$get(),
  people: (api: TillApi) => api.staff.$get(),
  limits: (api: TillApi) => api.limits.$put({ json: { changes: { 'offline.floor': 'x' } } }),
  queue: (api: TillApi) => api.queue.$get(),
  unresolved: (api: TillApi) => api.unresolved.$get(),
  writeOff: (api: TillApi) =>
    api['open-items'][':receipt{[0-9]{1,9}}'].$post({
      param: { receipt: '9' },
      json: { action: 'writeOff', reason: 'a test' },
    }),
  refund: (api: TillApi) =>
    api.sales[':receipt'][':operation'].$post(
      { param: { receipt: '9', operation: 'refund' }, json: { amount: eur } },
      { headers: header },
    ),
} as const;

let folder: string;
let served: ServedTill;
let own: OwnTill;
let quiet: OwnTill;

const opened = (dataDir: string) => ({
  ...{ dataDir, version: '1.2.3', open: openSqlUnsynced, stretchCost: cheapStretchCost },
  gateway: { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'token-token' },
});
const overHttp: ApiTransport = (address, request) =>
  fetch(new URL(new URL(address).pathname, served.address), { ...request });
const overSocket: ApiTransport = (address, request) => fetchOver(served.ownerSocket().path ?? '')(address, request);
const within =
  (till: () => OwnTill): ApiTransport =>
  async (address, request) =>
    till().fetch(requestOf(address, request));

/** The answer to each request: its status, and the code of a refusal. */
const answers = async (transport: ApiTransport, code: string | undefined, name?: Name) => {
  const who = name && { name, pin: people[name][1] };
  const { api, state, end } = await openSession(transport, { who, code });
  const reported: Record<string, unknown> = { may: state.signedIn?.permissions };
  for (const [what, ask] of Object.entries(asking)) {
    const answer = await ask(api);
    const { problem } = (await answer.json()) as { problem?: { code: string } };
    reported[what] = `${answer.status} ${problem?.code ?? ''}`.trim();
  }
  await end();
  return reported;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'front-door-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><head></head><title>till</title>');
  const data = opened(join(folder, 'data'));
  served = await serveTill({ ...data, at: { port: 0 }, page: folder, answerCheck, services: tillServices });
  quiet = await openOwnTill(opened(join(folder, 'quiet')));
});
afterAll(async () => {
  await served?.close();
  await quiet?.close();
  await own?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a till without people gives the same answers on each way, and requires the code of its start', async () => {
  const code = served.startCode();
  const screens = await answers(overHttp, code);
  expect(screens).toMatchObject({ sales: '200', writeOff: '403 session.notAllowed' });
  expect(await answers(overSocket, code)).toEqual(screens);
  expect(
    await answers(
      within(() => quiet),
      quiet.startCode(),
    ),
  ).toEqual(screens);
  for (const way of [overHttp, overSocket, within(() => quiet)]) {
    await expect(openSession(way, { code: 'another code' })).rejects.toMatchObject({ code: 'session.code' });
    await expect(openSession(way, { code, who: { name: 'Max', pin: '471193' } })).rejects.toMatchObject({
      code: 'staff.nobody',
    });
  }
});

test('a port refuses the host name of the owner’s socket', async () => {
  const request = { path: '/api/session', headers: { host: 'till' } };
  const [status] = await once(get({ ...request, host: '127.0.0.1', port: new URL(served.address).port }), 'response');
  expect(status.statusCode).toBe(403);
  status.resume();
  const screens = await within(() => quiet)('http://127.0.0.1:8800/api/session', { method: 'GET' });
  expect(screens.status).toBe(403);
});

test('with people, each has the permissions of their role on each way, and nobody else has any', async () => {
  const nobody = await openSession(overSocket, { code: served.startCode() });
  for (const [name, [role, pin]] of Object.entries(people)) {
    const { staff } = served.running();
    const [manager] = staff.people();
    await staff.add({ name, role, pin }, manager);
  }
  expect((await nobody.api.sales.$get({ query: {} })).status).toBe(401);
  expect(served.startCode()).toBeUndefined();

  const screens: Record<string, unknown> = {};
  for (const name of ['Max', 'Tess', 'Anna'] as const) {
    screens[name] = await answers(overHttp, undefined, name);
    expect(await answers(overSocket, undefined, name), name).toEqual(screens[name]);
  }
  expect(screens).toMatchObject({
    Max: {
      sales: '200',
      batches: '200',
      queue: '200',
      unresolved: '200',
      devices: '200',
      people: '200',
      writeOff: '404 till.notFound',
    },
    Tess: { batches: '200', limits: '403 session.notAllowed', writeOff: '403 session.notAllowed' },
    Anna: {
      sales: '200',
      batches: '403 session.notAllowed',
      queue: '403 session.notAllowed',
      people: '403 session.notAllowed',
    },
  });
  await refusesStrangers(overSocket, served.running());
  await takesTwoPeople(overSocket);
  await served.close();

  own = await openOwnTill(opened(join(folder, 'data')));
  const process = within(() => own);
  for (const name of ['Max', 'Tess', 'Anna'] as const)
    expect(await answers(process, undefined, name), name).toEqual(screens[name]);
  await refusesStrangers(process, own.running);
});

/** An export takes two different people with the permission. This till has nothing to export. */
const takesTwoPeople = async (transport: ApiTransport): Promise<void> => {
  const asked = async (first: Name, second?: Name): Promise<unknown> => {
    const { api, sign, end } = await openSession(transport, { who: of(first), code: undefined });
    try {
      const headers = second === undefined ? {} : await sign('exportJournal', of(second));
      const passphrases: [string, string] = ['the first passphrase', 'the second passphrase'];
      return await unwrap(api.journal.exports.$post({ json: { passphrases } }, { headers }));
    } catch (error) {
      return isFault(error) ? error.code : error;
    } finally {
      await end();
    }
  };
  expect(await asked('Max')).toBe('staff.needed');
  expect(await asked('Max', 'Max')).toBe('export.onePerson');
  expect(await asked('Max', 'Anna')).toBe('staff.notAllowed');
  expect(await asked('Anna', 'Max')).toBe('session.notAllowed');
  expect(await asked('Tess', 'Max')).toBe('export.nothing');
};

const of = (name: Name) => ({ name, pin: people[name][1] });

/** Requests without a person or without a session are refused, and so are wrong PINs, which are counted. */
const refusesStrangers = async (transport: ApiTransport, { staff }: Pick<RunningTill, 'staff'>): Promise<void> => {
  const before = staff.refusedTries('Max');
  await expect(openSession(transport, { code: undefined })).rejects.toMatchObject({ code: 'staff.needed' });
  await expect(openSession(transport, { code: 'any code' })).rejects.toMatchObject({ code: 'session.code' });
  for (const pin of ['111222', '333444'])
    await expect(openSession(transport, { who: { name: 'Max', pin }, code: undefined })).rejects.toMatchObject({
      code: 'staff.refused',
    });
  expect(staff.refusedTries('Max') - before).toBe(2);
  const refused = { who: { name: 'Max', pin: 'letters' }, code: undefined };
  await expect(openSession(transport, refused)).rejects.toMatchObject({ code: 'staff.refused' });
  const bare = await transport('http://till/api/sales', { method: 'GET' });
  expect(bare.status).toBe(401);
};
