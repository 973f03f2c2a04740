/** Stored accounts: how they are made, what is shown of them, how long they last (spec 2.23). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
} from '../../support/gateway/gateway.ts';
import { bankAccount, giftCard, saleWith, terminal, tokenAccount, virtualAccount, wallets } from './accounts.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

const OK = '000.100.110';
const id = expect.stringMatching(/^[0-9a-f]{32}$/);
const charge: Parameters = { amount: '3.00', currency: 'EUR', paymentType: 'DB' };
const store = (account: Parameters, headers?: Parameters) => gateway.post('v1/registrations', account, headers);

const shownCard = { bin: '420000', last4Digits: '0000', expiryMonth: '05', expiryYear: '2034' };
const card: Parameters = { ...plainCard, 'card.holder': 'Jane Jones' };

type Kind = { account: Parameters; brand: string; kind: string; shownAccount: object; stored: string };
const kinds: Readonly<Record<string, Kind>> = {
  'a card': {
    account: card,
    brand: 'VISA',
    kind: 'card',
    shownAccount: { card: { ...shownCard, holder: 'Jane Jones' } },
    stored: '2035-08-01 00:00:00+0000',
  },
  'a bank account': {
    account: bankAccount,
    brand: 'DIRECTDEBIT_SEPA',
    kind: 'bankAccount',
    shownAccount: { bankAccount: { holder: 'Jane Jones', last4Digits: '3201', bic: 'STSPAT2GXXX', country: 'AT' } },
    stored: '2027-03-02 12:00:00+0000',
  },
  'a virtual account': {
    account: virtualAccount,
    brand: 'PAYPAL',
    kind: 'virtualAccount',
    shownAccount: { virtualAccount: { accountId: 'jane.jones@example.com' } },
    stored: '2027-03-02 12:00:00+0000',
  },
  'a token': {
    account: tokenAccount,
    brand: 'VISA',
    kind: 'tokenAccount',
    shownAccount: { tokenAccount: { type: 'NETWORK', expiryMonth: '05', expiryYear: '2034' } },
    stored: '2035-08-01 00:00:00+0000',
  },
};

describe.each(Object.entries(kinds))('%s', (_, { account, brand, kind, shownAccount, stored: saved }) => {
  test('is stored, masked and without an amount', async () => {
    const reply = await store({ ...account, merchantTransactionId: 'customer-0001' });
    expect(reply.status).toBe(200);
    const { result, ...rest } = reply.body;
    expect(result).toMatchObject({ code: OK });
    expect(rest).toEqual({
      id,
      paymentType: 'RG',
      paymentBrand: brand,
      merchantTransactionId: 'customer-0001',
      ...shownAccount,
      registration: { state: 'active', keptUntil: saved },
      buildNumber: expect.any(String),
      timestamp: '2026-01-02 12:00:00+0000',
      ndc: expect.any(String),
    });
    expect(gateway.acquirer.authorised).toEqual([]);
    const { paymentType: __, ...registrationBody } = reply.body;
    const readReply = await gateway.get(`v1/registrations/${idOf(reply)}`);
    expect(readReply.body).toEqual({ ...registrationBody, ndc: expect.any(String) });
  });

  test('is charged by its id alone, and reaches the acquirer completely', async () => {
    const stored = await store(account);
    const reply = await gateway.post(`v1/registrations/${idOf(stored)}/payments`, charge);
    expect(reply).toMatchObject({ status: 200, code: OK });
    expect(reply.body).toMatchObject({ registrationId: idOf(stored), paymentBrand: brand, amount: '3.00' });
    expect(reply.body['id']).not.toBe(idOf(stored));
    const [authorisation] = gateway.acquirer.authorised;
    const { paymentBrand: __, ...withoutBrand } = account;
    expect(authorisation).toMatchObject({ account: kind, paymentBrand: brand, parameters: withoutBrand });
    expect(authorisation?.card?.number).toBe(kind === 'card' ? '4200000000000000' : undefined);
  });

  test('is stored by an approved payment, not by a declined one', async () => {
    const sale = saleWith(account, { createRegistration: 'true' });
    const approved = await gateway.post('v1/payments', sale);
    const registrationId = String(approved.body['registrationId']);
    expect(registrationId).not.toBe(idOf(approved));
    expect((await gateway.get(`v1/registrations/${registrationId}`)).body).toMatchObject(shownAccount);
    expect((await gateway.post(`v1/registrations/${registrationId}/payments`, charge)).code).toBe(OK);

    gateway.acquirer.next({ resultCode: '800.100.155' });
    const declined = await gateway.post('v1/payments', sale);
    expect(declined).toMatchObject({ status: 400, code: '800.100.155' });
    expect(declined.text).not.toContain('registrationId');
  });
});

test.each<[string, Parameters]>([
  ['a gift card', giftCard],
  ['a terminal’s card', terminal],
  ...Object.entries(wallets).map(([name, { token }]): [string, Parameters] => [`${name}, as a token`, token]),
])('%s cannot be stored, alone or by a payment', async (_, account) => {
  for (const [path, extra, name] of [
    ['v1/registrations', {}, 'paymentBrand'],
    ['v1/payments', { createRegistration: 'true' }, 'createRegistration'],
  ] as const) {
    const reply = await gateway.post(
      path,
      saleWith(account, { paymentType: path === 'v1/registrations' ? 'RG' : 'DB', ...extra }),
    );
    expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
    expect(reply.body['result']).toMatchObject({ parameterErrors: [{ name }] });
  }
  expect(gateway.acquirer.authorised).toEqual([]);
});

test('without an account there is nothing to store', async () => {
  expect((await store({})).body['result']).toMatchObject({ parameterErrors: [{ name: 'paymentBrand' }] });
});

test.each([
  ['100.100.700', '100.100.700', 400],
  ['800.100.151', '800.100.151', 400],
  ['000.100.110', OK, 200],
  ['nonsense', OK, 200],
])('a forced refusal stores nothing: %s', async (expected, code, status) => {
  const reply = await store({ ...card, 'customParameters[forceResultCode]': expected });
  expect(reply).toMatchObject({ status, code });
  expect(reply.body['id'] === undefined).toBe(status === 400);
});

type Endpoint = readonly [method: 'GET' | 'POST' | 'DELETE', path: string, parameters: Parameters];
const endpointsOf = (registrationId: string): readonly Endpoint[] => [
  ['GET', `v1/registrations/${registrationId}`, {}],
  ['DELETE', `v1/registrations/${registrationId}`, {}],
  ['POST', `v1/registrations/${registrationId}/extendlife`, {}],
  ['POST', `v1/registrations/${registrationId}/payments`, charge],
];
const statusesOf = async (registrationId: string, entity: Parameters = {}, headers: Parameters = {}) => {
  const answers: [number, string][] = [];
  for (const [method, path, fields] of endpointsOf(registrationId)) {
    const form = { ...fields, ...entity };
    const reply =
      method === 'POST'
        ? await gateway.post(path, form, headers)
        : await gateway.raw(`${path}?${new URLSearchParams(form)}`, { method, headers });
    answers.push([reply.status, reply.code]);
  }
  return answers;
};

test('an unknown registration and another channel’s are not found, by any path', async () => {
  const stored = idOf(await store(card));
  const other: Parameters = { entityId: otherEntityId };
  const headers = { authorization: 'Bearer other-token' };
  const notFoundReplies = Array(4).fill([404, '100.150.200']);
  expect(await statusesOf('f'.repeat(32), other, headers)).toEqual(notFoundReplies);
  expect(await statusesOf(stored, other, headers)).toEqual(notFoundReplies);
  expect((await gateway.post(`v1/registrations/${stored}/payments`, charge)).code).toBe(OK);
});

test('after deletion it can be neither read nor used, and its account is gone', async () => {
  const stored = idOf(await store(card));
  const goneReply = await gateway.remove(`v1/registrations/${stored}`);
  expect(goneReply).toMatchObject({ status: 200, code: OK });
  expect(goneReply.body).toMatchObject({ id: stored, paymentType: 'DR', registration: { state: 'deleted' } });
  const headers = { authorization: `Bearer ${token}` };
  expect(await statusesOf(stored, { entityId }, headers)).toEqual(Array(4).fill([400, '100.150.200']));
  const { state, sealed } = (await gateway.store.registration(stored)) ?? {};
  expect([state, sealed]).toEqual(['deleted', undefined]);
  expect(gateway.acquirer.authorised).toEqual([]);
});

test('after its expiry it counts as deleted; an extension keeps it two more years', async () => {
  const days = (count: number) => gateway.clock.advance(count * 86_400_000);
  const stored = idOf(await store(virtualAccount));
  await days(423);
  expect((await gateway.post(`v1/registrations/${stored}/payments`, charge)).code).toBe(OK);
  const extended = await gateway.post(`v1/registrations/${stored}/extendlife`, {});
  expect(extended.body).toMatchObject({
    paymentType: 'TE',
    registration: { state: 'active', keptUntil: '2029-03-01 12:00:00+0000' },
  });
  await days(730);
  expect((await gateway.get(`v1/registrations/${stored}`)).code).toBe(OK);
  await days(1);
  expect(await gateway.get(`v1/registrations/${stored}`)).toMatchObject({ status: 400, code: '100.150.200' });
  expect(await gateway.post(`v1/registrations/${stored}/extendlife`, {})).toMatchObject({ code: '100.150.200' });
  expect(await gateway.post(`v1/registrations/${stored}/payments`, charge)).toMatchObject({ code: '100.150.200' });
});

test('an extension never shortens a longer term', async () => {
  const stored = await store(card);
  const extended = await gateway.post(`v1/registrations/${idOf(stored)}/extendlife`, { paymentType: 'TE' });
  expect(extended.body['registration']).toEqual(stored.body['registration']);
});

test('a card that has expired meanwhile is refused when it is charged', async () => {
  const stored = idOf(await store({ ...card, 'card.expiryMonth': '02', 'card.expiryYear': '2026' }));
  expect((await gateway.post(`v1/registrations/${stored}/payments`, charge)).code).toBe(OK);
  await gateway.clock.advance(59 * 86_400_000);
  expect(await gateway.post(`v1/registrations/${stored}/payments`, charge)).toMatchObject({ code: '100.100.303' });
});

describe('the same request with the same key', () => {
  const key = { 'idempotency-key': 'a-key' };
  const advanceHour = () => gateway.clock.advance(3_600_000);

  test('creates once, byte for byte, and another body is refused', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => store(card, key)));
    await advanceHour();
    replies.push(await store(card, key));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await store({ ...card, 'card.holder': 'John Jones' }, key)).toMatchObject({ code: '800.110.100' });
    expect(await gateway.post('v1/payments', payment(), key)).toMatchObject({ code: '800.110.100' });
  });

  test.each<[string, Parameters, string]>([
    ['malformed', { ...card, 'card.expiryMonth': '13' }, '200.300.404'],
    ['refused', { ...card, 'card.number': '4200000000000001' }, '100.100.101'],
  ])('is %s with the same bytes', async (_, account, code) => {
    const first = await store(account, key);
    await advanceHour();
    expect(first.code).toBe(code);
    expect((await store(account, key)).text).toBe(first.text);
    expect((await store(card, key)).code).toBe('800.110.100');
  });

  test('deletes once, and repeats the answer; another key finds it deleted', async () => {
    const path = `v1/registrations/${idOf(await store(card))}`;
    const first = await gateway.remove(path, {}, key);
    await advanceHour();
    expect((await gateway.remove(path, {}, key)).text).toBe(first.text);
    expect(first.code).toBe(OK);
    expect((await gateway.remove(path, {}, { 'idempotency-key': 'b-key' })).code).toBe('100.150.200');
    const other = `v1/registrations/${idOf(await store(card))}`;
    expect((await gateway.remove(other, {}, key)).code).toBe('800.110.100');
    expect((await gateway.get(other)).code).toBe(OK);
  });

  test('extends once, and repeats the answer', async () => {
    const path = `v1/registrations/${idOf(await store(bankAccount))}/extendlife`;
    const first = await gateway.post(path, {}, key);
    await advanceHour();
    expect((await gateway.post(path, {}, key)).text).toBe(first.text);
  });

  test('is not found, with the same bytes', async () => {
    const path = `v1/registrations/${'f'.repeat(32)}`;
    const all = async () => [
      await gateway.remove(path, {}, { 'idempotency-key': 'd' }),
      await gateway.post(`${path}/extendlife`, {}, { 'idempotency-key': 'e' }),
      await gateway.post(`${path}/payments`, charge, { 'idempotency-key': 'p' }),
      await gateway.remove(path, { paymentType: 'RG' }, { 'idempotency-key': 'm' }),
    ];
    const first = await all();
    await advanceHour();
    expect(first.map(({ code }) => code)).toEqual([...Array(3).fill('100.150.200'), '200.300.404']);
    expect((await all()).map(({ text }) => text)).toEqual(first.map(({ text }) => text));
  });

  test('charges once, even if the registration was deleted since', async () => {
    const stored = `v1/registrations/${idOf(await store(card))}`;
    const first = await gateway.post(`${stored}/payments`, charge, key);
    await gateway.remove(stored);
    expect((await gateway.post(`${stored}/payments`, charge, key)).text).toBe(first.text);
    expect(gateway.acquirer.authorised).toHaveLength(1);
  });
});
