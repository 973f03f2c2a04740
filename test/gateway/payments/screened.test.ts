/**
 * Risk rules and address checks through the whole gateway: who is refused, with which code, and the answer's details.
 */
import { afterEach, expect, test } from 'vitest';
import type { Channel } from '../../../src/gateway/channel.ts';
import { type Parameters, payment, type TestGateway, testGateway } from '../../support/gateway/gateway.ts';
import { openShop } from './gateway-in-memory.ts';

let gateway: TestGateway | undefined;
afterEach(async () => {
  await gateway?.app.close();
  await gateway?.store.close();
});

const OK = '000.100.110';
const jane: Parameters = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.email': 'jane.jones@example.com',
  'customer.ip': '10.1.2.3',
};

type Risk = NonNullable<Channel['risk']>;
test.each<[string, Risk, Parameters, string]>([
  ['an amount within', { amountMax: '10.00' }, {}, OK],
  ['an amount beyond', { amountMax: '9.99' }, {}, '100.550.312'],
  ['a risk amount beyond', { amountMax: '10.00' }, { 'risk.amount': '10.01' }, '100.550.601'],
])('%s', async (_, risk, form, code) => {
  gateway = await testGateway({ channel: { risk } });
  const reply = await gateway.post('v1/payments', payment({ ...jane, ...form }));
  expect(reply).toMatchObject({ status: code === OK ? 200 : 400, code });
  expect((reply.body['risk'] as { score?: string }).score).toMatch(/^-?\d{1,5}$/);
  expect(gateway.acquirer.authorised).toHaveLength(code === OK ? 1 : 0);
});

test.each<[string, Risk]>([
  ['card', { deny: { bins: ['420000'] } }],
  ['e-mail', { deny: { emails: ['@example.com'] } }],
  ['address', { deny: { ips: ['10.0.0.0/8'] } }],
])('a denied %s is refused before the acquirer, with a message that does not contain it', async (_, risk) => {
  gateway = await testGateway({ channel: { risk } });
  const reply = await gateway.post('v1/payments', payment(jane));
  expect(reply.status).toBe(400);
  expect(gateway.acquirer.authorised).toEqual([]);
  const { ExtendedDescription } = reply.body['resultDetails'] as { ExtendedDescription: string };
  expect(ExtendedDescription).not.toMatch(/420000|example|10\.1/);
});

test('an allowed customer may do what others may not', async () => {
  gateway = await testGateway({
    channel: { risk: { amountMax: '1.00', allow: { emails: ['jane.jones@example.com'] } } },
  });
  expect((await gateway.post('v1/payments', payment(jane))).code).toBe(OK);
  expect((await gateway.post('v1/payments', payment({ ...jane, 'customer.email': 'x.y@example.com' }))).status).toBe(
    400,
  );
});

test('a card may make the allowed number of payments, stored or sent; a repeat does not count', async () => {
  gateway = await testGateway({ channel: { risk: { velocity: [{ per: 'card', withinMinutes: 60, most: 2 }] } } });
  const key = { 'idempotency-key': 'a-key' };
  const first = await gateway.post('v1/payments', payment({ createRegistration: 'true' }), key);
  for (let count = 0; count < 3; count += 1) {
    expect((await gateway.post('v1/payments', payment({ createRegistration: 'true' }), key)).text).toBe(first.text);
  }
  const charge = { amount: '1.00', currency: 'EUR', paymentType: 'DB' };
  const stored = `v1/registrations/${first.body['registrationId']}/payments`;
  expect((await gateway.post(stored, charge)).code).toBe(OK);
  expect((await gateway.post(stored, charge)).code).toBe('800.120.101');
  expect((await gateway.post('v1/payments', payment({ 'card.number': '4111111111111111' }))).code).toBe(OK);
  await gateway.clock.advance(3_600_001);
  expect((await gateway.post(stored, charge)).code).toBe(OK);
});

test('of two at once only one is the last allowed', async () => {
  gateway = await testGateway({ channel: { risk: { velocity: [{ per: 'card', withinMinutes: 60, most: 1 }] } } });
  const shop = gateway;
  const replies = await Promise.all([1, 2, 3].map(() => shop.post('v1/payments', payment())));
  expect(replies.map(({ code }) => code).sort()).toEqual([OK, '800.120.101', '800.120.101']);
});

test('without rules nothing is checked, and no score is returned', async () => {
  gateway = await testGateway();
  const reply = await gateway.post('v1/payments', payment({ ...jane, 'risk.channelId': '42' }));
  expect(reply.body['risk']).toEqual({ channelId: '42' });
});

test.each<[string, Parameters, string | undefined]>([
  ['both', { 'billing.street1': '1 Test Street', 'billing.postcode': '12345' }, 'F'],
  ['the street only', { 'billing.street1': '1 Test Street', 'billing.postcode': '54321' }, 'A'],
  ['the postcode only', { 'billing.street1': '2 Test Street', 'billing.postcode': '12345' }, 'Z'],
  ['neither', { 'billing.street1': '2 Test Street', 'billing.postcode': '54321' }, 'N'],
  ['nothing sent', {}, undefined],
])('the simulated issuer checks the address: %s', async (_, address, letter) => {
  const shop = await openShop();
  const form = payment({ 'card.number': '4111111111111111', ...address });
  const reply = await shop.post('v1/payments', form);
  expect(reply.code).toBe(OK);
  expect((reply.body['result'] as { avsResponse?: string }).avsResponse).toBe(letter);
  await shop.gateway.close();
});
