/** One shop's payments and registrations are to another shop as if they were not there, on every endpoint. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endpoints } from '../../src/gateway/operations/all.ts';
import {
  idOf,
  otherEntityId,
  type Parameters,
  payment,
  type TestGateway,
  testGateway,
  token,
} from '../support/gateway.ts';

const otherToken = 'other-token';
const nobody = 'f'.repeat(32);
const reference = 'till-7-000042';

let gateway: TestGateway;
/** Ids of the first shop's. */
let own: { payment: string; open: string; registration: string };
beforeEach(async () => {
  gateway = await testGateway();
  const sale = await gateway.post(
    'v1/payments',
    payment({ createRegistration: 'true', merchantTransactionId: reference }),
  );
  // One that has no ending: to look at it is to ask the acquirer.
  gateway.acquirer.next({ resultCode: '900.100.300' });
  const open = await gateway.post('v1/payments', payment({ merchantTransactionId: reference }));
  own = { payment: idOf(sale), open: idOf(open), registration: String(sale.body['registrationId']) };
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

type Asks = { method: string; path: string; entityId: string; token: string };

/** Whatever the endpoint may need; strangers among it are dropped by trying the fewest first. */
const forms: Readonly<Record<string, Parameters>> = {
  'POST /v1/payments/:id': { paymentType: 'RV' },
  'POST /v1/registrations/:id/payments': { amount: '1.00', currency: 'EUR', paymentType: 'DB' },
};

const ask = (endpoint: string, { method, path, entityId, token: bearer }: Asks) => {
  const form = new URLSearchParams({ entityId, ...forms[endpoint] }).toString();
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/x-www-form-urlencoded' };
  return method === 'POST'
    ? gateway.raw(path, { method, body: form, headers })
    : gateway.raw(`${path}?${form}`, { method, headers });
};

const withIds = endpoints
  .map(({ operation: { method, path } }) => ({ method, path, name: `${method} ${path}` }))
  .filter(({ path }) => path.includes(':id'));

/** Without what is each answer's own. */
const shapeOf = ({ body, status }: Awaited<ReturnType<typeof ask>>) => {
  const { id: _, ndc: __, timestamp: ___, ...rest } = body;
  return { status, rest, names: Object.keys(body) };
};

test.each(withIds)('$name of another shop is as unknown as nobody’s', async ({ method, path, name }) => {
  const mine = { entityId: otherEntityId, token: otherToken };
  const asking = (id: string) => ask(name, { method, path: path.replace(':id', id).slice(1), ...mine });
  const unknown = shapeOf(await asking(nobody));
  expect(unknown.status).toBe(404);
  const { authorised, referred, inquired } = gateway.acquirer;
  const before = [authorised.length, referred.length, inquired.length];
  const row = await gateway.store.payment(own.open);
  expect(row).toMatchObject({ state: 'processing' });
  for (const id of Object.values(own)) {
    const reply = await asking(id);
    expect(shapeOf(reply)).toEqual(unknown);
    expect(reply.text).not.toContain(id);
  }
  expect([authorised.length, referred.length, inquired.length]).toEqual(before);
  expect(await gateway.store.payment(own.open)).toEqual(row);
  expect(await gateway.store.registration(own.registration)).toMatchObject({ state: 'active' });
});

test.each(withIds)(
  '$name is not opened by another shop’s token, nor for its entity',
  async ({ method, path, name }) => {
    const at = { method, path: path.replace(':id', own.payment).slice(1) };
    const { entityId } = (await gateway.store.payment(own.payment)) ?? { entityId: '' };
    for (const who of [
      { entityId, token: otherToken },
      { entityId: otherEntityId, token },
    ]) {
      expect(await ask(name, { ...at, ...who })).toMatchObject({ status: 403, code: '800.900.300' });
    }
  },
);

test('queries find a shop’s own payments only, also by short id and by time', async () => {
  const { shortId = '' } = (await gateway.store.payment(own.payment)) ?? {};
  const days = { 'date.from': '2000-01-01 00:00:00', 'date.to': '2099-12-31 23:59:59' };
  for (const [path, wanted] of [
    ['v1/query', { merchantTransactionId: reference }],
    ['v1/query', days],
    ['v3/query', { merchantTransactionId: reference, includeLinkedTransactions: 'true' }],
    ['v3/query', { ...days, shortId }],
  ] as [string, Parameters][]) {
    const query = new URLSearchParams({ entityId: otherEntityId, ...wanted });
    const headers = { authorization: `Bearer ${otherToken}` };
    const reply = await gateway.raw(`${path}?${query}`, { method: 'GET', headers });
    expect(reply).toMatchObject({ status: 400, code: '700.400.580' });
    expect((await gateway.get(path, wanted)).status).toBe(200);
  }
});

test('a key is each shop’s own', async () => {
  const key = { 'idempotency-key': 'one-key' };
  const first = await gateway.post('v1/payments', payment({ amount: '1.00' }), key);
  const headers = { ...key, authorization: `Bearer ${otherToken}` };
  const second = await gateway.post('v1/payments', payment({ amount: '2.00', entityId: otherEntityId }), headers);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(idOf(second)).not.toBe(idOf(first));
});
