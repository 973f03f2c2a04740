/** testMode=EXTERNAL: one gateway is the processor of another, over a port. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HttpListener, listen } from '../../../src/gateway/server/http/listen.ts';
import { idOf, otherEntityId, type Parameters, payment, type Reply } from '../../support/gateway/gateway.ts';
import { openShop, type Shop } from './gateway-in-memory.ts';

/** The processor, and its behaviour for the next requests. */
let processor: Shop;
let server: HttpListener;
let shop: Shop;
let lostPart: 'answers' | 'requests' | 'nothing';
const requests: string[] = [];

beforeEach(async () => {
  lostPart = 'nothing';
  requests.length = 0;
  processor = await openShop({ channel: { entityId: otherEntityId, token: 'processor-token' } });
  const { gateway } = processor;
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    if (lostPart === 'requests') return new Response('down', { status: 502 });
    const response = await gateway.fetch(request);
    return lostPart === 'answers' && request.method === 'POST' ? new Response('lost', { status: 502 }) : response;
  };
  server = await listen({ app: { ...gateway, fetch }, port: 0, host: '127.0.0.1' });
  const baseUrl = `http://127.0.0.1:${server.port}/`;
  shop = await openShop({ channel: { upstream: { baseUrl, entityId: otherEntityId, token: 'processor-token' } } });
});
afterEach(async () => {
  await shop.gateway.close();
  await server.close();
  await processor.gateway.close();
});

const external = (extra: Parameters = {}): Parameters => payment({ testMode: 'EXTERNAL', ...extra });
const processorPayments = async (id: string): Promise<readonly Record<string, unknown>[]> => {
  const { payments } = (await shop.gateway.store.search({ entityId: otherEntityId, limit: 1 })) ?? {};
  expect(payments).toEqual([]);
  const found = await processor.gateway.store.search({ entityId: otherEntityId, merchantTransactionId: id, limit: 10 });
  return found.payments.map(({ paymentType, amount, state }) => ({ paymentType, minor: amount.minor, state }));
};

test('a success is the test system’s own, and the processor has booked it', async () => {
  const reply = await shop.post('v1/payments', external());
  expect(reply).toMatchObject({ status: 200, code: '000.100.112' });
  expect(reply.body).toMatchObject({ amount: '10.00', paymentBrand: 'VISA', testMode: 'EXTERNAL' });
  // Only the simulators send unexpected fields to clients.
  expect(Object.keys(reply.body['result'] as object).sort()).toEqual(['code', 'description']);
  expect(await processorPayments(idOf(reply))).toEqual([{ paymentType: 'DB', minor: 1000n, state: 'done' }]);
  expect((await shop.get(`v1/payments/${idOf(reply)}`)).text).toBe(reply.text);
});

test('INTERNAL, or no test mode, stays here', async () => {
  for (const form of [payment(), payment({ testMode: 'INTERNAL' })]) {
    expect((await shop.post('v1/payments', form)).code).toBe('000.100.110');
  }
  expect(requests).toEqual([]);
});

test('a decline is the processor’s', async () => {
  const reply = await shop.post('v1/payments', external({ amount: '8000.51' }));
  expect(reply).toMatchObject({ status: 400, code: '800.100.155' });
  expect(reply.body).not.toHaveProperty('amount');
});

test('follow-ups go where the payment went, and are answered alike', async () => {
  const authorised = await shop.post('v1/payments', external({ paymentType: 'PA' }));
  const follow = (parentId: string, paymentType: string, amount: string) =>
    shop.post(`v1/payments/${parentId}`, { paymentType, amount, currency: 'EUR' });
  const captured = await follow(idOf(authorised), 'CP', '6.00');
  expect(captured).toMatchObject({ status: 200, code: '000.100.112' });
  const refunded = await follow(idOf(captured), 'RF', '2.50');
  expect(refunded).toMatchObject({ status: 200, code: '000.100.112' });
  // A follow-up goes to the system that has the money, whatever test mode the follow-up names.
  const other = { paymentType: 'RF', amount: '0.50', currency: 'EUR', testMode: 'INTERNAL' };
  const third = await shop.post(`v1/payments/${idOf(captured)}`, other);
  expect(third).toMatchObject({ code: '000.100.112', body: { testMode: 'EXTERNAL' } });
  expect(await processorPayments(idOf(captured))).toEqual([{ paymentType: 'CP', minor: 600n, state: 'done' }]);
  expect(await processorPayments(idOf(refunded))).toEqual([{ paymentType: 'RF', minor: 250n, state: 'done' }]);
  expect((await follow(idOf(captured), 'RF', '3.01')).code).toBe('700.400.200');
});

