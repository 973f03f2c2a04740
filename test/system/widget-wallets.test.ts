/**
 * Wallets in the widget. Debian's Chromium has neither, so the test simulates the browser's interface in the page; the
 * tokens are sealed and signed as the providers do it, and opened by the gateway's own keys.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settings as googlePay, googleToken } from '../gateway/wallets/google-seal.ts';
import { madeVector } from '../gateway/wallets/vectors.ts';
import { openShopRig, type ShopRig } from '../support/gateway/shop-rig.ts';
import { screenshot } from '../support/screens/browser.ts';

const created = madeVector('ec').inputs;

let rig: ShopRig;
beforeAll(async () => {
  const applePay = {
    merchantId: created.merchantId,
    keys: created.keys.map((privateKey) => ({ privateKey })),
    rootCertificates: [created.appleRootPem],
  };
  // The token was signed at that time, and is valid for minutes.
  rig = await openShopRig({ channel: { wallets: { applePay, googlePay } }, startMs: Number(created.now) });
});
afterAll(() => rig.close());

const order = { amount: '12.50', currency: 'EUR' };

/** Calls to the wallet's interface are recorded in `asked`. */
const appleStandIn = `ApplePaySession = class {
  static STATUS_SUCCESS = 0;
  static canMakePayments() { return true }
  constructor(version, request) { asked.push(request) }
  begin() { queueMicrotask(() => this.onvalidatemerchant({ validationURL: 'https://apple.example/validate' })) }
  completeMerchantValidation(session) {
    asked.push(session);
    this.onpaymentauthorized({ payment: { token: { paymentData: ${JSON.stringify(created.paymentData)} } } });
  }
  completePayment({ status }) { asked.push(status) }
};`;

const googleStandIn = (ready: boolean): string => `google = { payments: { api: { PaymentsClient: class {
  async isReadyToPay() { return { result: ${ready} } }
  async loadPaymentData(request) {
    asked.push(request.transactionInfo);
    if (asked.length === 1) throw { statusCode: 'CANCELED' };
    return { paymentMethodData: { tokenizationData: { token: ${JSON.stringify(JSON.stringify(googleToken()))} } } };
  }
} } } };`;

const pageWith = (id: string, script: string): string =>
  `<!doctype html><html lang="en"><title>Pay</title><main>
  <form action="${rig.shop}result" class="paymentWidgets" data-brands="APPLEPAY GOOGLEPAY VISA"></form>
  <script>asked = []; ${script}
    wpwlOptions = { locale: 'en', applePay: { onValidateMerchant: async (url) => ({ validated: url }) } };</script>
  <script src="${rig.gateway}v1/paymentWidgets.js?checkoutId=${id}"></script></main></html>`;

const open = async (script: string) => {
  const id = await rig.checkout(order);
  const shopper = await rig.pageOf(pageWith(id, script));
  await shopper.page.locator('.wpwl-container').waitFor();
  await shopper.page.locator('.wpwl-methods').waitFor();
  return { id, ...shopper };
};

test('Apple Pay, with a simulated ApplePaySession: a sealed token pays', async () => {
  const { id, page, lines } = await open(appleStandIn);
  await page.getByRole('radio', { name: 'Apple Pay' }).check();
  await screenshot(page, 'apple-pay');
  const paymentResponse = page.waitForResponse((response) => response.url().endsWith('/payment'));
  await page.getByRole('button', { name: 'Pay with Apple Pay' }).click();
  const requests = (await page.evaluate('asked').catch(() => [])) as readonly unknown[];
  expect((await paymentResponse).status()).toBe(200);
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  if (requests.length > 0)
    expect(requests[0]).toMatchObject({ currencyCode: 'EUR', total: { label: 'Nordwind', amount: '12.50' } });
  const payment = await rig.ask(`v1/checkouts/${id}/payment`);
  expect(payment).toMatchObject({
    paymentBrand: 'APPLEPAY',
    result: { code: '000.100.110' },
    card: { bin: '476173', last4Digits: '0010' },
  });
  expect(lines).toEqual([]);
  await page.context().close();
});

test('Google Pay, with a simulated google.payments.api: cancelled once, then a sealed token pays', async () => {
  const { id, page, lines } = await open(googleStandIn(true));
  await page.getByRole('radio', { name: 'Google Pay' }).check();
  const button = page.getByRole('button', { name: 'Pay with Google Pay' });
  await button.click();
  await page.waitForFunction('asked.length === 1');
  expect(await page.evaluate('asked')).toEqual([
    { totalPriceStatus: 'FINAL', totalPrice: '12.50', currencyCode: 'EUR' },
  ]);
  expect(await page.locator('.wpwl-message').isVisible()).toBe(false);
  await button.click();
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(await rig.ask(`v1/checkouts/${id}/payment`)).toMatchObject({
    paymentBrand: 'GOOGLEPAY',
    card: { bin: '476173', last4Digits: '0010' },
  });
  expect(lines).toEqual([]);
  await page.context().close();
});

test.each([
  ['has neither', ''],
  [
    'cannot pay with it',
    `${googleStandIn(false)} ApplePaySession = class { static canMakePayments() { return false } };`,
  ],
  [
    'throws when asked',
    `google = {}; ApplePaySession = class { static canMakePayments() { throw new Error('insecure') } };`,
  ],
])('no wallet is shown where the browser %s', async (_, script) => {
  const { page } = await open(script);
  expect(await page.locator('.wpwl-name').allTextContents()).toEqual(['Card']);
  expect(await page.getByText(/Apple|Google/).count()).toBe(0);
  await page.context().close();
});
