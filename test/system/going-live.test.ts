/** Going live: what the live till takes from the test till, when it is refused, and a crash at each step. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LiveChannel } from '../../src/api/contract/machine.ts';
import { liveSteps } from '../../src/app/going-live/folder.ts';
import { type GoingLiveParts, openGoingLive } from '../../src/app/going-live/service.ts';
import type { RunningTill } from '../../src/app/start-till.ts';
import { systemClock as clock } from '../../src/base/clock.ts';
import { isFault } from '../../src/base/fault.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { changeConfig, loadConfig, MADE_UP_TERMINAL_ID } from '../../src/folder/config.ts';
import { loadSecrets } from '../../src/folder/keys/secrets.ts';
import { tillFolder } from '../../src/folder/till-folder.ts';
import { openAudit } from '../../src/staff/audit/audit.ts';
import { openPosKeys } from '../../src/staff/sessions/pos-keys.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { type UpstreamHost, upstreamHost } from '../support/gateway/upstream-host.ts';
import { LIVE_ENTITY, LIVE_TOKEN, openReadyFolder, PIN, printer } from '../support/till/ready-till.ts';
import { eur } from '../support/till/till-rig.ts';

let shop: ReturnType<typeof openReadyFolder>;
let processor: UpstreamHost;
let running: RunningTill | undefined;
let reported: unknown[];
const manager = { name: 'Max', role: 'manager' as const, permissions: [] };

beforeEach(async () => {
  shop = openReadyFolder();
  processor = await upstreamHost({ approval: '000.000.000' });
  reported = [];
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  await processor.close();
  shop.remove();
});

const channel = (): LiveChannel => ({ baseUrl: processor.baseUrl, entityId: LIVE_ENTITY, token: LIVE_TOKEN });
const started = async (folder = shop.folder): Promise<RunningTill> => {
  running = await shop.start({ dataDir: folder });
  return running;
};
const partsOf = (till: RunningTill): GoingLiveParts => ({
  ...{ running: till, dataDir: shop.folder, mode: 'test', clock, ids: systemIds, random: systemRandom },
  report: (error) => reported.push(error),
  restart: async () => {},
  isSelling: () => false,
  open: openSqlUnsynced,
});
/** The test till with Max and Anna, and the going-live service for it. */
const opened = async (more: Partial<GoingLiveParts> = {}) => {
  const till = await started();
  const max = await till.staff.add({ name: 'Max', role: 'manager', pin: PIN });
  await till.staff.add({ name: 'Anna', role: 'cashier', pin: '7391' }, max);
  await till.staff.add({ name: 'Gone', role: 'cashier', pin: '8206' }, max);
  till.staff.remove('Gone', max);
  let restarts = 0;
  const restart = async () => {
    restarts += 1;
  };
  const service = openGoingLive({ ...partsOf(till), restart, ...more });
  return { till, service, restarts: () => restarts };
};
const reopened = async (): Promise<RunningTill> => {
  await running?.close();
  return started(join(shop.folder, 'live'));
};
const faultOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => undefined,
    (failed: unknown) => failed,
  );
  return isFault(error) ? { code: error.code, facts: error.facts } : error;
};

