/** Requests that are sent twice act once: by the terminal's sequence number, and by Idempotency-Key. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  idOf,
  type Parameters,
  payment,
  posSale,
  type TestGateway,
  testGateway,
} from '../../support/gateway/gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

const acquirerRequestCount = () => gateway.acquirer.authorised.length + gateway.acquirer.referred.length;

test('a repeated terminal sale gets the first answer, byte for byte', async () => {
  const first = await gateway.post('v1/payments', posSale());
  await gateway.clock.advance(3_600_000);
  const repeat = await gateway.post('v1/payments', posSale());
  expect(repeat.text).toBe(first.text);
  expect(acquirerRequestCount()).toBe(1);
});

test('a repeated decline gets that decline', async () => {
  gateway.acquirer.next({ resultCode: '800.100.155' });
  const first = await gateway.post('v1/payments', posSale());
  expect(await gateway.post('v1/payments', posSale())).toMatchObject({ status: 400, text: first.text });
});

test.each<[string, Parameters]>([
  ['terminal', { 'pos.terminalId': '70001235' }],
  ['sequence number', { 'pos.transactionSequenceNumber': '43' }],
  ['reference', { merchantTransactionId: 'till-7-000043' }],
  ['payment type', { paymentType: 'PA' }],
  ['sequence number missing', { 'pos.transactionSequenceNumber': '' }],
])('a sale with another %s is another sale', async (_, other) => {
  const first = await gateway.post('v1/payments', posSale());
  const second = await gateway.post('v1/payments', posSale(other));
  expect(second.code).toBe('000.100.110');
  expect(idOf(second)).not.toBe(idOf(first));
});

test.each<[string, Parameters]>([
  ['amount', { amount: '10.01' }],
  ['card', { 'pos.encryptedSred.data': '00000000000000000000000000000000' }],
  ['PIN entry', { 'pos.encryptedPin.data': '00', 'pos.encryptedPin.ksn': 'FFFF9876543210E00003' }],
  ['note', { merchantMemo: 'something else' }],
])('the same sale with another %s is refused as a duplicate that names the first', async (_, other) => {
  const first = await gateway.post('v1/payments', posSale());
  const second = await gateway.post('v1/payments', posSale(other));
  expect(second).toMatchObject({ status: 400, code: '800.110.100' });
  expect(second.text).toContain(idOf(first));
  expect(second.body['id']).toBeUndefined();
  expect(acquirerRequestCount()).toBe(1);
});

test('a repeat while the first sale is in progress waits for it', async () => {
  let release = () => {};
  gateway.acquirer.next({
    after: new Promise((resolve) => {
      release = resolve;
    }),
  });
  const pendingReplies = [gateway.post('v1/payments', posSale()), gateway.post('v1/payments', posSale())];
  await gateway.clock.settle();
  release();
  const [first, second] = await Promise.all(pendingReplies);
  expect(first?.code).toBe('000.100.110');
  expect(second?.text).toBe(first?.text);
  expect(acquirerRequestCount()).toBe(1);
});

test('a hundred at once are one', async () => {
  const replies = await Promise.all(Array.from({ length: 100 }, () => gateway.post('v1/payments', posSale())));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(acquirerRequestCount()).toBe(1);
});

test('a repeated reversal is made once, and its answer repeated', async () => {
  const sale = await gateway.post('v1/payments', posSale());
  const { merchantTransactionId = '' } = posSale();
  const reversal = {
    paymentType: 'RV',
    merchantTransactionId,
    'pos.terminalId': '70001234',
    'pos.transactionSequenceNumber': '42',
  };
  const first = await gateway.post(`v1/payments/${idOf(sale)}`, reversal);
  const repeatReply = await gateway.post(`v1/payments/${idOf(sale)}`, reversal);
  expect(first.code).toBe('000.100.110');
  expect(repeatReply.text).toBe(first.text);
  // Without the terminal's sequence number a repeat looks like a second request.
  expect((await gateway.post(`v1/payments/${idOf(sale)}`, { paymentType: 'RV' })).code).toBe('700.400.300');
});

test('a repeated refund with a sequence number is made once; for another payment it is refused', async () => {
  const sale = await gateway.post('v1/payments', posSale());
  const other = await gateway.post('v1/payments', posSale({ 'pos.transactionSequenceNumber': '43' }));
  const refund = {
    paymentType: 'RF',
    amount: '4.00',
    currency: 'EUR',
    merchantTransactionId: 'till-7-000044',
    'pos.terminalId': '70001234',
    'pos.transactionSequenceNumber': '44',
  };
  const first = await gateway.post(`v1/payments/${idOf(sale)}`, refund);
  expect((await gateway.post(`v1/payments/${idOf(sale)}`, refund)).text).toBe(first.text);
  expect((await gateway.post(`v1/payments/${idOf(other)}`, refund)).code).toBe('800.110.100');
  expect(gateway.acquirer.referred).toHaveLength(1);
});

test('the reference alone identifies no repeat', async () => {
  const form = payment({ merchantTransactionId: 'order-0001' });
  const replies = [await gateway.post('v1/payments', form), await gateway.post('v1/payments', form)];
  expect(new Set(replies.map(idOf)).size).toBe(2);
});

test('an Idempotency-Key makes any request unique', async () => {
  const key = { 'idempotency-key': 'a-key' };
  const first = await gateway.post('v1/payments', payment(), key);
  expect((await gateway.post('v1/payments', payment(), key)).text).toBe(first.text);
  // The order of the parameters does not matter, their values do.
  const reversed = Object.fromEntries(Object.entries(payment()).reverse());
  expect((await gateway.post('v1/payments', reversed, key)).text).toBe(first.text);
  expect((await gateway.post('v1/payments', payment({ amount: '10.01' }), key)).code).toBe('800.110.100');
  expect((await gateway.post('v1/payments', payment({ 'card.number': '4111111111111111' }), key)).code).toBe(
    '800.110.100',
  );
  expect((await gateway.post(`v1/payments/${idOf(first)}`, { paymentType: 'RV' }, key)).code).toBe('800.110.100');
  expect(acquirerRequestCount()).toBe(1);
});

test('security code and PIN block are never stored, so the comparison ignores them', async () => {
  const key = { 'idempotency-key': 'a-key' };
  const first = await gateway.post('v1/payments', payment({ 'card.cvv': '123' }), key);
  expect((await gateway.post('v1/payments', payment({ 'card.cvv': '124' }), key)).text).toBe(first.text);
  const pin = (data: string) => ({ 'pos.encryptedPin.data': data, 'pos.encryptedPin.ksn': 'FFFF9876543210E00003' });
  const sale = await gateway.post('v1/payments', posSale(pin('1C41AB4A9F2B0F1D')));
  expect((await gateway.post('v1/payments', posSale(pin('0000000000000000')))).text).toBe(sale.text);
});

test('a key belongs to its entity', async () => {
  const key = { 'idempotency-key': 'a-key' };
  const first = await gateway.post('v1/payments', payment(), key);
  const entity = { entityId: '00000000000000000000000000000002' };
  const second = await gateway.post('v1/payments', payment(entity), { ...key, authorization: 'Bearer other-token' });
  expect(second.code).toBe('000.100.110');
  expect(idOf(second)).not.toBe(idOf(first));
});

test.each(['a b', 'é', 'x'.repeat(256)])('refuses the malformed key %s', async (key) => {
  const headers = new Headers({ 'idempotency-key': key === 'é' ? '\u00e9' : key });
  const reply = await gateway.post('v1/payments', payment(), Object.fromEntries(headers));
  expect(reply).toMatchObject({ status: 400, code: '200.100.103' });
});

test('a refusal by name is stored under its key too, and a corrected body needs a new key', async () => {
  const key = { 'idempotency-key': 'a-key' };
  const refusal = await gateway.post('v1/payments', payment({ amount: 'ten' }), key);
  expect(refusal.code).toBe('200.300.404');
  await gateway.clock.advance(60_000);
  expect((await gateway.post('v1/payments', payment({ amount: 'ten' }), key)).text).toBe(refusal.text);
  expect((await gateway.post('v1/payments', payment(), key)).code).toBe('800.110.100');
  expect((await gateway.post('v1/payments', payment(), { 'idempotency-key': 'b-key' })).code).toBe('000.100.110');
  expect(acquirerRequestCount()).toBe(1);
});
