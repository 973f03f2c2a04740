/** A payment without an account: the error names what the brand needs, or says that this channel refuses the brand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entityId, type Parameters, type Reply } from '../../support/gateway/gateway.ts';
import { type Counter, openCounter, order, shopperResultUrl } from '../checkout/counter.ts';

let counter: Counter;
beforeAll(async () => {
  const brands = [
    { name: 'HOUSECARD', account: 'card' },
    { name: 'HOUSEWALLET', account: 'virtualAccount' },
  ] as const;
  counter = await openCounter({ channel: { brands } });
});
afterAll(async () => {
  await counter.gateway.close();
  expect(counter.faults).toEqual([]);
});

const messages = ({ body }: Reply): unknown => (body['result'] as { parameterErrors?: unknown }).parameterErrors;

const rows: readonly (readonly [brand: string, message: string | undefined])[] = [
  ['', 'card'],
  ['VISA', 'card'],
  ['HOUSECARD', 'card'],
  ['PAYPAL', 'virtualAccount'],
  ['HOUSEWALLET', 'virtualAccount'],
  ['DIRECTDEBIT_SEPA', 'bankAccount'],
  ['GIFTCARD', 'giftCard'],
  ['APPLEPAY', 'applePay'],
  ['KLARNA', undefined],
];

const senders: readonly (readonly [title: string, send: (parameters: Parameters) => Promise<Reply>])[] = [
  ['paid', (form) => counter.shop.post('v1/payments', { entityId, ...order, ...form })],
  ['stored', (form) => counter.shop.post('v1/registrations', form)],
  ['authenticated', (form) => counter.shop.post('v1/threeDSecure', { amount: '1.00', currency: 'EUR', ...form })],
  [
    'paid in a checkout',
    async (form) => counter.shopper.post(`v1/checkouts/${await counter.checkout()}/payment`, form),
  ],
];

test.each(senders)('%s', async (_, ask) => {
  for (const [paymentBrand, account] of rows) {
    const answer = await ask({ paymentBrand, shopperResultUrl });
    const body = messages(answer);
    const value = paymentBrand === '' ? null : paymentBrand;
    if (account === undefined) {
      expect([paymentBrand, answer.status, answer.code, body]).toEqual([paymentBrand, 400, '600.200.500', undefined]);
      expect(answer.text).toContain('The brand KLARNA is not accepted by this channel.');
    } else {
      const error = { name: 'paymentBrand', value, message: `${account} properties must be set` };
      expect([paymentBrand, answer.code, body]).toEqual([paymentBrand, '200.300.404', expect.arrayContaining([error])]);
    }
    expect(/card properties/.test(answer.text)).toBe(account === 'card');
  }
});
