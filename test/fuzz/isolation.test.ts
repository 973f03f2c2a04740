/** On every endpoint one shop's payments and registrations do not exist for another shop. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endpoints } from '../../src/gateway/server/all-endpoints.ts';
import {
  entityId,
  idOf,
  otherEntityId,
  type Parameters,
  payment,
  plainCard,
  type TestGateway,
  testGateway,
  token,
} from '../support/gateway/gateway.ts';

const otherToken = 'other-token';
const unknownToken = 'f'.repeat(32);
const monthlyPlan = { paymentType: 'SD', 'job.month': '*', 'job.dayOfMonth': '1' };
const reference = 'till-7-000042';
const person = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };

let gateway: TestGateway;
/** Ids of the first shop. */
let ownIds: Record<
  'payment' | 'open' | 'registration' | 'checkout' | 'storing' | 'schedule' | 'webhook' | 'authentication',
  string
>;
beforeEach(async () => {
  gateway = await testGateway();
  const sale = await gateway.post(
    'v1/payments',
    payment({ createRegistration: 'true', merchantTransactionId: reference }),
  );
  // A payment without an ending: a query of it would ask the acquirer.
  gateway.acquirer.next({ resultCode: '900.100.300' });
  const open = await gateway.post('v1/payments', payment({ merchantTransactionId: reference }));
  const registration = String(sale.body['registrationId']);
  const createdId = async (path: string, parameters: Parameters): Promise<string> => {
    const reply = await gateway.post(path, parameters);
    expect(reply.status, reply.text).toBe(200);
    return idOf(reply);
  };
  const offeredAccount = { 'registrations[0].id': registration, 'customer.email': 'jane@example.com', ...person };
  const order = { amount: '12.50', currency: 'EUR' };
  ownIds = {
    payment: idOf(sale),
    open: idOf(open),
    registration,
    checkout: await createdId('v1/checkouts', {
      ...order,
      paymentType: 'DB',
      merchantTransactionId: reference,
      ...offeredAccount,
    }),
    storing: await createdId('v1/checkouts', { createRegistration: 'true' }),
    schedule: await createdId('scheduling/v1/schedules', { ...order, ...monthlyPlan, registrationId: registration }),
    webhook: await createdId('v1/webhooks', { 'webhook.url': 'https://shop.example.com/notifications' }),
    authentication: await createdId('v1/threeDSecure', { ...order, ...plainCard }),
  };
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

type Asks = { method: string; path: string; entityId: string; token: string };

/** The parameters that an endpoint needs besides its entityId. */
const forms: Readonly<Record<string, Parameters>> = {
  'POST /v1/payments/:id': { paymentType: 'RV' },
  'POST /v1/registrations/:id/payments': { amount: '1.00', currency: 'EUR', paymentType: 'DB' },
  'POST /v1/checkouts/:id/payment': plainCard,
  'POST /v1/checkouts/:id/registration': plainCard,
};

const requestEndpoint = (endpoint: string, { method, path, entityId, token: bearer }: Asks) => {
  const form = new URLSearchParams({ entityId, ...forms[endpoint] }).toString();
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/x-www-form-urlencoded' };
  return method === 'POST'
    ? gateway.raw(path, { method, body: form, headers })
    : gateway.raw(`${path}?${form}`, { method, headers });
};

const withIds = endpoints
  .map(({ operation: { access, method, path } }) => ({ access, method, path, name: `${method} ${path}` }))
  .filter(({ path }) => path.includes(':id'));

/** Endpoints that need a token; and those authorised by a checkout's id, because a shopper has no token. */
const byToken = withIds.filter(({ access }) => access === undefined);
const byCheckout = withIds.filter(({ access }) => access === 'checkout');

test('a checkout’s id gives access to these routes', () => {
  expect(byCheckout.map(({ name }) => name).sort()).toEqual([
    'GET /v1/checkouts/:id/widget',
    'POST /v1/checkouts/:id/payment',
    'POST /v1/checkouts/:id/registration',
  ]);
});

/** The answer without the parts that differ in every answer. */
const shapeOf = ({ body, status }: Awaited<ReturnType<typeof requestEndpoint>>) => {
  const { id: _, ndc: __, timestamp: ___, ...rest } = body;
  return { status, rest, names: Object.keys(body) };
};

test.each(byToken)('$name for another shop’s id answers as for an unknown one', async ({ method, path, name }) => {
  const otherMerchant = { entityId: otherEntityId, token: otherToken };
  const requestById = (id: string) =>
    requestEndpoint(name, { method, path: path.replace(':id', id).slice(1), ...otherMerchant });
  const unknown = shapeOf(await requestById(unknownToken));
  expect(unknown.status).toBe(404);
  const { authorised, referred, inquired } = gateway.acquirer;
  const countsBefore = [authorised.length, referred.length, inquired.length];
  const row = await gateway.store.payment(ownIds.open);
  expect(row).toMatchObject({ state: 'processing' });
  for (const id of Object.values(ownIds)) {
    const reply = await requestById(id);
    expect(shapeOf(reply)).toEqual(unknown);
    expect(reply.text).not.toContain(id);
  }
  expect([authorised.length, referred.length, inquired.length]).toEqual(countsBefore);
  expect(await gateway.store.payment(ownIds.open)).toEqual(row);
  expect(await gateway.store.registration(ownIds.registration)).toMatchObject({ state: 'active' });
});

test.each(byToken)(
  '$name gives no access with another shop’s token, nor for its entity',
  async ({ method, path, name }) => {
    const endpoint = { method, path: path.replace(':id', ownIds.payment).slice(1) };
    const { entityId } = (await gateway.store.payment(ownIds.payment)) ?? { entityId: '' };
    for (const merchant of [
      { entityId, token: otherToken },
      { entityId: otherEntityId, token },
    ]) {
      expect(await requestEndpoint(name, { ...endpoint, ...merchant })).toMatchObject({
        status: 403,
        code: '800.900.300',
      });
    }
  },
);

/** A browser's request: the id in the path, and no token or a wrong one. */
const browse = ({ method, path, name }: (typeof byCheckout)[number], id: string, overrides: Partial<Asks> = {}) => {
  const form = new URLSearchParams({
    ...(method === 'POST' ? forms[name] : {}),
    ...(overrides.entityId === undefined ? {} : { entityId: overrides.entityId }),
  }).toString();
  const headers = {
    ...(overrides.token === undefined ? {} : { authorization: `Bearer ${overrides.token}` }),
    'content-type': 'application/x-www-form-urlencoded',
  };
  const endpoint = path.replace(':id', id).slice(1);
  return gateway.raw(method === 'POST' ? endpoint : `${endpoint}?${form}`, {
    method,
    headers,
    body: method === 'POST' ? form : undefined,
  });
};

/** The requests to the acquirer, and the state of the first shop's resources. */
const readEverything = async () => ({
  asked: [gateway.acquirer.authorised.length, gateway.acquirer.referred.length, gateway.acquirer.inquired.length],
  checkouts: [await gateway.store.checkouts.byId(ownIds.checkout), await gateway.store.checkouts.byId(ownIds.storing)],
  registration: await gateway.store.registration(ownIds.registration),
  open: await gateway.store.payment(ownIds.open),
});

test.each(byCheckout)('$name without the id of a checkout finds nothing, whatever other id is known', async (route) => {
  const stateBefore = await readEverything();
  const unknown = shapeOf(await browse(route, unknownToken));
  expect(unknown.status).toBe(404);
  const { checkout, storing: storingCheckout, ...otherIds } = ownIds;
  const similarIds = [
    checkout.slice(0, -1),
    `${checkout}0`,
    checkout.toUpperCase(),
    `${checkout.slice(0, -1)}x`,
    '...',
    'x',
  ];
  const ownCheckoutIds = [checkout, storingCheckout];
  for (const id of [...Object.values(otherIds), ...similarIds.filter((each) => !ownCheckoutIds.includes(each))]) {
    const reply = await browse(route, id);
    expect([id, shapeOf(reply)]).toEqual([id, unknown]);
  }
  expect(await readEverything()).toEqual(stateBefore);
});

test.each(byCheckout)('$name with another shop’s token finds nothing, and changes nothing', async (route) => {
  const before = await readEverything();
  for (const id of [ownIds.checkout, ownIds.storing]) {
    const unknown = shapeOf(await browse(route, unknownToken, { token: otherToken }));
    expect(unknown.status).toBe(404);
    expect(shapeOf(await browse(route, id, { token: otherToken }))).toEqual(unknown);
    const nobodys = await browse(route, id, { token: 'no-such-token' });
    expect(nobodys).toMatchObject({ status: 403, code: '800.900.300' });
    const foreignReply = await browse(route, id, { entityId: otherEntityId });
    expect(foreignReply).toMatchObject({ status: 400, code: '200.300.404' });
  }
  expect(await readEverything()).toEqual(before);
});

test.each(byCheckout)('$name with the id reveals and changes nothing of another shop', async (route) => {
  const otherHeaders = { authorization: `Bearer ${otherToken}` };
  const stored = await gateway.post('v1/registrations', { ...plainCard, entityId: otherEntityId }, otherHeaders);
  const order = { amount: '99.00', currency: 'EUR', paymentType: 'DB', entityId: otherEntityId };
  const other = await gateway.post('v1/checkouts', { ...order, merchantTransactionId: 'their-order' }, otherHeaders);
  const [storedId, otherId] = [idOf(stored), idOf(other)];
  // Their stored account can be neither offered nor selected.
  const offerReply = await gateway.post('v1/checkouts', {
    ...order,
    entityId,
    'registrations[0].id': storedId,
  });
  expect(offerReply).toMatchObject({ status: 400, code: '200.300.404' });
  const chosen = new URLSearchParams({ registrationId: storedId }).toString();
  const chooseReply = await gateway.raw(`v1/checkouts/${ownIds.checkout}/payment`, {
    method: 'POST',
    body: chosen,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(chooseReply).toMatchObject({ status: 400, code: '200.300.404' });
  const otherCheckoutBefore = await gateway.store.checkouts.byId(otherId);
  for (const id of [ownIds.checkout, ownIds.storing]) {
    const reply = await browse(route, id);
    for (const secret of [otherEntityId, otherToken, storedId, otherId, 'their-order', '99.00', token]) {
      expect(reply.text).not.toContain(secret);
    }
    // No page that anyone with the id can read identifies the shopper.
    if (route.method === 'GET') expect(reply.text).not.toMatch(/jane@example\.com|Jones|4200000000000000/);
  }
  expect(await gateway.store.checkouts.byId(otherId)).toEqual(otherCheckoutBefore);
  expect(await gateway.store.registration(storedId)).toMatchObject({ entityId: otherEntityId, state: 'active' });
});

test('queries find only a shop’s own payments, also by short id and by time', async () => {
  const { shortId = '' } = (await gateway.store.payment(ownIds.payment)) ?? {};
  const days = { 'date.from': '2000-01-01 00:00:00', 'date.to': '2099-12-31 23:59:59' };
  for (const [path, expectedForm] of [
    ['v1/query', { merchantTransactionId: reference }],
    ['v1/query', days],
    ['v3/query', { merchantTransactionId: reference, includeLinkedTransactions: 'true' }],
    ['v3/query', { ...days, shortId }],
  ] as [string, Parameters][]) {
    const query = new URLSearchParams({ entityId: otherEntityId, ...expectedForm });
    const headers = { authorization: `Bearer ${otherToken}` };
    const reply = await gateway.raw(`${path}?${query}`, { method: 'GET', headers });
    expect(reply).toMatchObject({ status: 400, code: '700.400.580' });
    expect((await gateway.get(path, expectedForm)).status).toBe(200);
  }
});

test('an Idempotency-Key belongs to one shop', async () => {
  const key = { 'idempotency-key': 'one-key' };
  const first = await gateway.post('v1/payments', payment({ amount: '1.00' }), key);
  const headers = { ...key, authorization: `Bearer ${otherToken}` };
  const second = await gateway.post('v1/payments', payment({ amount: '2.00', entityId: otherEntityId }), headers);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(idOf(second)).not.toBe(idOf(first));
});
