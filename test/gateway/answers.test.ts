/** The form of answers (spec 2.35) for plain cards, terminals, follow-ups and later queries. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Body,
  entityId,
  idOf,
  payment,
  plainCard,
  posSale,
  type Reply,
  type TestGateway,
  testGateway,
} from '../support/gateway/gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

const id = expect.stringMatching(/^[0-9a-f]{32}$/);
const frame = {
  buildNumber: expect.stringMatching(/^[0-9a-f]{40}@\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000$/),
  timestamp: '2026-01-02 12:00:00+0000',
  // Spec 2.35: up to 69 letters, digits and hyphens.
  ndc: expect.stringMatching(/^[a-zA-Z0-9-]{1,69}$/),
};
const shortId = expect.stringMatching(/^\d{4}\.\d{4}\.\d{4}$/);
const success = {
  code: '000.100.110',
  description: "Request successfully processed in 'Merchant in Integrator Test Mode'",
};

/** The answer without the random field that teaches clients to tolerate new fields (spec 2.35). */
const fieldsOf = ({ body }: Reply): Body => {
  const { result, ...rest } = body;
  const fields = Object.entries(result as Body);
  const [randomField, ...others] = fields.filter(([name]) => /^randomField\d+$/.test(name));
  expect([randomField?.[1], others]).toEqual(['Please allow for new unexpected fields to be added', []]);
  return { ...rest, result: Object.fromEntries(fields.filter((field) => field !== randomField)) };
};

test('a payment with a plain card', async () => {
  gateway.acquirer.next({ cvvResponse: 'M' });
  const form = payment({
    amount: '92',
    'card.holder': 'Jane Jones',
    'card.cvv': '123',
    merchantTransactionId: 'order-0001',
    'customParameters[SHOPPER_x]': 'y',
  });
  const reply = await gateway.post('v1/payments', form);
  expect(reply.status).toBe(200);
  expect(fieldsOf(reply)).toEqual({
    id,
    shortId,
    paymentType: 'DB',
    paymentBrand: 'VISA',
    brandResult: 'VISA',
    amount: '92.00',
    currency: 'EUR',
    descriptor: expect.stringMatching(/^\d{4}\.\d{4}\.\d{4} Corner Shop$/),
    merchantTransactionId: 'order-0001',
    result: { ...success, cvvResponse: 'M' },
    resultDetails: { AcquirerResponse: '00' },
    card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
    customParameters: { SHOPPER_x: 'y' },
    ...frame,
  });
  expect(reply.headers.get('content-length')).toBe(String(Buffer.byteLength(reply.text)));
  expect(reply.headers.get('content-type')).toBe('application/json;charset=UTF-8');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
  expect(gateway.acquirer.authorised).toMatchObject([
    { card: { number: '4200000000000000', cvv: '123' }, customParameters: { SHOPPER_x: 'y' } },
  ]);
});

test('a sale at a terminal', async () => {
  const clearingData = {
    authorizationAcquirerCode: '123456',
    authorizationIssuerCode: 'A1B2C3',
    identifier: '6002ABCDEFGH',
  };
  gateway.acquirer.next({
    account: { brand: 'MASTER', bin: '541333', last4Digits: '4111', expiryMonth: '12', expiryYear: '2031' },
    clearing: clearingData,
    merchantId: '000000012345678',
    iccDataResponse: '8A023030',
    statusText: 'APPROVED',
  });
  const reply = await gateway.post(
    'v1/payments',
    posSale({ 'pos.location.latitude': '47.1', 'pos.location.longitude': '15.4' }),
  );
  expect(reply.body).toMatchObject({ paymentBrand: 'MASTER', merchantTransactionId: 'till-7-000042', result: success });
  expect(reply.body['card']).toEqual({ bin: '541333', last4Digits: '4111', expiryMonth: '12', expiryYear: '2031' });
  expect(reply.body['pos']).toEqual({
    entryMode: 'ICC',
    terminalId: '70001234',
    transactionSequenceNumber: '42',
    location: { latitude: '47.1', longitude: '15.4' },
    clearing: clearingData,
    merchantId: '000000012345678',
    iccDataResponse: '8A023030',
    statusText: 'APPROVED',
    timestamp: '2026-01-02 12:00:00',
  });
  expect(gateway.acquirer.authorised).toMatchObject([
    { paymentType: 'DB', pos: { entryMode: 'ICC', encryptedSred: { ksn: 'FFFF9876543210E00002' } } },
  ]);
});