test('each of several captures is refunded and reversed by itself', async () => {
  const authorised = await shop.post('v1/payments', external({ paymentType: 'PA' }));
  const follow = (parentId: string, paymentType: string, amount: string) =>
    shop.post(`v1/payments/${parentId}`, { paymentType, amount, currency: 'EUR' });
  const first = await follow(idOf(authorised), 'CP', '6.00');
  const second = await follow(idOf(authorised), 'CP', '3.00');
  for (const [capture, type, amount] of [
    [first, 'RF', '5.00'],
    [second, 'RV', '3.00'],
    [first, 'RF', '1.00'],
  ] as const) {
    expect([type, amount, (await follow(idOf(capture), type, amount)).code]).toEqual([type, amount, '000.100.112']);
  }
});

test('a lost answer is uncertain, and a query asks the processor', async () => {
  lostPart = 'answers';
  const key = { 'idempotency-key': 'a-key' };
  const doubtfulReply = await shop.post('v1/payments', external(), key);
  expect(doubtfulReply).toMatchObject({ status: 400, code: '900.100.300' });
  lostPart = 'nothing';
  const reply = await shop.get(`v1/payments/${idOf(doubtfulReply)}`);
  expect(reply).toMatchObject({ status: 200, code: '000.100.112' });
  expect(requests).toContain('GET /v1/query');
  expect((await shop.post('v1/payments', external(), key)).text).toBe(reply.text);
  expect(await processorPayments(idOf(doubtfulReply))).toHaveLength(1);
});

test('while the processor is down the result is unknown, and nothing is sent twice', async () => {
  lostPart = 'requests';
  const key = { 'idempotency-key': 'a-key' };
  const doubtfulReply = await shop.post('v1/payments', external(), key);
  expect(doubtfulReply.code).toBe('900.100.300');
  expect((await shop.get(`v1/payments/${idOf(doubtfulReply)}`)).code).toBe('000.200.000');
  expect((await shop.post('v1/payments', external(), key)).code).toBe('900.100.300');
  expect(requests.filter((line) => line === 'POST /v1/payments')).toHaveLength(1);
});

test('a stored account is charged there too, but not stored there', async () => {
  const stored = await shop.post('v1/registrations', external({ paymentType: 'RG' }));
  const charge = { amount: '3.00', currency: 'EUR', paymentType: 'DB', testMode: 'EXTERNAL' };
  const reply = await shop.post(`v1/registrations/${idOf(stored)}/payments`, charge);
  expect(reply).toMatchObject({ status: 200, code: '000.100.112' });
  expect(await processorPayments(idOf(reply))).toEqual([{ paymentType: 'DB', minor: 300n, state: 'done' }]);
});

test('a channel without a processor refuses the mode, and names no parameter as wrong', async () => {
  const alone = await openShop();
  const checkout = { amount: '1.00', currency: 'EUR', paymentType: 'DB', testMode: 'EXTERNAL' };
  for (const reply of [await alone.post('v1/payments', external()), await alone.post('v1/checkouts', checkout)]) {
    expect(reply).toMatchObject({ status: 400, code: '600.200.500' });
    expect(reply.body['result']).not.toHaveProperty('parameterErrors');
    expect(reply.text).toContain('no processor');
  }
  expect((await alone.post('v1/payments', payment())).code).toBe('000.100.110');
  await alone.gateway.close();
});

