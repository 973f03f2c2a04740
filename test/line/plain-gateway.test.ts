/**
 * A till with an unencrypted connection to its gateway: what it sells and sends before and after a manager allows it.
 */
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningTill, startTill } from '../../src/app/start-till.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { changeConfig, journalFile } from '../../src/folder/config.ts';
import { openSql } from '../../src/journal/sql.ts';
import { allowPlain, disallowPlain, mayReach, openPlainGateway } from '../../src/line/plain-gateway.ts';
import { openAudit } from '../../src/staff/audit/audit.ts';
import { openMachine } from '../../src/takeover/machine.ts';
import { HERE, openCopies, sell } from '../support/till/folder-copies.ts';

const PRIVATE = 'http://10.11.12.13:8700/';
const FAR = 'http://pay.example/';

let shop: ReturnType<typeof openCopies>;
beforeEach(() => {
  shop = openCopies();
});
afterEach(() => shop.remove());

const configure = (baseUrl: string): void => {
  changeConfig(shop.folder, systemIds, (config) => ({ ...config, gateway: { ...config.gateway, baseUrl } }));
  shop.line.gateway = undefined;
};
const nameGateway = (baseUrl: string): void => {
  shop.line.gateway = { baseUrl, entityId: '0'.repeat(32), token: 'token-token' };
};

const code = (faultCode: string) => expect.objectContaining({ code: faultCode });
const allow = ({ journal: { sql } }: RunningTill, address = PRIVATE): void =>
  allowPlain(sql, address, { at: 1, by: 'Mia' });

test.each([
  [FAR, 'gateway.plain', /https/],
  [PRIVATE, 'gateway.plainUnallowed', /https.*till plain-http allow http:\/\/10\.11\.12\.13:8700\//],
])('a flag with %s ends the start with a text that names https', async (baseUrl, fault, next) => {
  nameGateway(baseUrl);
  await expect(shop.start()).rejects.toMatchObject({
    code: fault,
    next: expect.stringMatching(next),
  });
});

test.each([
  [FAR, 'gateway.plain'],
  [PRIVATE, 'gateway.plainUnallowed'],
])('with %s in till.json the till starts, sells nothing and sends no waiting message', async (baseUrl, fault) => {
  await shop.during(async (till) => {
    shop.line.fate = 'notReached';
    await sell(till, 1_000n);
  });
  shop.line.fate = 'answered';
  configure(baseUrl);
  const requests: string[] = [];
  for (const what of ['take', 'find', 'list'] as const) shop.issuer[what] = () => requests.push(what) as never;
  const till = await shop.start();
  expect(() => sell(till, 100n)).toThrowError(code(fault));
  expect(() => till.till.refund({ receipt: 1 }, () => {})).toThrowError(code(fault));
  expect(() => till.books.x()).toThrowError(code(fault));
  await expect(till.books.close()).rejects.toMatchObject({ code: fault });
  till.runInBackground();
  await till.forwarder.drain('all');
  expect(await till.isGatewayReachable()).toBe(false);
  expect(await Array.fromAsync(till.audit())).toMatchObject([{ gateway: undefined }]);
  expect(await till.place.comparison?.look('anew')).toMatchObject({ state: 'due' });
  expect(requests).toEqual([]);
  expect(shop.issuer.books).toEqual([]);
});

test('on the real line not even a connection is opened', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((open) => server.listen(0, '0.0.0.0', open));
  // This machine, by an address outside its loopback range.
  configure(`http://0.0.0.0:${(server.address() as AddressInfo).port}/`);
  const { around: _, ...options } = shop.options(shop.folder);
  const till = await startTill({ ...options, boundTo: { identity: HERE } });
  expect(await till.isGatewayReachable()).toBe(false);
  await till.place.comparison?.look('anew');
  await till.close();
  expect(connections).toBe(0);
  await new Promise((closed) => server.close(closed));
});

test('in a private network it sells once a manager has allowed this address, until the manager ends that', async () => {
  configure(PRIVATE);
  const till = await shop.start();
  expect(() => sell(till, 100n)).toThrowError(code('gateway.plainUnallowed'));
  allow(till, 'http://10.11.12.14:8700/');
  allow(till, 'http://10.11.12.13/');
  expect(() => sell(till, 100n)).toThrowError(code('gateway.plainUnallowed'));
  allow(till);
  expect(till.place.plain.state()?.permission).toEqual({ state: 'allowed', at: 1, by: 'Mia' });
  expect(await sell(till, 100n)).toMatchObject({ ending: 'approved' });
  disallowPlain(till.journal.sql, PRIVATE);
  expect(() => sell(till, 100n)).toThrowError(code('gateway.plainUnallowed'));
  expect(shop.issuer.books).toHaveLength(1);
});

test('the permission covers a flag too; nothing can be allowed over the public network', async () => {
  await shop.during((till) => {
    allow(till);
    allow(till, FAR);
  });
  nameGateway(PRIVATE);
  await shop.during((till) => sell(till, 100n));
  expect(shop.issuer.books).toHaveLength(1);
  nameGateway(FAR);
  await expect(shop.start()).rejects.toMatchObject({
    code: 'gateway.plain',
  });
});

