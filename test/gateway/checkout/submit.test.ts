/** The parameters that the shopper's side may send, and those that only the shop may set. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entityId, idOf, otherEntityId, type Parameters, token } from '../../support/gateway/gateway.ts';
import {
  type Counter,
  card,
  detailOf,
  errorsOf,
  OK,
  openCounter,
  order,
  payPath,
  shopperResultUrl,
} from './counter.ts';

let counter: Counter;
beforeEach(async () => {
  counter = await openCounter({ channel: { brands: [{ name: 'HOUSECARD', account: 'card' }] } });
});
afterEach(async () => {
  await counter.gateway.close();
  expect(counter.faults).toEqual([]);
});

test('values that are repeated unchanged are accepted; 12.5 euros are malformed, 12.50 are the same', async () => {
  const shopValues = { ...order, amount: '12', merchantTransactionId: 'order-000001', createRegistration: '1' };
  const id = await counter.checkout(shopValues);
  const reply = await counter.shopper.post(payPath(id), {
    ...card,
    ...shopValues,
    amount: '12.00',
    createRegistration: 'true',
    entityId,
  });
  expect(reply).toMatchObject({ status: 200, code: OK, body: { amount: '12.00' } });
  expect(reply.body).toHaveProperty('registrationId');
});

test.each<[string, Parameters]>([
  ['amount', { amount: '0.01' }],
  ['currency', { currency: 'USD' }],
  ['paymentType', { paymentType: 'CD' }],
  ['merchantTransactionId', { merchantTransactionId: 'order-000002' }],
  ['customer.email', { 'customer.email': 'mallory@example.com' }],
  ['customParameters[basket]', { 'customParameters[basket]': '8' }],
  ['shopperResultUrl', { shopperResultUrl: 'https://evil.example/' }],
])('refuses %s if it differs from the shop’s value', async (name, form) => {
  const id = await counter.checkout({
    merchantTransactionId: 'order-000001',
    shopperResultUrl,
    'customer.email': 'jane@example.com',
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
    'customParameters[basket]': '7',
  });
  const reply = await counter.shopper.post(payPath(id), { ...card, ...form });
  expect(reply).toMatchObject({ status: 400, code: '200.300.404', body: { ndc: id } });
  expect(errorsOf(reply)).toEqual({
    [name]: 'was already set by the shop, to another value, and cannot be overwritten',
  });
  expect((await counter.shopper.post(payPath(id), card)).code).toBe(OK);
});

test.each<[string, string]>([
  ['testMode', 'EXTERNAL'],
  ['risk.channelId', '7'],
  ['risk.parameters[trusted]', 'yes'],
  ['merchant.name', 'Another shop'],
  ['merchant.mcc', '5999'],
  ['descriptor', 'Another shop'],
  ['merchantTransactionId', 'order-000009'],
  ['notificationUrl', 'https://evil.example/hook'],
  ['cart.items[0].price', '0.01'],
  ['threeDSecure.eci', '05'],
  ['threeDSecure.verificationId', 'AAACAgSRBklmQCFgMpEGAAAAAAA='],
  ['standingInstruction.mode', 'REPEATED'],
  ['pos.entryMode', 'ICC'],
  ['recipient.accountNumber', 'DE89370400440532013000'],
  ['forex.currency', 'USD'],
  ['transactionCategory', 'MO'],
  ['customer.ip', '203.0.113.7'],
  ['bankAccount.mandate.id', 'M-1'],
  ['registrations[0].id', 'a'.repeat(32)],
  ['overrideHolder', 'true'],
  ['integrity', 'true'],
])('only the shop can set %s', async (name, value) => {
  const id = await counter.checkout();
  const reply = await counter.shopper.post(payPath(id), { ...card, [name]: value });
  expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
  expect(errorsOf(reply)[name]).toBe('can be set only by the shop, when it creates or updates the checkout');
  expect((await counter.shop.get(payPath(id))).body).not.toHaveProperty('id');
});

test('refuses the entityId of another channel, and an unknown name', async () => {
  const id = await counter.checkout();
  const reply = await counter.shopper.post(payPath(id), { ...card, entityId: otherEntityId, 'card.numbr': '1' });
  expect(errorsOf(reply)).toEqual({
    entityId: 'differs from the checkout’s',
    'card.numbr': expect.stringContaining('did you mean card.number?'),
  });
});

test('custom parameters from the browser need the prefix, and those of the shop do not', async () => {
  const id = await counter.checkout({ 'customParameters[basket]': '7' });
  const refusal = await counter.shopper.post(payPath(id), {
    ...card,
    'customParameters[forceResultCode]': '000.000.000',
  });
  expect(errorsOf(refusal)).toEqual({
    'customParameters[forceResultCode]': 'must begin with SHOPPER_ when it is sent from the shopper’s side',
  });
  const reply = await counter.shopper.post(payPath(id), { ...card, 'customParameters[SHOPPER_gift]': 'yes' });
  expect(reply.body).toMatchObject({ customParameters: { basket: '7', SHOPPER_gift: 'yes' } });
});

test('reports all errors at once: the shop’s parameters, wrong formats, missing ones, an empty body', async () => {
  const id = await counter.checkout();
  const { 'card.expiryYear': _, ...noYear } = card;
  const reply = await counter.shopper.post(payPath(id), { ...noYear, 'card.number': '42x', amount: '1.00' });
  expect(Object.keys(errorsOf(reply)).sort()).toEqual(['amount', 'card.expiryYear', 'card.number']);
  expect(reply.text).not.toContain('42x');
  const empty = await counter.shopper.post(payPath(id));
  expect(errorsOf(empty)).toEqual({ paymentBrand: 'card properties must be set' });
});

test.each([
  ['VISA', '4200000000000000', 'PA'],
  ['MASTER', '5454545454545454', 'DB'],
  ['', '4200000000000000', 'PA'],
])('a payment type for a brand: %s gets %s', async (paymentBrand, number, type) => {
  const id = await counter.checkout({ 'overridePaymentType[VISA]': 'PA' });
  const reply = await counter.shopper.post(payPath(id), { ...card, paymentBrand, 'card.number': number });
  expect(reply).toMatchObject({ code: OK, body: { paymentType: type } });
});

test('accepts a token, if it belongs to the checkout’s channel', async () => {
  const id = await counter.checkout();
  const payWith = (authorization: string) => counter.shopper.post(payPath(id), card, { authorization });
  expect(await payWith('Bearer nobody')).toMatchObject({ status: 403, code: '800.900.300' });
  expect(await payWith('Basic x')).toMatchObject({ status: 401, code: '800.900.300' });
  expect(await payWith('Bearer other-token')).toMatchObject({ status: 404, code: '200.300.404' });
  expect(await payWith(`Bearer ${token}`)).toMatchObject({ status: 200, code: OK });
});

test('the shopper pays with an offered stored account by one click, and with no other', async () => {
  const stored = await Promise.all(
    ['4200000000000000', '5454545454545454'].map((number) =>
      counter.shop.post('v1/registrations', { ...card, paymentBrand: '', 'card.number': number }),
    ),
  );
  const [ownId, other] = stored.map(idOf) as [string, string];
  const id = await counter.checkout({ 'registrations[0].id': ownId });
  const widget = await counter.shopper.get(`v1/checkouts/${id}/widget`);
  expect(widget.body['registrations']).toEqual([
    { id: ownId, brand: 'VISA', last4: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
  ]);
  const refusal = await counter.shopper.post(payPath(id), { registrationId: other });
  expect(errorsOf(refusal)).toEqual({ registrationId: 'is none of the stored accounts that this checkout offers' });
  const reply = await counter.shopper.post(payPath(id), { registrationId: ownId, 'card.cvv': '123' });
  expect(reply).toMatchObject({ code: OK, body: { registrationId: ownId, paymentBrand: 'VISA' } });
});

test('another channel’s stored account cannot be offered', async () => {
  const foreignReply = await counter.stranger.post('v1/registrations', { ...card, 'card.cvv': '' });
  const reply = await counter.shop.post('v1/checkouts', { ...order, 'registrations[0].id': idOf(foreignReply) });
  expect(errorsOf(reply)).toHaveProperty(['registrations[0].id']);
});

test('the widget gets the data it shows, and nothing that the shopper must not see', async () => {
  const id = await counter.checkout({
    merchantTransactionId: 'order-000001',
    'customer.ip': '203.0.113.7',
    'customer.givenName': 'J',
    'customer.surname': 'J',
    shopperResultUrl,
    locale: 'de',
  });
  const reply = await counter.shopper.get(`v1/checkouts/${id}/widget`);
  expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  expect(reply.body).toMatchObject({
    id,
    kind: 'payment',
    state: 'open',
    amount: '12.50',
    currency: 'EUR',
    paymentType: 'DB',
    registrations: [],
    shopperResultUrl,
    locale: 'de',
    shop: 'Corner Shop',
    expiresAt: counter.clock.now() + 30 * 60_000,
  });
  expect(reply.body['brands']).toContainEqual({ name: 'HOUSECARD', account: 'card', asynchronous: false });
  expect(reply.text).not.toMatch(/order-000001|203\.0\.113\.7/);
  await counter.shopper.post(payPath(id), card);
  expect((await counter.shopper.get(`v1/checkouts/${id}/widget`)).body['state']).toBe('paid');
  await counter.clock.advance(30 * 60_000);
  const endedReply = await counter.shopper.get(`v1/checkouts/${id}/widget`);
  // A paid checkout stays paid; only an unpaid one is reported as ended.
  expect([endedReply.body['state'], endedReply.body['amount']]).toEqual(['paid', undefined]);
  const unpaidId = await counter.checkout();
  await counter.clock.advance(30 * 60_000);
  expect((await counter.shopper.get(`v1/checkouts/${unpaidId}/widget`)).body['state']).toBe('ended');
});

test('a holder given by the shop is used with the account, and overwriting it is reported', async () => {
  const id = await counter.checkout({ 'card.holder': 'Jane Jones' });
  const { 'card.holder': _, ...noHolder } = card;
  expect(errorsOf(await counter.shopper.post(payPath(id), { ...noHolder, 'card.holder': 'Joe Jones' }))).toHaveProperty(
    ['card.holder'],
  );
  expect((await counter.shopper.post(payPath(id), noHolder)).body).toMatchObject({ card: { holder: 'Jane Jones' } });
});

test('detects an account number among the shop’s values once both are merged', async () => {
  const id = await counter.checkout({ merchantMemo: 'paid with 42000 000 00000 000' });
  const reply = await counter.shopper.post(payPath(id), card);
  expect(errorsOf(reply)).toEqual({ merchantMemo: 'must not hold the card number' });
  expect(detailOf(reply)).toBe('');
});

/** As the widget collects it. */
const browser: Parameters = {
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'de-AT',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.screenColorDepth': '24',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
  'customer.browser.challengeWindow': '5',
};

