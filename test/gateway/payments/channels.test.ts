/** The settings of a channel: strict or lenient, old credentials, throttling, risk rules. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Channel } from '../../../src/gateway/channel.ts';
import {
  entityId,
  idOf,
  otherEntityId,
  type Parameters,
  payment,
  type TestGateway,
  testGateway,
} from '../../support/gateway/gateway.ts';

const openGateways: TestGateway[] = [];
const open = async (channel: Partial<Channel> = {}): Promise<TestGateway> => {
  const gateway = await testGateway({ channel });
  openGateways.push(gateway);
  return gateway;
};
afterEach(async () => {
  for (const { app, store } of openGateways.splice(0)) {
    await app.close();
    await store.close();
  }
});

const OK = '000.100.110';
type ParameterErrors = { parameterErrors?: { name: string }[] };
const namesOf = (list: unknown): string[] => ((list ?? []) as { name: string }[]).map(({ name }) => name).sort();

const odd: Parameters = {
  colour: 'red',
  'customer.email': 'x',
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
};

test('a strict channel refuses unknown names and malformed customer data', async () => {
  const reply = await (await open()).post('v1/payments', payment(odd));
  expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
  expect(namesOf((reply.body['result'] as ParameterErrors).parameterErrors)).toEqual(['colour', 'customer.email']);
});

describe('a lenient channel', () => {
  test.each<[string, string, Parameters]>([
    ['a payment', 'v1/payments', payment(odd)],
    ['a registration', 'v1/registrations', payment({ ...odd, paymentType: 'RG' })],
  ])('warns in the answer to %s, in its repeat, and in queries', async (_, path, form) => {
    const gateway = await open({ lenient: true });
    const key = { 'idempotency-key': 'a-key' };
    const reply = await gateway.post(path, form, key);
    expect(reply).toMatchObject({ status: 200, code: OK });
    expect(reply.body['parameterWarnings']).toEqual([
      { name: 'colour', message: expect.stringMatching(/^is not an allowed parameter/) },
      { name: 'customer.email', message: expect.stringMatching(/^must be/) },
    ]);
    // An unknown name is dropped, a known one is stored as sent.
    expect(reply.body).not.toHaveProperty('colour');
    expect((await gateway.post(path, form, key)).text).toBe(reply.text);
    const readReply = await gateway.get(`${path}/${idOf(reply)}`);
    expect(readReply.body['parameterWarnings']).toEqual(reply.body['parameterWarnings']);
  });

  test('has no warnings if there is nothing to warn about', async () => {
    const gateway = await open({ lenient: true });
    expect((await gateway.post('v1/payments', payment())).body).not.toHaveProperty('parameterWarnings');
  });

  test('sends the acquirer no unknown names', async () => {
    const gateway = await open({ lenient: true });
    await gateway.post('v1/payments', payment(odd));
    expect(gateway.acquirer.authorised[0]?.parameters).not.toHaveProperty('colour');
    expect(gateway.acquirer.authorised[0]?.parameters['customer.email']).toBe('x');
  });

  test('warns about a follow-up too, and about a stored account’s payment', async () => {
    const gateway = await open({ lenient: true });
    const sale = await gateway.post('v1/payments', payment({ createRegistration: 'true' }));
    const extra = { ...odd, amount: '1.00', currency: 'EUR' };
    const replies = [
      await gateway.post(`v1/payments/${idOf(sale)}`, { ...extra, paymentType: 'RF' }),
      await gateway.post(`v1/registrations/${sale.body['registrationId']}/payments`, { ...extra, paymentType: 'DB' }),
    ];
    for (const reply of replies) {
      expect([reply.code, namesOf(reply.body['parameterWarnings'])]).toEqual([OK, ['colour', 'customer.email']]);
    }
  });

  test.each<[string, Parameters, string]>([
    ['an amount', { amount: 'ten' }, 'amount'],
    ['a card', { 'card.expiryMonth': '13' }, 'card.expiryMonth'],
    ['a flood', { ...odd, 'customer.email': 'x'.repeat(2049) }, 'customer.email'],
    ['a missing year', { 'card.expiryYear': '' }, 'card.expiryYear'],
  ])('forgives no wrong %s', async (_, fields, name) => {
    const reply = await (await open({ lenient: true })).post('v1/payments', payment(fields));
    expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
    expect(namesOf((reply.body['result'] as ParameterErrors).parameterErrors)).toEqual([name]);
  });
});

describe('user and password in the body', () => {
  const legacy = { userId: 'user-0001', password: 'secret word' };
  const credentials = (userId = legacy.userId, password = legacy.password): Parameters => ({
    'authentication.userId': userId,
    'authentication.password': password,
  });
  const send = (gateway: TestGateway, fields: Parameters, headers: Parameters = {}) =>
    gateway.raw('v1/payments', {
      method: 'POST',
      body: new URLSearchParams({ entityId, ...payment(), ...fields }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  test('give access to a channel that allows them, and appear in no answer', async () => {
    const gateway = await open({ legacy });
    const reply = await send(gateway, credentials());
    expect(reply).toMatchObject({ status: 200, code: OK });
    expect(reply.text).not.toContain(legacy.password);
    expect(gateway.acquirer.authorised[0]?.parameters).not.toHaveProperty('authentication.password');
  });

  test('may be sent beside a token, and are ignored', async () => {
    const gateway = await open({ legacy });
    expect((await gateway.post('v1/payments', payment(credentials('nobody', 'nothing')))).code).toBe(OK);
  });

  test.each<[string, Parameters, number]>([
    ['a wrong password', credentials(legacy.userId, 'secret'), 403],
    ['a wrong user', credentials('user-0002'), 403],
    ['no password', { 'authentication.userId': legacy.userId }, 401],
    ['nothing at all', {}, 401],
    ['another entity', { ...credentials(), entityId: otherEntityId }, 403],
  ])('%s opens nothing', async (_, sentParameters, status) => {
    const gateway = await open({ legacy });
    expect(await send(gateway, sentParameters)).toMatchObject({ status, code: '800.900.300' });
    expect(gateway.acquirer.authorised).toEqual([]);
  });

  test('do not make up for a wrong token', async () => {
    const gateway = await open({ legacy });
    const reply = await send(gateway, credentials(), { authorization: 'Bearer nobody' });
    expect(reply).toMatchObject({ status: 403, code: '800.900.300' });
  });

  test('are refused by a channel that allows none: 401 without a token, as unknown names beside one', async () => {
    const gateway = await open();
    expect(await send(gateway, credentials())).toMatchObject({ status: 401 });
    const reply = await gateway.post('v1/payments', payment(credentials()));
    expect(namesOf((reply.body['result'] as ParameterErrors).parameterErrors)).toEqual(
      Object.keys(credentials()).sort(),
    );
    expect(reply.text).not.toContain(legacy.password);
  });
});

test('authentication.entityId is entityId, in bodies and queries', async () => {
  const gateway = await open();
  const alias = { entityId: '', 'authentication.entityId': entityId };
  const sale = await gateway.post('v1/payments', payment(alias));
  expect(sale.code).toBe(OK);
  expect((await gateway.get(`v1/payments/${idOf(sale)}`, alias)).text).toBe(sale.text);
  const twice = await gateway.post('v1/payments', payment({ 'authentication.entityId': entityId }));
  expect(twice.code).toBe(OK);
});

test('an empty value counts as absent', async () => {
  const gateway = await open();
  const empty = {
    merchantMemo: '',
    'card.cvv': '',
    colour: '',
    'customParameters[note]': '',
    'cart.items[0].name': '',
  };
  const reply = await gateway.post('v1/payments', payment(empty));
  expect(reply.code).toBe(OK);
  expect(Object.keys(reply.body)).not.toEqual(expect.arrayContaining(['merchantMemo', 'customParameters', 'cart']));
  expect(gateway.acquirer.authorised[0]?.parameters).not.toHaveProperty('merchantMemo');
});

test.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])('createRegistration=%s', async (createRegistration, stores) => {
  const reply = await (await open()).post('v1/payments', payment({ createRegistration }));
  expect([reply.code, reply.body['registrationId'] !== undefined]).toEqual([OK, stores]);
});

test.each(['yes', 'TRUE', '2'])('createRegistration=%s is neither true nor false', async (createRegistration) => {
  const reply = await (await open()).post('v1/payments', payment({ createRegistration }));
  expect(namesOf((reply.body['result'] as ParameterErrors).parameterErrors)).toEqual(['createRegistration']);
});

test('a throttled channel is told how long to wait; the other channel is not affected', async () => {
  const gateway = await open({ throttle: { perSecond: 0.5, burst: 2 } });
  const key = { 'idempotency-key': 'a-key' };
  const send = () => gateway.post('v1/payments', payment(), key);
  const first = await send();
  expect((await send()).text).toBe(first.text);
  const slowed = await gateway.post('v1/payments', payment(), { 'idempotency-key': 'b-key' });
  expect(slowed.status).toBe(429);
  expect(slowed.headers.get('retry-after')).toBe('2');
  expect(slowed.body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    result: { code: '800.120.100', description: expect.stringMatching(/^Too many requests/) },
    buildNumber: expect.any(String),
    timestamp: expect.any(String),
    ndc: `${entityId}-${slowed.body['id']}`,
  });
  expect((await gateway.get(`v1/payments/${idOf(first)}`)).status).toBe(429);
  const other = await gateway.post('v1/payments', payment({ entityId: otherEntityId }), {
    authorization: 'Bearer other-token',
  });
  expect(other.code).toBe(OK);
  // The refusal stored nothing under the key, so the request is processed later.
  await gateway.clock.advance(2_000);
  expect(await gateway.post('v1/payments', payment(), { 'idempotency-key': 'b-key' })).toMatchObject({ code: OK });
});
