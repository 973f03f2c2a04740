/**
 * Two gateways on one PostgreSQL: the challenge is answered at one, both are asked at once, and the money moves once.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';
import type { Shop } from '../gateway/payments/gateway-in-memory.ts';
import { answer, browse, cardPayment, redirectOf, rightCode, toBank } from '../gateway/threeds/secured-shop.ts';
import { entityId, idOf, type Parameters, replyOf, token } from '../support/gateway/gateway.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';

let postgres: TestPostgres;
let database: string;
const shops: Shop[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  database = await postgres.database();
  shops.push(await open(), await open());
}, 120_000);
afterAll(async () => {
  for (const { gateway } of shops) await gateway.close();
  postgres.remove();
});

const open = async (): Promise<Shop> => {
  const gateway = await openGateway({
    dataDir: ':memory:',
    database,
    vaultKey: '42'.repeat(32),
    channels: [{ entityId, token, threeDSecure: { enabled: true } }],
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
  });
  const authorization = `Bearer ${token}`;
  const send = async (path: string, init: RequestInit) =>
    replyOf(await gateway.fetch(new Request(`https://shop.test/${path}`, init)));
  return {
    gateway,
    post: (path, parameters: Parameters) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams({ entityId, ...parameters }).toString(),
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      }),
    get: (path) => send(`${path}?entityId=${entityId}`, { headers: { authorization } }),
  };
};

test('four challenges whose result both gateways fetch at the same moment', async () => {
  const [one, other] = shops as [Shop, Shop];
  for (let turn = 0; turn < 4; turn += 1) {
    const first = await one.post('v1/payments', cardPayment('4200000000000018'));
    expect(first.code).toBe('000.200.000');
    const path = `v1/payments/${idOf(first)}`;
    // The browser uses the other gateway's pages.
    const bank = await toBank(other, redirectOf(first).url);
    await browse(turn % 2 === 0 ? one : other, bank.url, rightCode);
    const polls = await Promise.all([
      answer(one, bank, rightCode),
      answer(other, bank, rightCode),
      ...[one, other, one, other].map((shop) => shop.get(path)),
    ]);
    expect(polls.map(({ status }) => status)).toEqual([303, 303, 200, 200, 200, 200]);
    expect((await other.get(path)).code).toBe('000.100.110');
    const refund = { paymentType: 'RF', amount: '25.00', currency: 'EUR' };
    const refunds = await Promise.all([one.post(path, refund), other.post(path, refund)]);
    expect(refunds.map(({ code }) => code).sort()).toEqual(['000.100.110', '700.400.200']);
  }
  const accounts = await postgres.ask<{ value: string }>(
    database,
    "select value from acquirer_memory where key like 'simulator/account/%'",
  );
  // Everything taken was given back, once: the account has its starting balance.
  expect(accounts.map(({ value }) => JSON.parse(value).available)).toEqual(['10000000000']);
}, 120_000);