test('browser data require nothing of a checkout without a name and an address', async () => {
  const paidReply = await counter.shopper.post(payPath(await counter.checkout()), { ...card, ...browser });
  expect(paidReply).toMatchObject({ status: 200, code: OK });
  const few = await counter.shopper.post(payPath(await counter.checkout()), {
    ...card,
    'customer.browser.language': 'de',
  });
  expect(few).toMatchObject({ status: 200, code: OK });
  const reply = await counter.shop.post('v1/checkouts', { createRegistration: 'true' });
  const stored = await counter.shopper.post(`v1/checkouts/${idOf(reply)}/registration`, { ...card, ...browser });
  expect(stored.status, stored.text).toBe(200);
});

test('all other customer data still require the name', async () => {
  const id = await counter.checkout();
  const reply = await counter.shopper.post(payPath(id), { ...card, ...browser, 'customer.email': 'jane@example.com' });
  expect(errorsOf(reply)).toEqual({
    'customer.givenName': 'may not be empty when any other customer parameter is sent',
    'customer.surname': 'may not be empty when any other customer parameter is sent',
  });
});

test('refuses a malformed browser value by name', async () => {
  const reply = await counter.shopper.post(payPath(await counter.checkout()), {
    ...card,
    ...browser,
    'customer.browser.javaEnabled': 'perhaps',
  });
  expect(Object.keys(errorsOf(reply))).toEqual(['customer.browser.javaEnabled']);
});