test('memo and invoice number are not forwarded, and the merchant’s reference has a field of its own', async () => {
  const merchantData = {
    merchantMemo: 'table 12, window',
    merchantInvoiceId: 'INV-2026-0042',
    merchantTransactionId: 'order-0042',
  };
  const reply = await shop.post('v1/payments', external(merchantData));
  const { payments } = await processor.gateway.store.search({
    entityId: otherEntityId,
    merchantTransactionId: idOf(reply),
    limit: 1,
  });
  const { facts } = payments[0] ?? {};
  expect(facts?.echo).toMatchObject({ 'customParameters[merchantTransactionId]': 'order-0042' });
  for (const secret of ['table 12', 'INV-2026']) expect(JSON.stringify(facts)).not.toContain(secret);
  expect(reply.body).toMatchObject({ merchantTransactionId: 'order-0042', merchantInvoiceId: 'INV-2026-0042' });
});

/** A shopper without a script: the processor's page, and then wherever it redirects. */
const followRedirects = async (url: string, init: RequestInit = {}): Promise<URL> => {
  const answer = await fetch(url, { redirect: 'manual', ...init });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '');
};
const decisionForm = (decision: string): RequestInit => ({ method: 'POST', body: new URLSearchParams({ decision }) });
const urlOf = (reply: Reply): string => (reply.body['redirect'] as { url: string }).url;

const bank = { paymentBrand: 'SOFORTUEBERWEISUNG' };
const price = { amount: '10.00', currency: 'EUR', paymentType: 'DB', testMode: 'EXTERNAL' };
const returnParameters = { shopperResultUrl: 'https://merchant.test/thanks?cart=7' };

test.each<[string, string]>([
  ['pays', '000.100.112'],
  ['refuses', '100.396.101'],
  ['later', '000.200.000'],
])('a shopper who %s at the processor returns with our id', async (decision, code) => {
  const reply = await shop.post('v1/payments', { ...price, ...bank, ...returnParameters });
  const returnedTo = await followRedirects(urlOf(reply), decisionForm(decision));
  expect(returnedTo.href).toMatch(new RegExp(`^https://shop\\.test/v1/processor/return/${idOf(reply)}\\?id=`));
  const home = await shop.gateway.fetch(new Request(returnedTo));
  const path = encodeURIComponent(`/v1/payments/${idOf(reply)}`);
  expect(home.headers.get('location')).toBe(
    `${returnParameters.shopperResultUrl}&id=${idOf(reply)}&resourcePath=${path}`,
  );
  const { state } = (await shop.gateway.store.payment(idOf(reply))) ?? {};
  expect(state).toBe(decision === 'later' ? 'processing' : 'done');
  expect((await shop.get(`v1/payments/${idOf(reply)}`)).code).toBe(code);
});

test('a shopper from a checkout returns to the checkout', async () => {
  const { body } = await shop.post('v1/checkouts', { ...price, ...returnParameters });
  const id = String(body['id']);
  const submittedReply = await shop.post(`v1/checkouts/${id}/payment`, bank);
  const returnedTo = await followRedirects(urlOf(submittedReply), decisionForm('pays'));
  const home = await shop.gateway.fetch(new Request(returnedTo, { method: 'POST', body: 'anything=1' }));
  const path = encodeURIComponent(`/v1/checkouts/${id}/payment`);
  expect(home.headers.get('location')).toBe(`${returnParameters.shopperResultUrl}&id=${id}&resourcePath=${path}`);
  expect((await shop.get(`v1/checkouts/${id}/payment`)).code).toBe('000.100.112');
});

test('a return without a payment is answered with an explanation', async () => {
  const paidId = idOf(await shop.post('v1/payments', external()));
  for (const id of [paidId, '0'.repeat(32), '..%2f']) {
    const answer = await shop.gateway.fetch(new Request(`https://shop.test/v1/processor/return/${id}`));
    expect([id, answer.status]).toEqual([id, 404]);
  }
});
