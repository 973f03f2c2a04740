/** A payment with a wallet's token, from the request to the acquirer and the stored data. */
import { describe, expect, test } from 'vitest';
import type { Channel } from '../../../src/gateway/channel.ts';
import { idOf, type Parameters, type Reply, type TestGateway, testGateway } from '../../support/gateway/gateway.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { deviceCard, now as googleNow, settings as googlePay, googleToken } from './google-seal.ts';
import { appleVector, madeVector, samsungVector } from './vectors.ts';

const real = appleVector('bt-ec-new').inputs;
const created = madeVector('ec').inputs;

const applePay = {
  merchantId: created.merchantId,
  keys: created.keys.map((privateKey) => ({ privateKey })),
  rootCertificates: [created.appleRootPem],
};

const shop = (wallets: Channel['wallets'], at: number, extra: Partial<Channel> = {}) =>
  testGateway({ clock: virtualClock(at), channel: { wallets, ...extra } });

const apple: Parameters = {
  amount: '12.50',
  currency: 'EUR',
  paymentType: 'DB',
  'applePay.paymentToken': JSON.stringify(created.paymentData),
};

const errorsOf = ({ body }: Reply): unknown => (body['result'] as Record<string, unknown>)['parameterErrors'];
const pay = (gateway: TestGateway, form: Parameters, headers?: Parameters) =>
  gateway.post('v1/payments', form, headers);
const appleShop = () => shop({ applePay }, Number(created.now));

describe('the acquirer’s request', () => {
  test('Apple’s own token: the device’s number, its cryptogram and the indicator', async () => {
    const keys = [{ privateKey: real.merchantPrivateKeyPem, certificate: real.merchantCertificatePem }];
    const gateway = await shop({ applePay: { merchantId: 'merchant.basistheory.sales', keys } }, Number(real.now));
    const reply = await pay(gateway, {
      amount: '1.00',
      currency: 'USD',
      paymentType: 'PA',
      'applePay.paymentToken': JSON.stringify(real.paymentData),
      'applePay.cardNetwork': 'Visa',
    });
    expect(reply.code).toBe('000.100.110');
    expect(gateway.acquirer.authorised).toHaveLength(1);
    const [authorisation] = gateway.acquirer.authorised;
    expect(authorisation).toMatchObject({
      account: 'applePay',
      paymentBrand: 'APPLEPAY',
      card: { number: '4784000000380075', expiryMonth: '02', expiryYear: '2029' },
      parameters: {
        'threeDSecure.verificationId': '/x2gvNsADhptD1JXWRhcMAACAAA=',
        'threeDSecure.eci': '07',
        'applePay.source': 'web',
      },
    });
    expect(authorisation?.parameters).not.toHaveProperty('applePay.paymentToken');
    // The brand is that of its number, whatever the wallet says.
    expect(reply.body).toMatchObject({ paymentBrand: 'APPLEPAY', brandResult: 'VISA' });
    expect(reply.body['card']).toEqual({
      bin: '478400',
      last4Digits: '0075',
      expiryMonth: '02',
      expiryYear: '2029',
    });
    expect(reply.text).not.toMatch(/4784000000380075|x2gvNsADhptD1JXWRhcMAACAAA/);
  });

  test('Google’s card of the device', async () => {
    const gateway = await shop({ googlePay }, googleNow);
    const { 'applePay.paymentToken': _, ...rest } = apple;
    const google = { ...rest, 'googlePay.paymentToken': JSON.stringify(googleToken()) };
    expect((await pay(gateway, google)).code).toBe('000.100.110');
    expect(gateway.acquirer.authorised[0]).toMatchObject({
      account: 'googlePay',
      card: { number: '4761739001010010', expiryMonth: '01', expiryYear: '2031' },
      parameters: { 'threeDSecure.verificationId': 'AK+zkbPMCORcABCD3AGRAoACFA==', 'threeDSecure.eci': '05' },
    });
  });

  test('Google’s card on file: a card without a cryptogram', async () => {
    const details = { ...deviceCard.paymentMethodDetails, authMethod: 'PAN_ONLY' };
    const token = googleToken({ message: { ...deviceCard, paymentMethodDetails: details } });
    const gateway = await shop({ googlePay }, googleNow);
    const { 'applePay.paymentToken': _, ...rest } = apple;
    await pay(gateway, { ...rest, 'googlePay.paymentToken': JSON.stringify(token) });
    const [authorisation] = gateway.acquirer.authorised;
    expect(authorisation?.card?.number).toBe('4761739001010010');
    expect(Object.keys(authorisation?.parameters ?? {}).filter((name) => name.startsWith('threeDSecure'))).toEqual([]);
  });

  test('Samsung’s credential', async () => {
    const { token, privateKeys } = samsungVector('RSA1_5-A128GCM').inputs;
    const gateway = await shop({ samsungPay: { privateKeys } }, googleNow);
    const { 'applePay.paymentToken': _, ...rest } = apple;
    expect((await pay(gateway, { ...rest, 'samsungPay.paymentToken': token })).code).toBe('000.100.110');
    expect(gateway.acquirer.authorised[0]?.card?.number).toBe('4761739001010010');
  });

  test('a channel without keys passes the token on unchanged, to be simulated', async () => {
    const gateway = await shop(undefined, Number(created.now));
    await pay(gateway, apple);
    const [authorisation] = gateway.acquirer.authorised;
    expect(authorisation?.card).toBeUndefined();
    expect(authorisation?.parameters['applePay.paymentToken']).toBe(apple['applePay.paymentToken']);
  });

  test('keys for one wallet do not work for another', async () => {
    const gateway = await shop({ googlePay }, Number(created.now));
    await pay(gateway, apple);
    expect(gateway.acquirer.authorised[0]?.card).toBeUndefined();
  });
});

