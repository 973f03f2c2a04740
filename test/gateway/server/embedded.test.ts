/** The whole gateway with its own acquirer, as a till uses it. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { gatewayClient } from '../../../src/gateway/client/client.ts';
import { openGateway } from '../../../src/gateway/server/embedded.ts';
import { entityId, payment, token } from '../../support/gateway/gateway.ts';
import { isWindows, modeHere } from '../../support/platform/platform.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';

let folder: string;
let clock: VirtualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  clock = virtualClock();
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = async (dataDir = folder) => {
  const channels = [{ entityId, token }];
  const gateway = await openGateway({ dataDir, channels, clock, ids: systemIds, random: systemRandom });
  const { fetch } = gateway;
  const calls = gatewayClient({ fetch, baseUrl: 'http://embedded/', entityId, token, clock, timeoutMs: 60_000 });
  return { ...calls, close: gateway.close };
};

const idOf = (outcome: { kind: string; body?: Record<string, unknown> }) => String(outcome.body?.['id']);

test('authorises, captures and refunds, and finds all of it again after a restart', async () => {
  const first = await open();
  const authorised = await first.post(
    'v1/payments',
    payment({ paymentType: 'PA', merchantTransactionId: 'order-0001' }),
  );
  const part = { amount: '6.00', currency: 'EUR' };
  const captured = await first.post(`v1/payments/${idOf(authorised)}`, { ...part, paymentType: 'CP' });
  const refunded = await first.post(`v1/payments/${idOf(captured)}`, { ...part, paymentType: 'RF' });
  for (const outcome of [authorised, captured, refunded]) expect(outcome).toMatchObject({ means: 'approved' });
  await first.close();

  const second = await open();
  expect(await second.get('v1/query', { merchantTransactionId: 'order-0001' })).toMatchObject({
    body: { payments: [{ id: idOf(authorised), result: { code: '000.100.110' } }] },
  });
  const repeatOutcome = await second.post(`v1/payments/${idOf(captured)}`, { ...part, paymentType: 'RF' });
  expect(repeatOutcome).toMatchObject({ means: 'refused', code: '700.400.200' });
  await second.close();
});

test.each([
  ['with a lost answer was made', '8000.68', '000.100.110'],
  ['with a lost request was not made', '8000.92', '100.396.103'],
])('a sale %s: uncertain first, then the result of an inquiry', async (_, amount, code) => {
  const gateway = await open(':memory:');
  const sale = await gateway.post('v1/payments', payment({ amount }));
  expect(sale).toMatchObject({ means: 'unknown', code: '900.100.300' });
  expect(await gateway.get(`v1/payments/${idOf(sale)}`)).toMatchObject({ code });
  await gateway.close();
});

test('a test can force a result code', async () => {
  const gateway = await open(':memory:');
  const forcedPayment = payment({ 'customParameters[forceResultCode]': '800.100.151' });
  expect(await gateway.post('v1/payments', forcedPayment)).toMatchObject({
    means: 'declined',
    code: '800.100.151',
    description: 'transaction declined (invalid card)',
    body: { customParameters: { forceResultCode: '800.100.151' } },
  });
  await gateway.close();
});

test('recognises a repeat after a restart too', async () => {
  const first = await open();
  const sale = await first.post('v1/payments', payment(), 'a-key');
  await first.close();
  const second = await open();
  expect(idOf(await second.post('v1/payments', payment(), 'a-key'))).toBe(idOf(sale));
  expect(await second.post('v1/payments', payment({ amount: '1.00' }), 'a-key')).toMatchObject({ code: '800.110.100' });
  await second.close();
});

test('if the key file is lost, a repeat is refused, not charged again', async () => {
  const first = await open();
  await first.post('v1/payments', payment(), 'a-key');
  await first.close();
  rmSync(join(folder, 'gateway.key'));
  const second = await open();
  expect(await second.post('v1/payments', payment(), 'a-key')).toMatchObject({ means: 'unknown', code: '800.110.100' });
  await second.close();
});

test('only the owner can read the key file, and a damaged one is refused', async () => {
  await (await open()).close();
  const path = join(folder, 'gateway.key');
  expect(statSync(path).mode & 0o777).toBe(modeHere(0o600));
  writeFileSync(path, 'short');
  await expect(open()).rejects.toMatchObject({ code: 'gateway.state' });
});

test('a folder can have only one gateway', async () => {
  const gateway = await open();
  await expect(open()).rejects.toMatchObject({ code: 'gateway.busy', facts: { data: folder } });
  await gateway.close();
});

test('creates a missing folder and its parents, readable only by the owner', async () => {
  const deepFolder = join(folder, 'shops', 'corner', 'gateway');
  await (await open(deepFolder)).close();
  expect(statSync(deepFolder).mode & 0o777).toBe(modeHere(0o700));
});

test.each([
  ['below a file', () => join(folder, 'file', 'data')],
  ['that is a file', () => join(folder, 'file')],
  ['where the system allows none', () => (isWindows ? 'Q:\\tillgate' : '/proc/tillgate/data')],
])('quickly refuses a folder %s', async (_, path) => {
  writeFileSync(join(folder, 'file'), '');
  await expect(open(path())).rejects.toMatchObject({ code: 'folder.unusable', facts: { path: path() } });
});