test('the live till takes shop, people, printers and limits; keys, receipts and program keys are its own', async () => {
  const { till, service, restarts } = await opened();
  openPosKeys({ journal: till.journal, clock, random: systemRandom }).make({ name: 'Kiosk' }, { by: 'Max' });
  expect(await till.till.sell({ amount: eur(100n) }, () => {}).done).toMatchObject({ at: 'ended' });
  await service.goLive(channel(), manager);
  expect([restarts(), reported]).toEqual([1, []]);

  const audit = openAudit(till.journal).page({ from: 0, most: 1 });
  expect(audit.rows[0]).toMatchObject({ kind: 'wentLive', by: 'Max' });
  expect(tillFolder(shop.folder)).toBe(join(shop.folder, 'live'));
  expect(existsSync(join(shop.folder, 'live.new'))).toBe(false);
  const live = await reopened();
  expect(live.mode).toBe('live');
  const { gateway, ...config } = live.config;
  const { gateway: before, ...same } = shop.config();
  expect(config).toEqual(same);
  expect(config.printers).toEqual([printer]);
  expect(gateway).toEqual({ ...before, baseUrl: processor.baseUrl, entityId: LIVE_ENTITY });
  expect(readFileSync(join(shop.folder, 'live', 'logo.png'), 'utf8')).toBe('a picture');
  for (const name of ['till.json', 'till.secrets.json'])
    expect(statSync(join(shop.folder, 'live', name)).mode & 0o777).toBe(0o600);

  expect(live.staff.people()).toEqual([
    { name: 'Max', role: 'manager' },
    { name: 'Anna', role: 'cashier' },
  ]);
  expect(await live.staff.admit({ name: 'Max', pin: PIN }, 'goLive')).toEqual({ name: 'Max', role: 'manager' });
  expect(await live.staff.admit({ name: 'Anna', pin: '7391' }, 'sell')).toMatchObject({ name: 'Anna' });
  expect(await faultOf(live.staff.admit({ name: 'Anna', pin: '7392' }, 'sell'))).toMatchObject({
    code: 'staff.refused',
  });
  await live.staff.changePin({ name: 'Anna', pin: '6284' }, manager);
  expect(await live.staff.admit({ name: 'Anna', pin: '6284' }, 'sell')).toMatchObject({ name: 'Anna' });

  const own = secretsIn(join(shop.folder, 'live'));
  const theirs = secretsIn(shop.folder);
  expect(own.token).toBe(LIVE_TOKEN);
  expect(own.tillKey).not.toEqual(theirs.tillKey);
  expect(own.signingKey).not.toEqual(theirs.signingKey);
  expect(openPosKeys({ journal: live.journal, clock, random: systemRandom }).rows(live.staff)).toEqual([]);
  expect(live.ledger.nextNumbers('70001234')).toEqual({ receipt: 1, sequence: 1 });
  const entries = [...live.journal.entries()].map(({ kind }) => kind);
  expect(entries.slice(0, 2)).toEqual(['sealed', 'liveBegun']);
  const rows = openAudit(live.journal).page({ from: 0, most: 50, kind: 'liveBegun' }).rows;
  expect(rows).toMatchObject([{ by: 'Max', words: 'went live: this live till was created' }]);

  const sale = await live.till.sell({ amount: eur(1_250n) }, () => {}).done;
  expect(sale).toMatchObject({ ending: 'approved' });
  expect(processor.posted).toHaveLength(1);
  expect(processor.posted[0]?.headers.authorization).toBe(`Bearer ${LIVE_TOKEN}`);
});
const secretsIn = (folder: string) => loadSecrets(folder, { random: systemRandom, isNew: false });

test.each(liveSteps)(
  'a crash after the step "%s" leaves no live till or a complete one; the next attempt succeeds',
  async (at) => {
    const { till, service } = await opened({
      onStep(step) {
        if (step === at) throw new Error('the plug was pulled');
      },
    });
    expect(await faultOf(service.goLive(channel(), manager))).toMatchObject({ code: 'folder.unusable' });
    const isWhole = at === 'renamed';
    expect(existsSync(join(shop.folder, 'live'))).toBe(isWhole);
    expect(tillFolder(shop.folder)).toBe(isWhole ? join(shop.folder, 'live') : shop.folder);
    expect(till.mode).toBe('test');
    const again = openGoingLive({ ...partsOf(till) });
    const second = await faultOf(again.goLive(channel(), manager));
    if (isWhole) expect(second).toMatchObject({ code: 'live.already' });
    else expect(second).toBeUndefined();
    expect(readdirSync(shop.folder).filter((name) => name.startsWith('live'))).toEqual(['live']);
    const live = await reopened();
    expect(live.mode).toBe('live');
    // Nothing of the first attempt remains in the second.
    expect([...live.journal.entries()].filter(({ kind }) => kind === 'liveBegun')).toHaveLength(1);
    expect(await live.staff.admit({ name: 'Max', pin: PIN }, 'goLive')).toMatchObject({ name: 'Max' });
  },
);

