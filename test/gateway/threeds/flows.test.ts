/** Every flow of 3-D Secure, from the request to the ending, with the public test cards. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { idOf } from '../../support/gateway/gateway.ts';
import type { Shop } from '../payments/gateway-in-memory.ts';
import {
  answer,
  browse,
  cardPayment,
  formOn,
  openSecuredShop,
  RETURN_URL,
  redirectOf,
  rightCode,
  secureOf,
  toBank,
} from './secured-shop.ts';

const OK = '000.100.110';
const pendingCode = '000.200.000';

let shop: Shop;
const faults: unknown[] = [];
const report = (error: unknown) => faults.push(error);
beforeEach(async () => {
  shop = await openSecuredShop({ report });
});
afterEach(async () => {
  await shop.gateway.close();
  expect(faults.splice(0)).toEqual([]);
});

test.each([
  ['4200000000000026', OK, { eci: '05', authenticationStatus: 'Y' }],
  ['4200000000000059', OK, { eci: '06', authenticationStatus: 'A' }],
  ['5200000000000056', OK, { eci: '02', authenticationStatus: 'Y' }],
  ['5200000000000106', OK, { eci: '01', authenticationStatus: 'A' }],
  ['375987000000062', OK, { eci: '05', authenticationStatus: 'Y' }],
  ['6250947000000089', OK, { eci: '02', authenticationStatus: 'Y' }],
  ['4012001037461114', '100.390.112', { authenticationStatus: 'U' }],
  ['4012001037141112', '100.390.110', { authenticationStatus: 'N', transactionStatusReason: '08' }],
])('%s ends at once with %s', async (number, code, secure) => {
  const reply = await shop.post('v1/payments', cardPayment(number));
  expect(reply).toMatchObject({ code, status: code === OK ? 200 : 400 });
  expect(secureOf(reply)).toMatchObject({ version: '2.2.0', ...secure });
  expect(reply.body).not.toHaveProperty('redirect');
  const { dsTransactionId, acsTransactionId, verificationId } = secureOf(reply);
  expect(dsTransactionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(acsTransactionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(verificationId?.length).toBe(code === OK ? 28 : undefined);
  // A later query returns the same answer.
  expect((await shop.get(`v1/payments/${idOf(reply)}`)).text).toBe(reply.text);
});

test.each([
  ['4532497088771651', '100.390.107', 'does not participate'],
  ['4200000000000000', '000.400.109', 'no range'],
])(
  '%s is in no range: refused with %s, or not authenticated if the channel allows it',
  async (number, code, reason) => {
    const reply = await shop.post('v1/payments', cardPayment(number));
    expect(reply).toMatchObject({ code, status: 400 });
    expect(JSON.stringify(reply.body['resultDetails'])).toContain(reason);
    const lenient = await openSecuredShop({ settings: { whenNotPossible: 'proceed' } });
    expect(await lenient.post('v1/payments', cardPayment(number))).toMatchObject({ code: OK });
    expect(await lenient.post('v1/payments', cardPayment('4012001037461114'))).toMatchObject({ code: OK });
    await lenient.gateway.close();
  },
);

test.each([
  [['2.1.0'], '2.1.0'],
  [['2.1.0', '2.2.0'], '2.2.0'],
] as const)('a channel with the versions %j authenticates with %s', async (versions, version) => {
  const named = await openSecuredShop({ settings: { versions: [...versions] } });
  expect(secureOf(await named.post('v1/payments', cardPayment('4200000000000026')))).toMatchObject({ version });
  await named.gateway.close();
});

test.each([
  ['4012001037141112', '07'],
  ['5457350076543210', '00'],
])('%s is unknown to its issuer: with proceed it continues as a card without authentication', async (number, eci) => {
  const lenient = await openSecuredShop({ settings: { whenNotPossible: 'proceed' } });
  const reply = await lenient.post('v1/payments', cardPayment(number));
  expect(reply).toMatchObject({ code: OK, body: { resultDetails: { '3ds.acsEci': eci } } });
  expect(secureOf(reply)).toMatchObject({ eci, authenticationStatus: 'N', transactionStatusReason: '08' });
  expect(secureOf(reply)).not.toHaveProperty('verificationId');
  await lenient.gateway.close();
});

test('status N for any other reason is refused, whatever the channel’s setting', async () => {
  const lenient = await openSecuredShop({ settings: { whenNotPossible: 'proceed' } });
  const deniedPayment = cardPayment('4111111111111111', { 'customParameters[3DS2_flow]': 'denied' });
  expect(await lenient.post('v1/payments', deniedPayment)).toMatchObject({ code: '100.380.401', status: 400 });
  const first = await lenient.post('v1/payments', cardPayment('4200000000000018'));
  await answer(lenient, await toBank(lenient, redirectOf(first).url), { choice: 'fail' });
  expect(await lenient.get(`v1/payments/${idOf(first)}`)).toMatchObject({ code: '100.380.401' });
  await lenient.gateway.close();
});

describe.each([
  ['with the method step', '4200000000000042'],
  ['without it', '4200000000000018'],
])('a challenge %s', (_, number) => {
  const startPayment = () => shop.post('v1/payments', cardPayment(number, { 'customParameters[order]': 'o-7' }));

  test.each([
    ['types the code', rightCode, OK, { authenticationStatus: 'Y', eci: '05', flow: 'challenge' }],
    ['fails the check', { choice: 'fail' }, '100.380.401', { authenticationStatus: 'N' }],
    ['cancels', { choice: 'cancel' }, '100.396.101', { authenticationStatus: 'N' }],
  ])('the cardholder %s', async (_says, form, code, secure) => {
    const first = await startPayment();
    expect(first).toMatchObject({ code: pendingCode, status: 200 });
    const { url, method, parameters } = redirectOf(first);
    expect({ method, parameters }).toEqual({ method: 'GET', parameters: [] });
    const page = await answer(shop, await toBank(shop, url), form);
    expect(page).toMatchObject({ status: 303 });
    const target = new URL(page.location ?? '');
    expect(page.location).toContain(`${RETURN_URL}&`);
    expect(target.searchParams.get('resourcePath')).toBe(`/v1/payments/${idOf(first)}`);
    const reply = await shop.get(target.searchParams.get('resourcePath')?.slice(1) ?? '');
    expect(reply).toMatchObject({ code });
    expect(secureOf(reply)).toMatchObject({ version: '2.2.0', ...secure });
    expect(reply.body).not.toHaveProperty('redirect');
  });
});

test('three wrong codes end it, and the page tells how many attempts are left', async () => {
  const first = await shop.post('v1/payments', cardPayment('5200000000000064'));
  const bank = await toBank(shop, redirectOf(first).url);
  const wrongCode = { choice: 'code', code: '0000' };
  expect((await browse(shop, bank.url, wrongCode)).html).toContain('2 more times');
  expect((await browse(shop, bank.url, wrongCode)).html).toContain('1 more time.');
  expect((await answer(shop, bank, wrongCode)).status).toBe(303);
  expect(await shop.get(`v1/payments/${idOf(first)}`)).toMatchObject({ code: '100.380.401' });
});

test('a frictionless card with the method step waits only for the browser, and announces the step beforehand', async () => {
  const first = await shop.post('v1/payments', cardPayment('4200000000000091'));
  expect(first.code).toBe(pendingCode);
  const [step] = redirectOf(first).preconditions;
  expect(step).toMatchObject({
    origin: 'iframe#hidden',
    url: 'https://shop.test/v1/simulators/acs/method',
    method: 'POST',
    waitUntil: 'iframe#onload',
  });
  // A widget takes the step itself; the frame posts on to the gateway.
  const [data] = step?.parameters ?? [];
  const frame = await browse(shop, step?.url ?? '', { [data?.name ?? '']: data?.value ?? '' });
  const completedPage = await browse(shop, formOn(frame, 'next').action, formOn(frame, 'next').fields);
  expect(completedPage.status).toBe(200);
  for (const each of [frame, completedPage]) {
    expect(each.headers.get('content-security-policy')).toContain('frame-ancestors *');
  }
  const page = await browse(shop, redirectOf(first).url);
  expect(page.html).not.toContain('<iframe');
  const returnPage = await browse(shop, formOn(page, 'device').action, formOn(page, 'device').fields);
  expect(returnPage.status).toBe(303);
  expect(secureOf(await shop.get(`v1/payments/${idOf(first)}`))).toMatchObject({ eci: '05', flow: 'frictionless' });
});

test('without browser data the gateway’s own page collects them', async () => {
  const withoutPerson = Object.fromEntries(
    Object.entries(cardPayment('4200000000000026')).filter(([name]) => !/^(customer|billing)/.test(name)),
  );
  const first = await shop.post('v1/payments', withoutPerson);
  expect(first.code).toBe(pendingCode);
  const page = await browse(shop, redirectOf(first).url);
  const returnPage = await browse(shop, formOn(page, 'device').action, formOn(page, 'device').fields);
  expect(returnPage.status).toBe(303);
  expect(await shop.get(`v1/payments/${idOf(first)}`)).toMatchObject({ code: OK });
  const { shopperResultUrl: _, ...withoutReturnUrl } = withoutPerson;
  const refusal = await shop.post('v1/payments', withoutReturnUrl);
  expect(refusal).toMatchObject({ code: '200.300.404', status: 400 });
  expect(refusal.text).toContain('shopperResultUrl, customer.browser.acceptHeader');
});

test.each([
  ['customParameters[3DS2_enrolled]', { 'customParameters[3DS2_enrolled]': 'true' }, pendingCode],
  ['customParameters[3DS2_flow]=frictionless', { 'customParameters[3DS2_flow]': 'frictionless' }, OK],
  ['customParameters[3DS2_flow]=challenge', { 'customParameters[3DS2_flow]': 'challenge' }, pendingCode],
  ['customParameters[3DS2_flow]=rejected', { 'customParameters[3DS2_flow]': 'rejected' }, '100.390.114'],
  ['customParameters[3DS2_flow]=denied', { 'customParameters[3DS2_flow]': 'denied' }, '100.380.401'],
])('a test can request a flow: %s', async (_, extra, code) => {
  expect(await shop.post('v1/payments', cardPayment('4111111111111111', extra))).toMatchObject({ code });
});

test('a challenge requested by the merchant takes place, and an exemption avoids one', async () => {
  const mandatedReply = await shop.post(
    'v1/payments',
    cardPayment('4200000000000026', { 'threeDSecure.challengeIndicator': '04' }),
  );
  expect(mandatedReply.code).toBe(pendingCode);
  await answer(shop, await toBank(shop, redirectOf(mandatedReply).url), rightCode);
  expect(secureOf(await shop.get(`v1/payments/${idOf(mandatedReply)}`))).toMatchObject({
    challengeIndicator: '04',
    challengeMandatedIndicator: 'Y',
    flow: 'challenge',
  });
  const exemption = { 'threeDSecure.challengeIndicator': '05', 'threeDSecure.exemptionFlag': '02' };
  const exemptedReply = await shop.post('v1/payments', cardPayment('4200000000000018', exemption));
  expect(exemptedReply.code).toBe(OK);
  expect(secureOf(exemptedReply)).toMatchObject({ authenticationStatus: 'I', eci: '07' });
});

test('a decoupled authentication is answered in the bank’s app, and the payment continues by itself', async () => {
  const first = await shop.post('v1/payments', cardPayment('4200000000000018', { 'threeDSecure.decoupled': 'true' }));
  expect(first.code).toBe(pendingCode);
  const waitingPage = await browse(shop, redirectOf(first).url);
  expect(waitingPage.html).toContain('Confirm in your banking app');
  const { SimulatedBankingApp: app = '' } = first.body['resultDetails'] as Record<string, string>;
  expect((await browse(shop, app)).html).toContain('Was this you?');
  expect(await browse(shop, app, { choice: 'approve' })).toMatchObject({ status: 200 });
  expect((await browse(shop, redirectOf(first).url)).status).toBe(303);
  const payment = await shop.gateway.store.payment(idOf(first));
  expect(payment).toMatchObject({ state: 'done', resultCode: OK });
  expect(secureOf(await shop.get(`v1/payments/${idOf(first)}`))).toMatchObject({ flow: 'decoupled', eci: '05' });
});

test.each([
  [
    'by the merchant without the cardholder (3RI)',
    { 'threeDSecure.channel': '3', 'threeDSecure.threeRIInd': 'RECURRING' },
  ],
  ['in an app', { 'threeDSecure.deviceInfo': 'eyJlbmMiOiJBMTI4R0NNIn0' }],
  ['of no payment', { 'threeDSecure.npa': 'true' }],
])('authentication %s', async (_, extra) => {
  const reply = await shop.post('v1/payments', cardPayment('4200000000000026', extra));
  expect(reply.code).toBe(OK);
  expect(secureOf(reply)).toMatchObject({ authenticationStatus: 'Y' });
});

test.each([
  ['proof from elsewhere', { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'A'.repeat(28) }],
  ['an order by telephone', { transactionCategory: 'MOTO' }],
  ['a credit', { paymentType: 'CD' }],
  [
    'a payment initiated by the merchant',
    {
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.source': 'MIT',
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.initialTransactionId': '000000000000042',
    },
  ],
])('no authentication takes place for %s', async (_, extra) => {
  const reply = await shop.post('v1/payments', cardPayment('4200000000000018', extra));
  expect(reply.code).toBe(OK);
  expect(secureOf(reply)['authenticationStatus']).toBeUndefined();
});

test('a stored card is authenticated like one that is sent', async () => {
  const { shopperResultUrl: _, ...card } = cardPayment('4200000000000018');
  const { amount: __, currency: ___, paymentType: ____, ...account } = card;
  const stored = await shop.post('v1/registrations', account);
  const {
    'card.number': _1,
    'card.expiryMonth': _2,
    'card.expiryYear': _3,
    'card.holder': _4,
    ...rest
  } = cardPayment('4200000000000018');
  const first = await shop.post(`v1/registrations/${idOf(stored)}/payments`, rest);
  expect(first.code).toBe(pendingCode);
  await answer(shop, await toBank(shop, redirectOf(first).url), rightCode);
  expect(await shop.get(`v1/payments/${idOf(first)}`)).toMatchObject({ code: OK });
});

test('every script that a page names exists, relative to that page', async () => {
  const first = await shop.post('v1/payments', cardPayment('4200000000000042'));
  const device = await browse(shop, redirectOf(first).url);
  const challenge = await browse(shop, formOn(device, 'device').action, formOn(device, 'device').fields);
  const bank = await browse(shop, formOn(challenge, 'next').action, formOn(challenge, 'next').fields);
  const finalPage = await browse(shop, bank.location ?? '', rightCode);
  const [step] = redirectOf(first).preconditions;
  const frame = await browse(shop, step?.url ?? '', { threeDSMethodData: step?.parameters[0]?.value ?? '' });
  for (const { html, url } of [device, challenge, finalPage, frame]) {
    const [, script = ''] = /<script src="([^"]*)"/.exec(html) ?? [];
    // The gateway may be served under a path: an address above that path would belong to another program.
    const page = new URL(url, 'https://shop.test').pathname;
    const { pathname } = new URL(script, `https://shop.test/under/a/path${page}`);
    expect(pathname).toMatch(/^\/under\/a\/path\/v1\/threeDSecure\/scripts\//);
    expect((await browse(shop, pathname.replace('/under/a/path', ''))).status).toBe(200);
  }
});