describe('a token pays once', () => {
  test('a repeat of the request gets the first answer, with any key', async () => {
    const gateway = await appleShop();
    const first = await pay(gateway, apple);
    const repeatReply = await pay(gateway, apple);
    const keyedReply = await pay(gateway, apple, { 'Idempotency-Key': 'another' });
    expect([idOf(repeatReply), idOf(keyedReply)]).toEqual([idOf(first), idOf(first)]);
    expect(repeatReply.text).toBe(first.text);
    expect(gateway.acquirer.authorised).toHaveLength(1);
  });

  test('another request with the same token is refused, and names the payment that used it', async () => {
    const gateway = await appleShop();
    const first = await pay(gateway, apple);
    const second = await pay(gateway, { ...apple, merchantTransactionId: 'order-43' });
    expect(second.code).toBe('800.110.100');
    expect(second.text).toContain(idOf(first));
    expect(gateway.acquirer.authorised).toHaveLength(1);
  });

  test('two at the same moment are one payment', async () => {
    const gateway = await appleShop();
    const replies = await Promise.all(
      [1, 2, 3, 4].map((n) => pay(gateway, { ...apple, merchantInvoiceId: `invoice-${n}` })),
    );
    expect(gateway.acquirer.authorised).toHaveLength(1);
    expect(replies.map(({ code }) => code).sort()).toEqual(['000.100.110', ...Array(3).fill('800.110.100')]);
  });

  test('a repeat is recognised after the token has expired; a new request is refused', async () => {
    const gateway = await appleShop();
    const first = await pay(gateway, apple);
    await gateway.clock.advance(3_600_000);
    expect(idOf(await pay(gateway, apple))).toBe(idOf(first));
    const lateGateway = await appleShop();
    await lateGateway.clock.advance(3_600_000);
    const refusal = await pay(lateGateway, apple);
    expect(refusal.code).toBe('200.300.404');
    expect(errorsOf(refusal)).toEqual([
      {
        name: 'applePay.paymentToken',
        value: '****',
        message: 'is not accepted: it was signed more than 300000 ms ago',
      },
    ]);
    expect(lateGateway.acquirer.authorised).toEqual([]);
  });

  test('a request that never reached the acquirer leaves the token free', async () => {
    const gateway = await appleShop();
    gateway.acquirer.next({ lostPart: 'request' });
    const reply = await pay(gateway, apple);
    expect(reply.code).toBe('100.396.103');
    const repeatReply = await pay(gateway, apple);
    expect(repeatReply.code).toBe('000.100.110');
    expect(idOf(repeatReply)).not.toBe(idOf(reply));
  });

  test('a refused token may be sent again with a corrected request', async () => {
    const gateway = await appleShop();
    expect((await pay(gateway, { ...apple, amount: '12.51' })).code).toBe('200.300.404');
    expect((await pay(gateway, apple)).code).toBe('000.100.110');
  });
});