test('a chip sale without the chip’s data is processed', async () => {
  const { 'pos.iccDataRequest': _, ...form } = posSale();
  expect(await gateway.post('v1/payments', form)).toMatchObject({ status: 200, code: '000.100.110' });
});

test('a terminal may send an unencrypted card', async () => {
  const { 'pos.encryptedSred.data': _, 'pos.encryptedSred.ksn': __, ...form } = posSale(plainCard);
  const reply = await gateway.post('v1/payments', { ...form, 'pos.entryMode': 'MANUAL' });
  expect(reply).toMatchObject({ status: 200, body: { brandResult: 'VISA', pos: { entryMode: 'MANUAL' } } });
});

test('a decline has no amount, and keeps type, brand and card', async () => {
  gateway.acquirer.next({ resultCode: '800.100.155', details: { AcquirerResponse: '51', MerchantAdviceCode: '24' } });
  const reply = await gateway.post('v1/payments', payment());
  expect(reply.status).toBe(400);
  expect(fieldsOf(reply)).toEqual({
    id,
    shortId,
    paymentType: 'DB',
    paymentBrand: 'VISA',
    brandResult: 'VISA',
    result: { code: '800.100.155', description: 'transaction declined (amount exceeds credit)' },
    resultDetails: { AcquirerResponse: '51', MerchantAdviceCode: '24' },
    card: { bin: '420000', last4Digits: '0000', expiryMonth: '05', expiryYear: '2034' },
    ...frame,
  });
});

test.each([
  ['a wrong check digit', { 'card.number': '4200000000000001' }, '100.100.101'],
  ['last month', { 'card.expiryMonth': '12', 'card.expiryYear': '2025' }, '100.100.303'],
  ['another brand', { paymentBrand: 'MASTER' }, '100.100.700'],
  ['a brand named like an inherited property', { paymentBrand: 'constructor' }, '600.200.500'],
  ['a number without a brand', { 'card.number': '0000000000000000' }, '100.100.500'],
])('%s is refused without asking the acquirer', async (_, parameters, code) => {
  expect(await gateway.post('v1/payments', payment(parameters))).toMatchObject({ status: 400, code });
  expect(gateway.acquirer.authorised).toEqual([]);
});

test.each([
  ['this month', { 'card.expiryMonth': '01', 'card.expiryYear': '2026' }],
  ['far away', { 'card.expiryYear': '2099' }],
  ['its brand', { paymentBrand: 'VISA' }],
  ['a product of the number’s brand', { paymentBrand: 'VISADEBIT' }],
])('a card of %s passes', async (_, parameters) => {
  const reply = await gateway.post('v1/payments', payment(parameters));
  expect(reply.code).toBe('000.100.110');
  expect(reply.body['brandResult']).toBe('paymentBrand' in parameters ? undefined : 'VISA');
});

test('test mode INTERNAL has the simulators’ success code', async () => {
  expect((await gateway.post('v1/payments', payment({ testMode: 'INTERNAL' }))).code).toBe('000.100.110');
});

test('a malformed code is an error of the acquirer', async () => {
  gateway.acquirer.next({ resultCode: 'approved' }, { resultCode: 'approved' });
  const { body } = await gateway.post('v1/payments', payment());
  expect(body['result']).toMatchObject({ code: '999.999.999' });
  expect(await gateway.get(`v1/payments/${body['id']}`)).toMatchObject({ status: 400, code: '999.999.999' });
});

