/** After the challenge the gateway continues by itself, once, whoever comes first and whatever crashes in between. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { type Embedded, openGateway } from '../../../src/gateway/server/embedded.ts';
import { PATIENCE_MS } from '../../../src/gateway/threeds/start-authentication.ts';
import { entityId, idOf, replyOf, token } from '../../support/gateway/gateway.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';
import type { Shop } from '../payments/gateway-in-memory.ts';
import { answer, browse, cardPayment, redirectOf, rightCode, toBank } from './secured-shop.ts';

const OK = '000.100.110';
const pendingCode = '000.200.000';
const CARD = '4200000000000018';

let folder: string;
let clock: VirtualClock;
let shop: Shop;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  clock = virtualClock();
  shop = await open();
});
afterEach(async () => {
  await shop.gateway.close();
  rmSync(folder, { recursive: true });
});

const open = async (): Promise<Shop> => {
  const gateway: Embedded = await openGateway({
    dataDir: folder,
    channels: [{ entityId, token, threeDSecure: { enabled: true } }],
    clock,
    ids: systemIds,
    random: systemRandom,
    report: (error) => {
      throw error;
    },
  });
  const authorization = `Bearer ${token}`;
  const send = async (path: string, init: RequestInit) =>
    replyOf(await gateway.fetch(new Request(`https://shop.test/${path}`, init)));
  return {
    gateway,
    post: (path, parameters) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams({ entityId, ...parameters }).toString(),
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      }),
    get: (path) => send(`${path}?entityId=${entityId}`, { headers: { authorization } }),
  };
};

/** Advances time, and lets the jobs that it started finish. */
const advance = async (ms: number) => {
  await clock.advance(ms);
  for (let turn = 0; turn < 50; turn += 1) await clock.settle();
};

const documents = async (id: string) => JSON.parse((await shop.gateway.store.memory.get(`threeds/${id}`)) ?? '{}');

/** The whole content of the disk, as text. */
const onDisk = () =>
  readdirSync(folder)
    .filter((name) => name.startsWith('gateway.db'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');

test('after a stop between the bank’s answer and the authorisation, the next start continues', async () => {
  const first = await shop.post('v1/payments', cardPayment(CARD));
  const bank = await toBank(shop, redirectOf(first).url);
  // The page that would redirect the shopper back is never loaded.
  expect((await browse(shop, bank.url, rightCode)).html).toContain('name="cres"');
  expect(await shop.gateway.store.payment(idOf(first))).toMatchObject({ state: 'processing' });
  await shop.gateway.close();
  shop = await open();
  expect(await shop.gateway.store.payment(idOf(first))).toMatchObject({ state: 'done', resultCode: OK });
  expect(
    (await shop.post(`v1/payments/${idOf(first)}`, { paymentType: 'RF', amount: '25.00', currency: 'EUR' })).code,
  ).toBe(OK);
});

test('a query finds the bank’s answer too, and with any number at once the money moves once', async () => {
  const first = await shop.post('v1/payments', cardPayment(CARD));
  const path = `v1/payments/${idOf(first)}`;
  const bank = await toBank(shop, redirectOf(first).url);
  await browse(shop, bank.url, rightCode);
  const polls = await Promise.all(Array.from({ length: 8 }, () => shop.get(path)));
  expect(new Set(polls.map(({ text }) => text)).size).toBe(1);
  expect(polls[0]).toMatchObject({ code: OK });
  const refund = { paymentType: 'RF', amount: '25.00', currency: 'EUR' };
  expect((await shop.post(path, refund)).code).toBe(OK);
  expect((await shop.post(path, refund)).code).toBe('700.400.200');
});

test('the card waits encrypted, is readable nowhere, and its key is destroyed when the payment ends', async () => {
  const first = await shop.post('v1/payments', cardPayment(CARD, { 'card.cvv': '739' }));
  const waitingDocuments = await documents(idOf(first));
  expect(waitingDocuments).toMatchObject({ state: 'challenge', sealed: { keyId: expect.any(String) } });
  expect(JSON.stringify(waitingDocuments)).not.toContain(CARD);
  expect(onDisk()).not.toContain(CARD);
  expect(onDisk()).not.toMatch(/"card\.cvv"|"cvv":/);
  await answer(shop, await toBank(shop, redirectOf(first).url), rightCode);
  expect(await documents(idOf(first))).toMatchObject({ state: 'handedOver' });
  expect(await documents(idOf(first))).not.toHaveProperty('sealed');
  expect(onDisk()).not.toContain(CARD);
});

test('without an answer it ends by itself after a quarter of an hour, and the card is destroyed', async () => {
  const first = await shop.post('v1/payments', cardPayment(CARD));
  const bank = await toBank(shop, redirectOf(first).url);
  await clock.advance(PATIENCE_MS - 60_000);
  expect((await shop.get(`v1/payments/${idOf(first)}`)).code).toBe(pendingCode);
  await advance(180_000);
  expect(await shop.gateway.store.payment(idOf(first))).toMatchObject({ state: 'done', resultCode: '100.396.103' });
  expect(await documents(idOf(first))).not.toHaveProperty('sealed');
  // A shopper who answers now is redirected to the shop, and nothing is paid.
  expect((await answer(shop, bank, rightCode)).status).toBe(303);
  expect((await shop.get(`v1/payments/${idOf(first)}`)).code).toBe('100.396.103');
});

test('it ends after a restart too, without any query', async () => {
  const first = await shop.post('v1/payments', cardPayment('4200000000000042'));
  await shop.gateway.close();
  await clock.advance(2 * PATIENCE_MS);
  shop = await open();
  expect(await shop.gateway.store.payment(idOf(first))).toMatchObject({ state: 'done', resultCode: '100.396.103' });
});

test('an answer in the last minute counts, even if the browser never returns', async () => {
  const first = await shop.post('v1/payments', cardPayment(CARD));
  const bank = await toBank(shop, redirectOf(first).url);
  await clock.advance(PATIENCE_MS - 1_000);
  await browse(shop, bank.url, rightCode);
  await advance(120_000);
  expect(await shop.gateway.store.payment(idOf(first))).toMatchObject({ state: 'done', resultCode: OK });
});
