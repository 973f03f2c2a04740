/** What a browser, or somebody who pretends to be one, can send to the 3-D Secure pages: none of it moves money. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createVerificationValue, verify } from '../../../src/gateway/acquirers/simulator/verification-value.ts';
import { decodeMessage, encodeMessage } from '../../../src/gateway/threeds/messages.ts';
import { idOf, type Reply } from '../../support/gateway/gateway.ts';
import type { Shop } from '../payments/gateway-in-memory.ts';
import {
  answer,
  browse,
  cardPayment,
  formOn,
  openSecuredShop,
  redirectOf,
  rightCode,
  type SeenAnswer,
  secureOf,
  toBank,
} from './secured-shop.ts';

const pendingCode = '000.200.000';

let shop: Shop;
beforeEach(async () => {
  shop = await openSecuredShop();
});
afterEach(() => shop.gateway.close());

const startChallenge = (extra = {}) => shop.post('v1/payments', cardPayment('4200000000000018', extra));
const codeOf = async (reply: Reply) => (await shop.get(`v1/payments/${idOf(reply)}`)).code;
const notification = (id: string) => `/v1/threeDSecure/notification/${id}`;

/** The CReq of the page that sends the shopper to the bank. */
const creqOf = async (first: Reply) => {
  const page = await browse(shop, redirectOf(first).url);
  return decodeMessage(formOn(page, 'next').fields['creq'] ?? '') ?? {};
};
const cresOf = async (first: Reply, transStatus = 'Y') =>
  encodeMessage({ ...(await creqOf(first)), messageType: 'CRes', transStatus });

test('a forged CRes that approves is not believed: the bank is asked, and has not decided', async () => {
  const first = await startChallenge();
  const receivedPage = await browse(shop, notification(idOf(first)), { cres: await cresOf(first) });
  expect(receivedPage).toMatchObject({ status: 409, location: null });
  expect(await codeOf(first)).toBe(pendingCode);
  await answer(shop, await toBank(shop, redirectOf(first).url), { choice: 'fail' });
  await browse(shop, notification(idOf(first)), { cres: await cresOf(first).catch(() => '') });
  expect(await codeOf(first)).toBe('100.380.401');
});

test('a CRes of another payment is refused by name, in both directions', async () => {
  const [ownReply, other] = [await startChallenge(), await startChallenge()];
  const cres = await cresOf(other);
  await answer(shop, await toBank(shop, redirectOf(other).url), rightCode);
  expect(await codeOf(other)).toBe('000.100.110');
  expect((await browse(shop, notification(idOf(ownReply)), { cres })).status).toBe(400);
  expect(await codeOf(ownReply)).toBe(pendingCode);
});

test('a repeated CRes and a repeated answer change nothing', async () => {
  const first = await startChallenge();
  const cres = await cresOf(first);
  const bank = await toBank(shop, redirectOf(first).url);
  const page = await answer(shop, bank, rightCode);
  const reply = await shop.get(`v1/payments/${idOf(first)}`);
  expect(await browse(shop, notification(idOf(first)), { cres })).toMatchObject({
    status: 303,
    location: page.location,
  });
  await answer(shop, bank, { choice: 'cancel' });
  await browse(shop, redirectOf(first).url);
  expect((await shop.get(`v1/payments/${idOf(first)}`)).text).toBe(reply.text);
});

test.each([
  ['nothing', ''],
  ['no base64', '<script>'],
  ['no JSON', Buffer.from('{').toString('base64url')],
  ['a list', encodeMessage([1, 2])],
  ['another message', encodeMessage({ messageType: 'CReq' })],
  ['a giant', 'A'.repeat(10_000)],
  ['too long', 'A'.repeat(100_000)],
])('refuses a CRes that is %s', async (_, cres) => {
  const first = await startChallenge();
  const receivedPage = await browse(shop, notification(idOf(first)), { cres });
  expect([400, 413]).toContain(receivedPage.status);
  expect(await codeOf(first)).toBe(pendingCode);
});

test('a tampered method step is refused, and leads nowhere else', async () => {
  const first = await shop.post('v1/payments', cardPayment('4200000000000042'));
  const [step] = redirectOf(first).preconditions;
  const data = decodeMessage(step?.parameters[0]?.value ?? '') ?? {};
  const post = (change: Record<string, string>): Promise<SeenAnswer> =>
    browse(shop, step?.url ?? '', { threeDSMethodData: encodeMessage({ ...data, ...change }) });
  for (const url of ['https://evil.test/steal', 'javascript:alert(1)', '//evil.test/x', '']) {
    const frame = await post({ threeDSMethodNotificationURL: url });
    if (frame.status === 200)
      expect(formOn(frame, 'next').action).toMatch(/^(\.\.\/){3}v1\/threeDSecure\/method\/[\w-]+$/);
    expect(frame.html).not.toContain('evil.test');
    expect(frame.html).not.toContain('javascript:');
  }
  const other = encodeMessage({ threeDSServerTransID: '00000000-0000-4000-8000-000000000000' });
  const notificationPath = `/v1/threeDSecure/method/${idOf(first)}`;
  const refusedPage = await browse(shop, notificationPath, { threeDSMethodData: other });
  expect(refusedPage.status).toBe(400);
  expect(isShownInFrame(refusedPage)).toBe(true);
  expect((await browse(shop, notificationPath)).status).toBe(405);
});

