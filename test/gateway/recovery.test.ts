/** Payments whose acquirer did not answer, and those that a crash left without an ending. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf, payment, posSale, type TestGateway, testGateway } from '../support/gateway/gateway.ts';
import { scriptedAcquirer } from '../support/gateway/scripted-acquirer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pendingForever = new Promise<void>(() => {});
const path = () => join(folder, 'gateway.db');

test('the payment is written before the acquirer is asked', async () => {
  const gateway = await testGateway();
  let release = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  gateway.acquirer.next({ after });
  const answer = gateway.post('v1/payments', posSale());
  await gateway.clock.settle();
  const [authorisation] = gateway.acquirer.authorised;
  const status = await gateway.get(`v1/payments/${authorisation?.id}`);
  expect(status).toMatchObject({ status: 200, code: '000.200.000', body: { amount: '10.00' } });
  // The payment is in progress in this gateway, so the acquirer is not asked about it.
  expect(gateway.acquirer.inquired).toEqual([]);
  release();
  expect(await answer).toMatchObject({ status: 200, code: '000.100.110', body: { id: authorisation?.id } });
});

test.each<[string, 'request' | 'answer', string]>([
  ['the acquirer had processed it', 'answer', '000.100.110'],
  ['the acquirer never saw it', 'request', '100.396.103'],
])('after a crash, when %s', async (_, loses, code) => {
  const acquirer = scriptedAcquirer();
  const first = await testGateway({ path: path(), acquirer });
  acquirer.next({ lostPart: loses });
  acquirer.setDeaf('deaf');
  const reply = await first.post('v1/payments', posSale());
  expect(reply.status).toBe(500);
  await first.store.close();

  acquirer.setDeaf('hearing');
  const second = await testGateway({ path: path(), acquirer });
  await second.app.ready;
  const { payments } = (await second.get('v1/query', { merchantTransactionId: 'till-7-000042' })).body as {
    payments: { id: string; result: { code: string } }[];
  };
  expect(payments.map(({ result }) => result.code)).toEqual([code]);
  // The terminal's repeat gets the result, without a second request to the acquirer. If no payment was made,
  // the repeat makes it.
  const repeatReply = await second.post('v1/payments', posSale());
  expect(repeatReply.code).toBe('000.100.110');
  expect(idOf(repeatReply) === payments[0]?.id).toBe(loses === 'answer');
  expect(acquirer.authorised).toHaveLength(loses === 'answer' ? 1 : 2);
  await second.store.close();
});

test('an acquirer that never answers leaves the payment open, not ended', async () => {
  const acquirer = scriptedAcquirer();
  const first = await testGateway({ path: path(), acquirer });
  acquirer.next({ lostPart: 'answer' });
  acquirer.setDeaf('deaf');
  await first.post('v1/payments', posSale());
  await first.store.close();
  const second = await testGateway({ path: path(), acquirer });
  const open = await second.get('v1/query', { merchantTransactionId: 'till-7-000042' });
  expect(open.body['payments']).toMatchObject([{ result: { code: '000.200.000' } }]);
  acquirer.setDeaf('hearing');
  const reply = await second.get('v1/query', { merchantTransactionId: 'till-7-000042' });
  expect(reply.body['payments']).toMatchObject([{ result: { code: '000.100.110' } }]);
  await second.store.close();
});

test('a lost answer is found by an inquiry', async () => {
  const gateway = await testGateway();
  gateway.acquirer.next({ lostPart: 'answer' });
  expect(await gateway.post('v1/payments', payment())).toMatchObject({ status: 200, code: '000.100.110' });
  expect(gateway.acquirer.inquired).toHaveLength(1);
});

test('an acquirer’s uncertain result is passed on, and inquired about at the next query', async () => {
  const gateway = await testGateway();
  gateway.acquirer.next({ resultCode: '900.100.300', lostPart: 'request' });
  gateway.acquirer.next({ resultCode: '900.100.300' });
  expect((await gateway.post('v1/payments', payment())).code).toBe('100.396.103');
  const doubtfulReply = await gateway.post('v1/payments', posSale());
  expect(doubtfulReply).toMatchObject({ status: 400, code: '900.100.300' });
  expect(doubtfulReply.body['amount']).toBeUndefined();
  expect(await gateway.get(`v1/payments/${idOf(doubtfulReply)}`)).toMatchObject({ code: '900.100.300' });
  // A payment that may have been charged can be reversed.
  expect((await gateway.post(`v1/payments/${idOf(doubtfulReply)}`, { paymentType: 'RV' })).code).toBe('000.100.110');
});

test.each([
  ['999.999.999', '999.999.999'],
  ['800.110.100', '800.110.100'],
  ['nonsense', '999.999.999'],
])('the acquirer’s own uncertain code is returned at once and later: %s', async (resultCode, code) => {
  const gateway = await testGateway();
  gateway.acquirer.next({ resultCode });
  const doubtfulReply = await gateway.post('v1/payments', posSale());
  expect(doubtfulReply).toMatchObject({ status: 400, code });
  expect(await gateway.get(`v1/payments/${idOf(doubtfulReply)}`)).toMatchObject({ status: 400, code });
  expect(await gateway.post('v1/payments', posSale())).toMatchObject({ code, body: { id: idOf(doubtfulReply) } });
});

test('a reversal of an uncertain payment first inquires about it', async () => {
  const gateway = await testGateway();
  gateway.acquirer.next({ resultCode: '900.100.300' });
  const doubtfulReply = await gateway.post('v1/payments', posSale());
  expect((await gateway.post(`v1/payments/${idOf(doubtfulReply)}`, { paymentType: 'RV' })).code).toBe('000.100.110');
  expect(gateway.acquirer.inquired).toEqual([idOf(doubtfulReply)]);
});

test('the gateway’s timeout ends before the acquirer answers: uncertain first, the result later', async () => {
  const gateway = await testGateway();
  let release = () => {};
  gateway.acquirer.next({
    after: new Promise((resolve) => {
      release = resolve;
    }),
  });
  const answer = gateway.post('v1/payments', posSale());
  await gateway.clock.settle();
  await gateway.clock.advance(30_000);
  const uncertain = await answer;
  expect(uncertain).toMatchObject({ status: 400, code: '900.100.300' });
  expect((await gateway.get(`v1/payments/${idOf(uncertain)}`)).code).toBe('000.200.000');
  expect((await gateway.post(`v1/payments/${idOf(uncertain)}`, { paymentType: 'RV' })).code).toBe('700.400.570');
  release();
  await gateway.app.close();
  expect(await gateway.post('v1/payments', posSale())).toMatchObject({
    code: '000.100.110',
    body: { id: idOf(uncertain) },
  });
  expect(gateway.clock.waiting()).toBe(0);
});

test('a refund in progress reserves its amount until it is certain that nothing happened', async () => {
  const gateway = await testGateway();
  const sale = await gateway.post('v1/payments', payment());
  const refund = { paymentType: 'RF', amount: '6.00', currency: 'EUR' };
  gateway.acquirer.next({ after: pendingForever });
  const pending = gateway.post(`v1/payments/${idOf(sale)}`, refund);
  await gateway.clock.settle();
  expect((await gateway.post(`v1/payments/${idOf(sale)}`, refund)).code).toBe('700.400.200');
  await gateway.clock.advance(30_000);
  expect((await pending).code).toBe('900.100.300');
});

test('a failing store leads to status 500 without internal details', async () => {
  const gateway = await testGateway();
  await gateway.store.close();
  const reply = await gateway.post('v1/payments', payment());
  expect(reply).toMatchObject({ status: 500, code: '999.999.888' });
  expect(Object.keys(reply.body).sort()).toEqual(['buildNumber', 'ndc', 'result', 'timestamp']);
  expect(gateway.reported.length).toBeGreaterThan(0);
  expect(gateway.acquirer.authorised).toEqual([]);
});

test('a gateway whose store cannot be recovered answers nobody', async () => {
  const { store, acquirer } = await testGateway();
  await store.close();
  const gateway: TestGateway = await testGateway({ store, acquirer });
  await expect(gateway.app.ready).rejects.toThrow();
  expect(await gateway.get(`v1/payments/${'0'.repeat(32)}`)).toMatchObject({ status: 500, code: '999.999.888' });
});
