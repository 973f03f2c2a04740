/** Requests that the gateway refuses, and its messages. None of them may reach the acquirer. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  entityId,
  otherEntityId,
  type Parameters,
  payment,
  posSale,
  type TestGateway,
  testGateway,
  token,
} from '../support/gateway/gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(async () => {
  expect(gateway.acquirer.authorised).toEqual([]);
  expect(gateway.reported).toEqual([]);
  await gateway.app.close();
  await gateway.store.close();
});

const form = 'application/x-www-form-urlencoded';
const authorization = `Bearer ${token}`;
const body = new URLSearchParams({ entityId, ...payment() }).toString();

type Wrong = Readonly<Record<string, string | RegExp>>;

const errorsOf = ({ body }: { body: Readonly<Record<string, unknown>> }): Record<string, string> => {
  const result = body['result'] as { parameterErrors?: { name: string; message: string }[] };
  return Object.fromEntries((result.parameterErrors ?? []).map(({ name, message }) => [name, message]));
};

test.each<[string, string | undefined, number]>([
  ['no header', undefined, 401],
  ['an empty header', '', 401],
  ['another scheme', `Basic ${token}`, 401],
  ['no token', 'Bearer ', 401],
  ['no space', `Bearer${token}`, 401],
  ['two tokens', `Bearer ${token} ${token}`, 401],
  ['an unknown token', 'Bearer nobody', 403],
  ['a token cut short', `Bearer ${token.slice(0, -1)}`, 403],
  ['the token of another entity', 'Bearer other-token', 403],
])('%s is turned away', async (_, header, status) => {
  const headers = { 'content-type': form, ...(header === undefined ? {} : { authorization: header }) };
  const reply = await gateway.raw('v1/payments', { method: 'POST', body, headers });
  expect(reply).toMatchObject({ status, code: '800.900.300' });
  expect(reply.body).toMatchObject({
    ndc: expect.any(String),
    buildNumber: expect.any(String),
    timestamp: expect.any(String),
  });
  const readReply = await gateway.raw(`v1/payments/${'0'.repeat(32)}?entityId=${entityId}`, { method: 'GET', headers });
  expect(readReply).toMatchObject({ status, code: '800.900.300' });
});

test('the scheme’s name ignores case, and the other entity has its own token', async () => {
  const headers = { authorization: 'bearer other-token' };
  const reply = await gateway.raw(`v1/query/1?entityId=${otherEntityId}`, { method: 'GET', headers });
  expect(reply).toMatchObject({ status: 404, code: '700.400.580' });
});

test.each<[string, string, Wrong]>([
  ['nothing', '', { entityId: 'may not be empty' }],
  ['empty values', 'entityId=&amount=&currency', { entityId: 'may not be empty', amount: 'may not be empty' }],
  ['a name sent twice', `${body}&amount=10.00`, { amount: 'must be sent only once' }],
  [
    'a mistyped name',
    `${body}&card.hodler=Jane`,
    { 'card.hodler': 'is not an allowed parameter, did you mean card.holder?' },
  ],
  [
    'a name in different case',
    `entityID=${entityId}`,
    { entityID: 'is not an allowed parameter, did you mean entityId?', entityId: 'may not be empty' },
  ],
  ['an unknown name', `${body}&colour=red`, { colour: 'is not an allowed parameter' }],
  [
    'a map without a key',
    `${body}&customParameters=1&customParameters[abc]=2`,
    { customParameters: 'is not an allowed parameter' },
  ],
  [
    'a map’s bad key',
    `${body}&customParameters[ab]=1`,
    { 'customParameters[ab]': 'must be a name of 3 to 64 letters, digits, dots or underscores' },
  ],
  ['a list for a plain name', `${body}&amount[0]=1`, { 'amount[0]': 'is not an allowed parameter' }],
])('refuses %s by name', async (_, sentBody, errors) => {
  const headers = { authorization, 'content-type': form };
  const reply = await gateway.raw('v1/payments', { method: 'POST', body: sentBody, headers });
  expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
  expect(errorsOf(reply)).toMatchObject(errors);
});

test.each(['__proto__', 'constructor', 'toString', 'cart.items[__proto__].name'])(
  '%s is an unknown name',
  async (name) => {
    const headers = { authorization, 'content-type': form };
    const reply = await gateway.raw('v1/payments', { method: 'POST', body: `${body}&${name}=1`, headers });
    const { parameterErrors } = reply.body['result'] as { parameterErrors: unknown };
    expect(parameterErrors).toEqual([{ name, value: '****', message: expect.stringMatching(/^is not an allowed/) }]);
  },
);

const without = (parameters: Parameters, ...names: string[]): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));

test.each<[string, Parameters, Wrong]>([
  ['no amount', without(payment(), 'amount'), { amount: 'may not be empty' }],
  ['no currency', without(payment(), 'currency'), { currency: 'may not be empty' }],
  ['no payment type', without(payment(), 'paymentType'), { paymentType: 'may not be empty' }],
  ['a refund without a payment', payment({ paymentType: 'RF' }), { paymentType: 'must be one of [PA, DB, CD, PA.CP]' }],
  ['no card', { amount: '1', currency: 'EUR', paymentType: 'DB' }, { paymentBrand: 'card properties must be set' }],
  [
    'no expiry',
    without(payment(), 'card.expiryMonth', 'card.expiryYear'),
    { 'card.expiryMonth': 'may not be empty', 'card.expiryYear': 'may not be empty' },
  ],
  ['no entry mode', without(posSale(), 'pos.entryMode'), { 'pos.entryMode': 'may not be empty' }],
  ['no terminal', without(posSale(), 'pos.terminalId'), { 'pos.terminalId': 'may not be empty' }],
  [
    'no account',
    without(posSale(), 'pos.encryptedSred.data', 'pos.encryptedSred.ksn', 'pos.iccDataRequest'),
    { 'pos.encryptedSred.data': 'may not be empty, unless card.number or pos.iccDataRequest is sent' },
  ],
  ['no key number', without(posSale(), 'pos.encryptedSred.ksn'), { 'pos.encryptedSred.ksn': /^may not be empty/ }],
  [
    'half a PIN',
    posSale({ 'pos.encryptedPin.data': 'AA' }),
    { 'pos.encryptedPin.ksn': 'may not be empty when pos.encryptedPin.data is sent' },
  ],
  ['half a conversion', payment({ 'forex.amount': '1' }), { 'forex.currency': /^may not be empty/ }],
  [
    'a conversion to yen with sen',
    payment({ 'forex.amount': '1.50', 'forex.currency': 'JPY' }),
    { 'forex.amount': /no minor unit/ },
  ],
  ['yen with sen', payment({ currency: 'JPY', amount: '10.50' }), { amount: /no minor unit/ }],
  [
    'a missing parameter and a broken rule',
    without(posSale({ 'pos.encryptedPin.data': 'AA' }), 'paymentType'),
    { paymentType: 'may not be empty', 'pos.encryptedPin.ksn': 'may not be empty when pos.encryptedPin.data is sent' },
  ],
  // Format errors, unknown names and broken rules are reported together: one attempt shows them all.
  [
    'all errors at once',
    {
      ...without(
        posSale({ amount: '1.5', currency: 'eur', 'pos.encryptedPin.data': 'AA', nmae: 'x' }),
        'pos.terminalId',
      ),
    },
    {
      amount: /^must be up to 10 digits/,
      currency: /^must be an ISO 4217/,
      'pos.terminalId': 'may not be empty',
      'pos.encryptedPin.ksn': 'may not be empty when pos.encryptedPin.data is sent',
      nmae: 'is not an allowed parameter',
    },
  ],
])('refuses a payment with %s by name', async (_, fields, expectedErrors) => {
  const reply = await gateway.post('v1/payments', fields);
  expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
  const errors = errorsOf(reply);
  expect(Object.keys(errors).sort()).toEqual(expect.arrayContaining(Object.keys(expectedErrors).sort()));
  for (const [name, words] of Object.entries(expectedErrors)) expect(errors[name]).toMatch(words);
  expect(reply.body['id']).toBeUndefined();
});

test.each(['', 'A'.repeat(32)])('without a valid entityId the request still has an id: %s', async (sentBody) => {
  const reply = await gateway.post('v1/payments', payment({ entityId: sentBody }));
  expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
  expect(reply.body['ndc']).toMatch(/^[0-9a-f]{32}$/);
});

test('secrets do not appear in an error, other values do', async () => {
  const fields = payment({
    'card.number': '42000000x0000000',
    'card.cvv': '12',
    'card.expiryMonth': '13',
    'card.numbr': '4200000000000000',
  });
  const reply = await gateway.post('v1/payments', fields);
  const errors = (reply.body['result'] as { parameterErrors: { name: string; value: string }[] }).parameterErrors;
  expect(Object.fromEntries(errors.map(({ name, value }) => [name, value]))).toEqual({
    'card.number': '****',
    'card.cvv': '****',
    'card.expiryMonth': '13',
    'card.numbr': '****',
  });
  expect(reply.text).not.toMatch(/4200000/);
});

const panInRequest = '4761739001010010';
const spacedPan = '4761 7390-0101 0010';

test.each<[string, Parameters, Parameters?]>([
  ['customParameters[note]', { 'customParameters[note]': `card ${spacedPan}.` }],
  [`customParameters[476173******0010]`, { [`customParameters[${panInRequest}]`]: 'x' }],
  ['merchantMemo', { merchantMemo: `${panInRequest}=34052011000` }],
  ['merchantTransactionId', { merchantTransactionId: panInRequest }],
  ['descriptor', { descriptor: panInRequest }],
  ['pos.deviceId', { ...without(posSale(), 'merchantTransactionId'), 'pos.deviceId': panInRequest }],
  ['Idempotency-Key', {}, { 'idempotency-key': `${panInRequest}-1` }],
])('refuses the request’s card number in %s, where it would be stored', async (name, fields, headers) => {
  const reply = await gateway.post('v1/payments', payment({ 'card.number': panInRequest, ...fields }), headers);
  expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
  expect(errorsOf(reply)).toEqual({ [name]: 'must not hold the card number' });
  expect(reply.text).not.toContain(panInRequest);
});

test.each<[string, string, number, string]>([
  ['GET', 'v1/nothing', 404, '200.300.406'],
  ['GET', '', 404, '200.300.406'],
  ['GET', 'v1/payments/%zz', 404, '700.400.580'],
  ['GET', `v1/payments/${'a'.repeat(5000)}`, 404, '700.400.580'],
  ['PUT', 'v1/payments', 405, '200.300.403'],
  ['DELETE', `v1/payments/${'0'.repeat(32)}`, 405, '200.300.403'],
  ['POST', 'v1/query', 405, '200.300.403'],
  ['GET', 'v1/payments', 405, '200.300.403'],
])('%s %s is answered %i', async (method, path, status, code) => {
  const target = method === 'GET' ? `${path}?entityId=${entityId}` : path;
  const reply = await gateway.raw(target, { method, headers: { authorization } });
  expect(reply).toMatchObject({ status, code });
  if (status === 405) expect(reply.headers.get('allow')).toMatch(/^(POST|GET)(, (POST|GET))*$/);
});