/** With another policy the browser would report the gateway in the shop's own page. */
const isShownInFrame = ({ headers }: SeenAnswer): boolean =>
  (headers.get('content-security-policy') ?? '').includes('frame-ancestors *');

test('a method step repeated after the bank is answered and changes nothing', async () => {
  const first = await shop.post('v1/payments', cardPayment('4200000000000042'));
  const [step] = redirectOf(first).preconditions;
  const takeStep = async (): Promise<SeenAnswer> => {
    const method = await browse(shop, step?.url ?? '', { threeDSMethodData: step?.parameters[0]?.value ?? '' });
    const { action, fields } = formOn(method, 'next');
    return browse(shop, action, fields);
  };
  expect((await takeStep()).status).toBe(200);
  await toBank(shop, redirectOf(first).url);
  const before = await shop.get(`v1/payments/${idOf(first)}`);
  const repeatPage = await takeStep();
  expect(repeatPage.status).toBe(200);
  expect(isShownInFrame(repeatPage)).toBe(true);
  expect((await shop.get(`v1/payments/${idOf(first)}`)).text).toBe(before.text);
});

test('another site’s form decides nothing at the bank', async () => {
  const first = await startChallenge();
  const bank = await toBank(shop, redirectOf(first).url);
  const receivedPage = await browse(shop, bank.url, rightCode, { 'sec-fetch-site': 'cross-site' });
  expect(receivedPage.html).toContain('Code from your bank');
  expect(await codeOf(first)).toBe(pendingCode);
});

test.each(['javascript:alert(1)//xxxx', 'data:text/html,x', 'merchant.test/thanks', 'https:///'])(
  'no shopper is sent to %s',
  async (shopperResultUrl) => {
    const reply = await startChallenge({ shopperResultUrl });
    expect(reply.code).toBe('200.300.404');
  },
);

test('a shop’s name and address cannot break out of the pages', async () => {
  const hostileText = `"><script>alert(1)</script><img src=x onerror='x'>`;
  const first = await startChallenge({
    'merchant.name': hostileText,
    'threeDSecure.merchant.name': hostileText,
    shopperResultUrl: `https://merchant.test/?"><script>alert(2)</script>`,
  });
  expect(first.code).toBe(pendingCode);
  const page = await browse(shop, redirectOf(first).url);
  const bank = await toBank(shop, redirectOf(first).url);
  for (const { html, headers } of [page, bank]) {
    expect(html).not.toMatch(/<script>|<img|onerror='/);
    expect(html).toContain('&lt;script&gt;');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
  }
  const returnPage = await answer(shop, bank, rightCode);
  expect(returnPage.location).not.toMatch(/[<>"\r\n]/);
});

test('unknown payments are not found, and unsupported methods are refused', async () => {
  for (const path of ['execute', 'notification', 'results']) {
    const receivedPage = await browse(shop, `/v1/threeDSecure/${path}/${'f'.repeat(32)}`, { cres: '' });
    expect(receivedPage.status).toBe(404);
  }
  const transaction = '00000000-0000-4000-8000-000000000000';
  expect((await browse(shop, `/v1/simulators/acs/challenge/${transaction}`)).status).toBe(404);
  expect((await browse(shop, `/v1/simulators/acs/app/${transaction}`)).status).toBe(404);
  const creq = encodeMessage({ messageType: 'CReq', threeDSServerTransID: transaction, acsTransID: transaction });
  expect((await browse(shop, '/v1/simulators/acs/challenge', { creq })).status).toBe(400);
});

test('the issuer detects a value made for another card, or an invented one; one from elsewhere passes', async () => {
  const authenticatedReply = await shop.post('v1/payments', cardPayment('4200000000000026'));
  const { verificationId = '', dsTransactionId = '', eci = '' } = secureOf(authenticatedReply);
  expect(authenticatedReply.body['resultDetails']).toMatchObject({ CavvResultCode: '2', '3ds.acsEci': '05' });
  const external = { 'threeDSecure.eci': eci, 'threeDSecure.dsTransactionId': dsTransactionId };
  const pay = (number: string, value: string) =>
    shop.post('v1/payments', cardPayment(number, { ...external, 'threeDSecure.verificationId': value }));
  expect(await pay('4200000000000026', verificationId)).toMatchObject({ code: '000.100.110' });
  expect(await pay('4200000000000018', verificationId)).toMatchObject({ code: '800.100.158', status: 400 });
  const bytes = Buffer.from(verificationId, 'base64');
  bytes[19] = (bytes[19] ?? 0) ^ 1;
  const forgedReply = await pay('4200000000000026', bytes.toString('base64'));
  expect(forgedReply).toMatchObject({ code: '800.100.158' });
  expect(forgedReply.body['resultDetails']).toMatchObject({ CavvResultCode: '1' });
  expect((await pay('4200000000000026', 'jKl8CBIAAAAAAAAAAAAAAAAAAAA=')).code).toBe('000.100.110');
  const of = { number: '4200000000000026', dsTransID: dsTransactionId };
  const created = createVerificationValue({ ...of, status: 'Y', random: (length) => new Uint8Array(length) });
  expect(created).toHaveLength(28);
  expect(verify({ ...of, verificationId: created })).toBe('genuine');
  expect(verify({ ...of, dsTransID: undefined, verificationId: created })).toBe('forged');
});