test('a journal that cannot be written leaves no live till', async () => {
  const { service } = await opened({
    open() {
      throw new Error('the disk is full');
    },
  });
  expect(await faultOf(service.goLive(channel(), manager))).toMatchObject({ code: 'folder.unusable' });
  expect(existsSync(join(shop.folder, 'live'))).toBe(false);
});

const nothingMade = () => expect(readdirSync(shop.folder).filter((name) => name.startsWith('live'))).toEqual([]);

test('open items are named, and nothing is created', async () => {
  changeConfig(shop.folder, systemIds, (config) => ({ ...config, terminalId: MADE_UP_TERMINAL_ID }));
  const { service } = await opened();
  const open = { code: 'live.notReady', facts: { open: 'gateway,shop' } };
  expect(await faultOf(service.goLive(undefined, manager))).toEqual(open);
  nothingMade();
});

test('no going live during a sale, in training, from a live till, or beside one', async () => {
  const { service, till } = await opened({ isSelling: () => true });
  expect(await faultOf(service.goLive(channel(), manager))).toMatchObject({ code: 'terminal.busy' });
  for (const [mode, code] of [
    ['training', 'training.notHere'],
    ['live', 'live.already'],
  ] as const) {
    const other = openGoingLive({ ...partsOf(till), mode });
    expect(await faultOf(other.goLive(channel(), manager))).toMatchObject({ code });
    expect(await faultOf(other.checklist())).toMatchObject({ code });
    expect(await faultOf(other.tryGateway(channel()))).toMatchObject({ code });
  }
  nothingMade();
  mkdirSync(join(shop.folder, 'live'));
  const beside = openGoingLive(partsOf(till));
  expect(await faultOf(beside.goLive(channel(), manager))).toMatchObject({ code: 'live.already' });
  expect(readdirSync(join(shop.folder, 'live'))).toEqual([]);
});

test('a sale that begins while the gateway is asked stops going live', async () => {
  const { service } = await opened({ isSelling: () => processor.requests.length > 0 });
  expect(await faultOf(service.goLive(channel(), manager))).toMatchObject({ code: 'terminal.busy' });
  nothingMade();
});

test('a channel that was tried successfully is listed, and used', async () => {
  const { service } = await opened();
  processor.nextInquiry({ status: 401, bytes: JSON.stringify({ result: { code: '800.900.300' } }) });
  expect(await service.tryGateway(channel())).toMatchObject({ answered: false });
  expect((await service.checklist()).gateway).toBeUndefined();
  expect(await service.tryGateway(channel())).toMatchObject({ answered: true });
  expect(await service.checklist()).toMatchObject({ ready: true, gateway: { entityId: LIVE_ENTITY } });
  await service.goLive(undefined, manager);
  expect(secretsIn(join(shop.folder, 'live')).token).toBe(LIVE_TOKEN);
});