describe('refusals by name', () => {
  const cases: readonly (readonly [title: string, changes: Parameters, name: string, message: RegExp])[] = [
    ['more than was approved', { amount: '12.51' }, 'amount', /differs from 12\.50 EUR/],
    ['less than was approved', { amount: '1.25' }, 'amount', /differs from 12\.50 EUR/],
    ['another currency', { currency: 'USD' }, 'currency', /differs from EUR/],
    ['no JSON', { 'applePay.paymentToken': 'x' }, 'applePay.paymentToken', /it is not JSON/],
    [
      'Apple’s token under our root',
      { 'applePay.paymentToken': JSON.stringify(real.paymentData) },
      'applePay.paymentToken',
      /its signature’s chain does not end at a trusted root/,
    ],
    [
      'a simulated token',
      { 'applePay.paymentToken': '{"version":"EC_v1","data":"c2ltdWxhdGVkOnZpc2EtY3JlZGl0"}' },
      'applePay.paymentToken',
      /signature is missing or malformed/,
    ],
    [
      'the card’s number in another place',
      { merchantTransactionId: 'order 47617 390 01010 010' },
      'merchantTransactionId',
      /must not hold the card number/,
    ],
  ];
  test.each(cases)('%s', async (_, changes, name, message) => {
    const gateway = await appleShop();
    const reply = await pay(gateway, { ...apple, ...changes });
    expect(reply.status).toBe(400);
    expect(reply.code).toBe('200.300.404');
    expect(errorsOf(reply)).toEqual([expect.objectContaining({ name, message: expect.stringMatching(message) })]);
    expect(reply.text).not.toMatch(/4761739001010010/);
    expect(gateway.acquirer.authorised).toEqual([]);
    expect(gateway.reported).toEqual([]);
  });

  test('with a key the refusal is stored, too', async () => {
    const gateway = await appleShop();
    const headers = { 'Idempotency-Key': 'k1' };
    const wrongAmount = { ...apple, amount: '12.51' };
    const first = await pay(gateway, wrongAmount, headers);
    expect((await pay(gateway, wrongAmount, headers)).text).toBe(first.text);
    expect((await pay(gateway, apple, headers)).code).toBe('800.110.100');
  });

  test('a brand that is not the number’s, and an expired card', async () => {
    const gateway = await appleShop();
    expect((await pay(gateway, { ...apple, paymentBrand: 'MASTER' })).code).toBe('100.100.700');
    const lateGateway = await shop({ applePay: { ...applePay, maxAgeMs: 1e12 } }, Date.UTC(2032, 1, 1));
    expect((await pay(lateGateway, apple)).code).toBe('100.100.303');
  });
});

test('a card decrypted by the merchant is processed in the same way, with its source', async () => {
  const gateway = await appleShop();
  const { 'applePay.paymentToken': _, ...rest } = apple;
  const decrypted = {
    ...rest,
    'card.number': '4761739001010010',
    'card.expiryMonth': '12',
    'card.expiryYear': '2031',
    'threeDSecure.verificationId': 'AK+zkbPMCORcABCD3AGRAoACFA==',
    'threeDSecure.eci': '05',
    'applePay.source': 'app',
  };
  const reply = await pay(gateway, decrypted);
  expect(reply.code).toBe('000.100.110');
  expect(reply.body['applePay']).toEqual({ source: 'app' });
  expect(gateway.acquirer.authorised[0]).toMatchObject({ account: 'applePay', card: { number: '4761739001010010' } });
  const { 'threeDSecure.eci': __, ...without } = decrypted;
  expect(errorsOf(await pay(gateway, without))).toEqual([
    expect.objectContaining({ name: 'threeDSecure.eci', message: expect.stringMatching(/decrypted wallet/) }),
  ]);
});
