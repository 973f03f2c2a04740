/** The requirements of 3-D Secure for a request: they depend on the channel and the payment, not on browser data. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Parameters, Reply } from '../../support/gateway/gateway.ts';
import { openShop, type Shop } from '../payments/gateway-in-memory.ts';
import { cardPayment, openSecuredShop } from './secured-shop.ts';

let secured: Shop;
let plainShop: Shop;
beforeAll(async () => {
  secured = await openSecuredShop();
  plainShop = await openShop();
});
afterAll(async () => {
  await secured.gateway.close();
  await plainShop.gateway.close();
});

const namesIn = ({ body }: Reply): string[] => {
  const { parameterErrors = [] } = body['result'] as { parameterErrors?: { name: string }[] };
  return parameterErrors.map(({ name }) => name).sort();
};

const without = (pattern: RegExp, form: Parameters): Parameters =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !pattern.test(name)));

/** Sends some browser data, and no address. */
const withoutSome = (extra: Parameters = {}): Parameters =>
  without(/^billing|browser.(language|timezone)/, cardPayment('4200000000000026', extra));
const missingNames = [
  ...['billing.city', 'billing.country', 'billing.postcode', 'billing.street1'],
  ...['customer.browser.language', 'customer.browser.timezone'],
];

test('a channel without 3-D Secure requires nothing, whatever browser data are sent', async () => {
  expect(namesIn(await plainShop.post('v1/payments', withoutSome()))).toEqual([]);
});

test.each([
  ['threeDSecure.challengeIndicator', '04'],
  ['threeDSecure.authenticationInd', 'PAYMENT'],
  ['threeDSecure.deviceInfo', 'eyJlbmMiOiJBMTI4R0NNIn0'],
])('a request with %s is checked on any channel', async (name, value) => {
  for (const shop of [plainShop, secured]) {
    expect(namesIn(await shop.post('v1/payments', withoutSome({ [name]: value })))).toEqual(missingNames);
  }
});

test('a channel with 3-D Secure names the missing browser data, and the address', async () => {
  expect(namesIn(await secured.post('v1/payments', withoutSome()))).toEqual(missingNames);
  const checkout = { ...without(/^card/, withoutSome()) };
  expect(namesIn(await secured.post('v1/checkouts', checkout))).toEqual(missingNames);
});

test.each<[string, Parameters]>([
  ['an order by telephone', { transactionCategory: 'MOTO' }],
  ['an order by mail', { transactionCategory: 'MO' }],
  ['a credit', { paymentType: 'CD' }],
  ['proof from elsewhere', { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'A'.repeat(28) }],
  [
    'the merchant without the cardholder (3RI)',
    { 'threeDSecure.channel': '3', 'threeDSecure.threeRIInd': 'RECURRING' },
  ],
  [
    'a payment initiated by the merchant',
    {
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.source': 'MIT',
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.initialTransactionId': '000000000000042',
    },
  ],
])('requires nothing more for %s', async (_, extra) => {
  const reply = await secured.post('v1/payments', withoutSome(extra));
  expect([namesIn(reply), reply.status]).toEqual([[], 200]);
});

test('requires nothing more for an account that is not a card, and for a request without browser data', async () => {
  const bank = { paymentBrand: 'SOFORTUEBERWEISUNG' };
  expect(namesIn(await secured.post('v1/payments', { ...without(/^card/, withoutSome()), ...bank }))).toEqual([]);
  const withoutPerson = without(/^(billing|customer)/, cardPayment('4200000000000026'));
  expect(namesIn(await secured.post('v1/payments', withoutPerson))).toEqual([]);
});

test('requires the number of installments where the cardholder is authenticated', async () => {
  const installments = { 'standingInstruction.type': 'INSTALLMENT', 'standingInstruction.mode': 'INITIAL' };
  const form = cardPayment('4200000000000026', { ...installments, 'standingInstruction.source': 'CIT' });
  const number = 'standingInstruction.numberOfInstallments';
  expect(namesIn(await secured.post('v1/payments', form))).toEqual([number]);
  expect(namesIn(await plainShop.post('v1/payments', form))).toEqual([]);
  expect(namesIn(await secured.post('v1/payments', { ...form, [number]: '003' }))).toEqual([]);
});
