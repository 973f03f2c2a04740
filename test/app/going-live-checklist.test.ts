/** The checklist for going live: what it finds at a till, and what it asks a gateway. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GoingLiveItem, LiveChannel } from '../../src/api/contract/machine.ts';
import { checklistOf } from '../../src/app/going-live/service.ts';
import { systemClock as clock } from '../../src/base/clock.ts';
import { type Config, MADE_UP_TERMINAL_ID } from '../../src/folder/config.ts';
import { type UpstreamHost, upstreamHost } from '../support/gateway/upstream-host.ts';
import { device, LIVE_ENTITY, LIVE_TOKEN, openReadyFolder } from '../support/till/ready-till.ts';

let shop: ReturnType<typeof openReadyFolder>;
let processor: UpstreamHost;
beforeEach(async () => {
  shop = openReadyFolder();
  processor = await upstreamHost({ approval: '000.000.000' });
});
afterEach(async () => {
  await processor.close();
  shop.remove();
});

const channel = (): LiveChannel => ({ baseUrl: processor.baseUrl, entityId: LIVE_ENTITY, token: LIVE_TOKEN });

const zvt = 'zvt+tcp://127.0.0.1:2';
const second = { terminalId: '70001235', terminal: 'mpi+tcp://127.0.0.1:3', device: { ...device, serial: '2' } };
const without = (name: keyof Config) => (config: Config) =>
  Object.fromEntries(Object.entries(config).filter(([each]) => each !== name)) as Config;

test.each<[what: string, change: (config: Config) => Config, open: GoingLiveItem[], code?: string]>([
  ['everything required', (config) => config, []],
  ['no terminal', without('terminal'), ['terminal'], 'terminalMissing'],
  ['an address that was never paired', without('device'), ['terminal'], 'terminalMissing'],
  [
    'a simulated model',
    (config) => ({ ...config, device: { ...device, model: 'SIMULATED M020' } }),
    ['terminal'],
    'terminalSimulated',
  ],
  [
    'a simulated serial number',
    (config) => ({ ...config, device: { ...device, serial: 'simulated-1' } }),
    ['terminal'],
    'terminalSimulated',
  ],
  ['a second terminal', (config) => ({ ...config, terminals: [second] }), []],
  [
    'a second terminal that is simulated',
    (config) => ({ ...config, terminals: [{ ...second, device: { ...device, model: 'SIMULATED ZVT' } }] }),
    ['terminal'],
    'terminalSimulated',
  ],
  [
    'a second terminal that was never paired',
    (config) => ({ ...config, terminals: [{ terminalId: '70001235', terminal: zvt }] }),
    ['terminal'],
    'terminalMissing',
  ],
  [
    'a terminal at its maker’s test host',
    (config) => ({ ...config, terminal: zvt, device: { ...device, testHost: true } }),
    ['terminal'],
    'terminalTestHost',
  ],
  [
    'the made-up name',
    (config) => ({ ...config, merchant: { ...config.merchant, name: 'MY SHOP' } }),
    ['shop'],
    'nameMissing',
  ],
  [
    'the made-up address',
    (config) => ({ ...config, merchant: { ...config.merchant, address: ['Change this in till.json'] } }),
    ['shop'],
    'addressMissing',
  ],
  [
    'an empty address',
    (config) => ({ ...config, merchant: { ...config.merchant, address: [' '] } }),
    ['shop'],
    'addressMissing',
  ],
  [
    'the made-up terminal number',
    (config) => ({ ...config, terminalId: MADE_UP_TERMINAL_ID }),
    ['shop'],
    'terminalIdMissing',
  ],
  [
    'a placeholder terminal number at the second',
    (config) => ({ ...config, terminals: [{ ...second, terminalId: MADE_UP_TERMINAL_ID }] }),
    ['shop'],
    'terminalIdMissing',
  ],
  [
    'a newly created till',
    (config) => ({ ...first, gateway: config.gateway }),
    ['terminal', 'shop'],
    'terminalMissing',
  ],
])('%s', async (_, change, open, code) => {
  const config = change(shop.config());
  const list = await checklistOf({ config, people: [{ name: 'Max', role: 'manager' }], channel: channel(), clock });
  const left = list.rows.filter(({ done }) => !done);
  expect(left.map(({ item }) => item)).toEqual(open);
  expect(left[0]?.says.code).toBe(code && `goingLive.${code}`);
  for (const row of left) expect(row.cure).toBeDefined();
  expect(list.ready).toBe(open.length === 0);
});
const first = ((): Config => {
  const created = openReadyFolder(({ gateway, offline }) => ({
    ...{ gateway, offline, currency: 'EUR', terminalId: MADE_UP_TERMINAL_ID },
    merchant: { name: 'MY SHOP', address: ['Change this in till.json'], id: '000000012345678' },
  }));
  const config = created.config();
  created.remove();
  return config;
})();

test('the checklist of a new till names each placeholder in its configuration', async () => {
  const { rows } = await checklistOf({ config: first, people: [], channel: undefined, clock });
  const texts = rows.map((row) => row.says.says);
  expect(texts[3]).toBe(
    'The shop has no name yet. The shop has no address yet. The terminal number 10000001 is only an example.',
  );
  expect(rows.map(({ done }) => done)).toEqual([false, false, false, false]);
});

test.each<[what: string, people: Parameters<typeof checklistOf>[0]['people'], done: boolean]>([
  ['nobody', [], false],
  [
    'a cashier and a technician',
    [
      { name: 'Anna', role: 'cashier' },
      { name: 'Tess', role: 'technician' },
    ],
    false,
  ],
  ['a manager', [{ name: 'Max', role: 'manager' }], true],
])('%s', async (_, people, done) => {
  const { rows } = await checklistOf({ config: shop.config(), people, channel: channel(), clock });
  expect(rows[2]).toMatchObject({ item: 'people', done });
});

const answer = (status: number, code: string) => ({
  status,
  bytes: JSON.stringify({ result: { code, description: 'as told' } }),
});
test.each<[what: string, look: { status: number; bytes: string } | undefined, code: string]>([
  ['a gateway that does not know the sale', undefined, 'gatewayAnswers'],
  ['a token that is refused', answer(401, '800.900.300'), 'gatewayRefuses'],
  ['an entity that is refused', answer(403, '800.900.201'), 'gatewayRefuses'],
  ['an answer to another question', answer(200, '000.000.100'), 'gatewayRefuses'],
  ['a gateway that fails', answer(500, '700.400.580'), 'gatewayAway'],
  ['something that is not a gateway', { status: 200, bytes: '<html>' }, 'gatewayAway'],
])('%s', async (_, look, code) => {
  if (look !== undefined) processor.nextInquiry(look);
  const list = await checklistOf({ config: shop.config(), people: [], channel: channel(), clock });
  const { baseUrl, entityId } = channel();
  const done = code === 'gatewayAnswers';
  expect(list.rows[1]).toMatchObject({ item: 'gateway', done, says: { code: `goingLive.${code}` } });
  expect(list.gateway).toEqual(done ? { baseUrl, entityId } : undefined);
  expect(JSON.stringify(list)).not.toContain(LIVE_TOKEN);
  expect(processor.requests).toEqual([`/v1/query?entityId=${LIVE_ENTITY}&merchantTransactionId=${'0'.repeat(32)}`]);
});

test('a gateway without encryption is not even asked', async () => {
  const plain = { ...channel(), baseUrl: `http://0.0.0.0:${new URL(processor.baseUrl).port}/` };
  const { rows } = await checklistOf({ config: shop.config(), people: [], channel: plain, clock });
  expect(rows[1]).toMatchObject({ done: false, says: { code: 'goingLive.gatewayPlain' } });
  expect(processor.counts().requests).toBe(0);
});

test('a gateway where nothing listens is unreachable', async () => {
  const unreachable = { ...channel(), baseUrl: 'http://127.0.0.1:1/' };
  const { rows } = await checklistOf({ config: shop.config(), people: [], channel: unreachable, clock });
  expect(rows[1]).toMatchObject({ done: false, says: { code: 'goingLive.gatewayAway' } });
});

test.each<[what: string, change: (config: Config) => Config, withoutGateway: boolean]>([
  ['a reader', (config) => config, false],
  ['a terminal that asks its bank itself', (config) => ({ ...config, terminal: zvt }), true],
  ['both', (config) => ({ ...config, terminals: [{ ...second, terminal: zvt }] }), false],
  [
    'two terminals that ask their banks',
    (config) => ({ ...config, terminal: zvt, terminals: [{ ...second, terminal: 'zvt+tcp://127.0.0.1:4' }] }),
    true,
  ],
])('%s', async (_, change, withoutGateway) => {
  const config = change(shop.config());
  const list = await checklistOf({ config, people: [], channel: undefined, clock });
  expect(list.withoutGateway).toBe(withoutGateway);
  expect(list.rows[1]).toMatchObject({ done: withoutGateway });
});