test('a currency conversion is returned as sent', async () => {
  const { body } = await gateway.post('v1/payments', payment({ 'forex.amount': '1800', 'forex.currency': 'JPY' }));
  expect(body).toMatchObject({ amount: '10.00', currency: 'EUR', forex: { amount: '1800', currency: 'JPY' } });
  expect(Object.keys(body).filter((name) => name.includes('.'))).toEqual([]);
});

test('a follow-up names the payment it follows', async () => {
  const sale = await gateway.post('v1/payments', payment());
  const refund = await gateway.post(`v1/payments/${idOf(sale)}`, {
    paymentType: 'RF',
    amount: '3.00',
    currency: 'EUR',
  });
  expect(fieldsOf(refund)).toEqual({
    id,
    shortId,
    referencedId: idOf(sale),
    paymentType: 'RF',
    paymentBrand: 'VISA',
    amount: '3.00',
    currency: 'EUR',
    descriptor: expect.any(String),
    result: success,
    resultDetails: { ExtendedDescription: expect.stringMatching(/successfully/), AcquirerResponse: '00' },
    ...frame,
  });
});

test('a later query by id or by reference gets the same answer', async () => {
  const sale = await gateway.post('v1/payments', payment({ merchantTransactionId: 'order-0001' }));
  gateway.acquirer.next({ resultCode: '800.100.155' });
  const second = await gateway.post('v1/payments', payment({ merchantTransactionId: 'order-0001' }));
  expect((await gateway.get(`v1/payments/${idOf(sale)}`)).text).toBe(sale.text);
  expect((await gateway.get(`v1/query/${idOf(second)}`)).text).toBe(second.text);

  const list = await gateway.get('v1/query', { merchantTransactionId: 'order-0001' });
  const { ndc: _, buildNumber: __, ...first } = sale.body;
  expect(list.body).toEqual({
    result: { code: '000.000.100', description: 'successful request' },
    payments: [first, expect.objectContaining({ id: idOf(second) })],
    ...frame,
  });
});

test('a payment that was never sent is not found', async () => {
  expect(await gateway.get('v1/query', { merchantTransactionId: 'nobody' })).toMatchObject({
    status: 400,
    code: '700.400.580',
  });
  expect(await gateway.get(`v1/payments/${'0'.repeat(32)}`)).toMatchObject({ status: 404, code: '700.400.580' });
  expect(await gateway.get('v1/query')).toMatchObject({ status: 400, code: '200.300.404' });
});

test('a list by reference ends at its limit', async () => {
  for (let count = 0; count < 101; count += 1) {
    await gateway.post('v1/payments', payment({ merchantTransactionId: 'order-0001' }));
  }
  const found = async (query: Record<string, string>) =>
    ((await gateway.get('v1/query', { merchantTransactionId: 'order-0001', ...query })).body['payments'] as unknown[])
      .length;
  expect([await found({}), await found({ limit: '200' })]).toEqual([100, 101]);
});

test('accepts the old names and empty ids of existing clients', async () => {
  const aliasedReply = await gateway.post('v1/payments/', {
    ...payment(),
    entityId: '',
    'authentication.entityId': entityId,
  });
  expect(aliasedReply.code).toBe('000.100.110');
  const empty = await gateway.post('v1/payments/', { paymentType: 'RF', amount: '1.00', currency: 'EUR' });
  expect(empty).toMatchObject({ status: 400, code: '200.300.404' });
});

test('the list of result codes needs no token', async () => {
  const reply = await gateway.raw('v1/resultcodes', { method: 'GET' });
  expect(reply.status).toBe(200);
  expect(reply.body['resultCodes']).toContainEqual({ code: '700.400.580', description: 'cannot find transaction' });
});