test('with terminals that ask their own banks no channel is needed, and the built-in gateway is used', async () => {
  changeConfig(shop.folder, systemIds, (config) => ({ ...config, terminal: 'zvt+tcp://127.0.0.1:2' }));
  const { service } = await opened();
  await service.goLive(undefined, manager);
  const { gateway } = loadConfig(join(shop.folder, 'live'), systemIds);
  expect(gateway).toEqual({ ...shop.config().gateway, entityId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(gateway.entityId).not.toBe(shop.config().gateway.entityId);
  expect(processor.requests).toEqual([]);
});

test('the built-in gateway gets a live channel from the processor in till.json; a test till ignores it', async () => {
  const upstream = { baseUrl: processor.baseUrl, entityId: LIVE_ENTITY };
  changeConfig(shop.folder, systemIds, ({ gateway, ...config }) => ({ ...config, gateway: { ...gateway, upstream } }));
  await (await started()).close();
  const secrets = join(shop.folder, 'till.secrets.json');
  const stored = JSON.parse(readFileSync(secrets, 'utf8'));
  writeFileSync(secrets, JSON.stringify({ ...stored, upstreamToken: LIVE_TOKEN }));
  const { till, service } = await opened();
  expect(await till.till.sell({ amount: eur(100n) }, () => {}).done).toMatchObject({ at: 'ended' });
  expect(processor.posted).toEqual([]);
  await service.goLive(undefined, manager);
  const live = await reopened();
  expect(live.config.gateway).toMatchObject({ upstream });
  expect(live.gatewayUrl).toBeUndefined();
  const sale = await live.till.sell({ amount: eur(1_250n) }, () => {}).done;
  expect(sale).toMatchObject({ ending: 'approved' });
  expect(processor.posted).toHaveLength(1);
  expect(processor.posted[0]?.headers.authorization).toBe(`Bearer ${LIVE_TOKEN}`);
});

test('a live till whose processor’s token is missing does not start', async () => {
  const upstream = { baseUrl: processor.baseUrl, entityId: LIVE_ENTITY };
  const { service } = await opened();
  await service.goLive(channel(), manager);
  const live = join(shop.folder, 'live');
  changeConfig(live, systemIds, ({ gateway: { baseUrl: _, ...gateway }, ...config }) => ({
    ...config,
    gateway: { ...gateway, upstream },
  }));
  expect(await faultOf(shop.start({ dataDir: live }))).toMatchObject({ code: 'config.malformed' });
});

test('secrets sealed at the test till are sealed at the live till', async () => {
  const sealKey = new Uint8Array(32).fill(7);
  running = await shop.start({ sealKey });
  await running.staff.add({ name: 'Max', role: 'manager', pin: PIN });
  await openGoingLive({ ...partsOf(running), sealKey }).goLive(channel(), manager);
  const live = join(shop.folder, 'live');
  expect(readFileSync(join(live, 'till.secrets.json'), 'utf8')).not.toContain(LIVE_TOKEN);
  expect(await faultOf(shop.start({ dataDir: live }))).toMatchObject({ code: 'secrets.sealed' });
  await running.close();
  running = await shop.start({ dataDir: live, sealKey });
  expect(await running.staff.admit({ name: 'Max', pin: PIN }, 'goLive')).toMatchObject({ name: 'Max' });
});

test('test host marks and a simulated terminal are not taken over; the second copy gets its own folder', async () => {
  const { service } = await opened();
  changeConfig(shop.folder, systemIds, (config) => ({
    ...config,
    ...{ simulatedTerminal: true as const, secondCopy: join(shop.folder, 'copy') },
  }));
  await service.goLive(channel(), manager);
  const live = loadConfig(join(shop.folder, 'live'), systemIds);
  expect(live).not.toHaveProperty('simulatedTerminal');
  expect(live.secondCopy).toBe(join(shop.folder, 'copy', 'live'));
});

test('a manager is told once that an older till was found to be live', async () => {
  const { till } = await opened();
  till.journal.sql.run("UPDATE till_mode SET mode = 'live', judged = 'realTerminal'");
  expect(openGoingLive(partsOf(till)).found()).toBeUndefined();
  const service = openGoingLive({ ...partsOf(till), mode: 'live' });
  expect(service.found()).toMatchObject({ code: 'goingLive.foundTerminal' });
  service.read(manager);
  service.read(manager);
  expect(service.found()).toBeUndefined();
  const read = openAudit(till.journal).page({ from: 0, most: 9, kind: 'foundLiveRead' });
  expect(read.rows).toMatchObject([{ by: 'Max' }]);
});