const deskOf = (running: RunningTill) =>
  openMachine({
    ...{ running, clock: systemClock, isSelling: () => false, changed: () => {} },
    report: () => {},
    restart: async () => {},
  });
const mia = { name: 'Mia', permissions: ['changeGateway'] } as const;

test('a manager allows an address and ends that, with immediate effect, and the audit list says who', async () => {
  configure(PRIVATE);
  const till = await shop.start();
  const service = deskOf(till);
  expect(service.state().plainHttp).toEqual({
    address: PRIVATE,
    reach: 'privateNetwork',
    permission: { state: 'none' },
  });
  expect(service.setPlainHttp({ address: PRIVATE, allowed: true }, mia).plainHttp?.permission).toMatchObject({
    state: 'allowed',
    by: 'Mia',
  });
  expect(await sell(till, 100n)).toMatchObject({ ending: 'approved' });
  service.setPlainHttp({ address: PRIVATE, allowed: false }, mia);
  expect(() => sell(till, 100n)).toThrowError(code('gateway.plainUnallowed'));
  const { rows } = openAudit(till.journal).page({ from: 0, most: 2, by: 'Mia' });
  expect(rows.map(({ words }) => words)).toEqual([
    `ended payments over plain http to the gateway at ${PRIVATE}`,
    `allowed payments over plain http to the gateway at ${PRIVATE}`,
  ]);
});

test('a password in an address is neither stored nor shown', async () => {
  const secret = PRIVATE.replace('//', '//me:secret@');
  configure(secret);
  const till = await shop.start();
  expect(() => sell(till, 100n)).toThrowError(/^(?!.*secret).*10\.11\.12\.13/);
  expect(deskOf(till).setPlainHttp({ address: secret, allowed: true }, mia).plainHttp?.address).toBe(PRIVATE);
  expect(openAudit(till.journal).page({ from: 0, most: 1 }).rows[0]?.words).toContain(`at ${PRIVATE}`);
  expect([...till.journal.entries()].some(({ kind, body }) => kind === 'plainHttpAllowed' && /secret/.test(body))).toBe(
    false,
  );
  expect(await sell(till, 100n)).toMatchObject({ ending: 'approved' });
});

test.each([
  [FAR, 'gateway.plain'],
  ['nonsense', 'gateway.plain'],
  ['https://10.0.0.5/', 'gateway.encrypted'],
  ['http://127.0.0.1:8700/', 'gateway.encrypted'],
])('a manager cannot allow %s: %s', async (address, fault) => {
  const service = deskOf(await shop.start());
  expect(() => service.setPlainHttp({ address, allowed: true }, mia)).toThrowError(code(fault));
});

/** Sets the folder's journal back to the version before managers had to allow an address. */
const agePermission = (): void => {
  const sql = openSql(journalFile(shop.folder));
  sql.run('DROP TABLE IF EXISTS plain_gateway');
  sql.run('PRAGMA user_version = 5');
  sql.close();
};

test('an address with sales from before this rule keeps working with a warning; another one does not', async () => {
  await shop.during((till) => allow(till));
  nameGateway(PRIVATE);
  await shop.during((till) => sell(till, 100n));
  agePermission();
  configure(PRIVATE);
  await shop.during(async (till) => {
    const permission = { state: 'usedBefore' };
    expect(till.place.plain.state()).toEqual({ address: PRIVATE, reach: 'privateNetwork', permission });
    expect(await sell(till, 100n)).toMatchObject({ ending: 'approved' });
  });
  configure('http://10.11.12.14:8700/');
  const till = await shop.start();
  expect(() => sell(till, 100n)).toThrowError(code('gateway.plainUnallowed'));
});

test('the exception holds neither for a newer folder nor for one whose sales went elsewhere', async () => {
  await shop.during((till) => sell(till, 100n));
  agePermission();
  configure(PRIVATE);
  const till = await shop.start();
  expect(till.place.plain.state()?.permission).toEqual({ state: 'none' });
});

test.each([
  ['http://gateway.local/', '192.168.1.5', true],
  ['http://gateway.local/', '127.0.0.1', true],
  ['http://gateway.local/', '8.8.8.8', false],
  ['http://localhost/', '::1', true],
  ['http://localhost/', '10.0.0.5', false],
  ['https://pay.example/', '8.8.8.8', true],
  ['http://pay.example/', '10.0.0.5', false],
])('a connection for %s to %s: %s', (address, found, isAllowed) => expect(mayReach(address)(found)).toBe(isAllowed));

test('without a journal nothing is allowed, and this machine needs no permission', () => {
  expect(openPlainGateway(undefined, PRIVATE).refusalFault()).toMatchObject({ code: 'gateway.plainUnallowed' });
  for (const address of [undefined, 'https://pay.example/', 'http://127.0.0.1:1/'])
    expect(openPlainGateway(undefined, address).state()).toBeUndefined();
});