test('the shop’s browser data take precedence, and a different value from the browser is no reason to refuse', async () => {
  const person = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
  const address = {
    'billing.street1': 'Main Street',
    'billing.city': 'Vienna',
    'billing.postcode': '1010',
    'billing.country': 'AT',
  };
  const shops = { ...browser, 'customer.browser.userAgent': 'Mozilla/5.0 (as the shop saw it)' };
  const id = await counter.checkout({ ...person, ...address, ...shops });
  const reply = await counter.shopper.post(payPath(id), { ...card, ...browser, 'customer.browser.screenWidth': '800' });
  expect(reply).toMatchObject({ status: 200, code: OK });
  // The shop's own browser data must be complete or absent.
  const asksForIt = { 'threeDSecure.challengeIndicator': '04' };
  const incompleteReply = await counter.shop.post('v1/checkouts', {
    ...order,
    'customer.browser.language': 'de',
    ...asksForIt,
  });
  expect(Object.keys(errorsOf(incompleteReply))).toContain('billing.street1');
});

test('a channel with 3-D Secure authenticates with the browser’s data and without an address', async () => {
  const authenticating = await openCounter({ channel: { threeDSecure: { enabled: true } } });
  const id = await authenticating.checkout({ shopperResultUrl });
  const enrolled = { ...card, 'card.number': '4200000000000091' };
  const started = await authenticating.shopper.post(payPath(id), { ...enrolled, ...browser });
  expect(started.status, started.text).toBe(200);
  expect([started.code, JSON.stringify(started.body['redirect'] ?? '')]).toEqual([
    '000.200.000',
    expect.stringContaining('threeDSecure'),
  ]);
  await authenticating.gateway.close();
  expect(authenticating.faults).toEqual([]);
});
