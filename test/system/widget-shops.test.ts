/** What shops use the widget for beyond a plain payment, on a phone: each use once, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardFrame, openShopRig, pay, reload, type ShopRig, typeCard } from '../support/gateway/shop-rig.ts';
import { screenshot } from '../support/screens/browser.ts';

const FRICTIONLESS = '4200000000000091';
const CHALLENGE = '4200000000000042';
const MINUTE = 60_000;
const phone = { viewport: { width: 360, height: 740 } };

let rig: ShopRig;
beforeAll(async () => {
  rig = await openShopRig();
});
afterAll(() => rig.close());

type Written = { brands?: string; options?: object; action?: string; part?: string };

const form = (brands: string, action = 'result'): string =>
  `<form action="${rig.shop}${action}" class="paymentWidgets" data-brands="${brands}"></form>`;

const pageWith = (id: string, { brands = 'VISA MASTER', options = {}, action, part = '' }: Written = {}) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Pay</title>
  <style>:root { color-scheme: light dark; font-family: system-ui }</style><main>
  ${brands
    .split('|')
    .map((each) => form(each, action))
    .join('\n')}
  <script>wpwlOptions = ${JSON.stringify({ locale: 'en', ...options })}</script>
  <script src="${rig.gateway}v1/paymentWidgets.js?checkoutId=${id}${part}"></script></main></html>`;

const open = async (written: Written, parameters: Parameters<ShopRig['checkout']>[0] = {}) => {
  const id = await rig.checkout(parameters);
  const shopper = await rig.pageOf(pageWith(id, written), '', phone);
  await shopper.page.locator('.wpwl-container').first().waitFor();
  return { id, ...shopper };
};

test('a shop that redirects to another of its hosts gets its shopper back from bank and challenge', async () => {
  const bank = await open({ brands: 'SOFORTUEBERWEISUNG', action: 'onward' });
  await pay(bank.page);
  await bank.page.getByRole('button', { name: 'Yes, pay' }).click();
  await bank.page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(new URL(bank.page.url()).hostname).toBe('localhost');
  const challenge = await open({ action: 'onward' });
  await typeCard(challenge.page, CHALLENGE);
  await pay(challenge.page);
  await challenge.page.getByLabel('Code from your bank').fill('1234');
  await challenge.page.getByRole('button', { name: 'Confirm' }).click();
  await challenge.page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect([...bank.lines, ...challenge.lines]).toEqual([]);
  await bank.page.context().close();
  await challenge.page.context().close();
});

describe('the ways to pay', () => {
  test('storing a card, without a payment', async () => {
    const registering = { amount: undefined, currency: undefined, paymentType: undefined, createRegistration: 'true' };
    const { id, page, lines } = await open(
      { part: '/registration', options: { locale: 'de' }, action: 'other' },
      registering,
    );
    await typeCard(page, FRICTIONLESS);
    await screenshot(page, 'phone-registration');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.waitForURL(/resourcePath=%2Fv1%2Fcheckouts%2F[\w.-]+%2Fregistration$/);
    expect(await rig.ask(`v1/checkouts/${id}/registration`)).toMatchObject({ card: { last4Digits: '0091' } });
    expect(lines).toEqual([]);
    await page.context().close();
  });

  test('a stored card, with its security code', async () => {
    const first = await rig.toPay({ flow: 'stored' });
    await typeCard(first.page, FRICTIONLESS);
    await first.page.getByLabel('Remember this card for next time').check();
    await pay(first.page);
    await first.page.getByRole('heading', { name: 'Paid' }).waitFor();
    const stored = (await first.page.context().cookies()).find(({ name }) => name === 'stored')?.value ?? '';
    await first.page.context().close();
    const options = { locale: 'ar', registrations: { requireCvv: true, hideInitialPaymentForms: true } };
    const { page } = await open({ options }, { 'registrations[0].id': stored });
    const frame = await cardFrame(page);
    await pay(page);
    await frame.locator('[aria-invalid]').waitFor();
    await screenshot(page, 'phone-stored-code-arabic');
    expect(await page.locator('.wpwl-name').textContent()).toContain('\u20680091\u2069');
    await frame.locator('.wpwl-control-cvv').fill('123');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });

  test('a gift card, after a missing PIN', async () => {
    const { page } = await open({ brands: 'GIFTCARD', options: { locale: 'ja' } });
    await page.locator('.wpwl-control-giftCardNumber').fill('9900000000001000');
    await pay(page);
    await page.locator('.wpwl-group-giftCardPin .wpwl-error', { hasText: 'PIN' }).waitFor();
    await screenshot(page, 'phone-gift-card-japanese');
    await page.locator('.wpwl-control-giftCardPin').fill('1000');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });

  test('a future bank transfer, registered by an authorisation', async () => {
    const { id, page } = await open({ brands: 'PREPAYMENT', options: { locale: 'de' } }, { paymentType: 'PA' });
    await page.getByLabel('Kontoinhaber').fill('Jane Jones');
    await screenshot(page, 'phone-prepayment-german');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await rig.ask(`v1/checkouts/${id}/payment`)).toMatchObject({
      paymentBrand: 'PREPAYMENT',
      paymentType: 'PA',
    });
    await page.context().close();
  });
});

describe('the shop wants', () => {
  test('two forms: each is a widget with its own ways to pay', async () => {
    const { page, lines } = await open({ brands: 'VISA MASTER|PAYPAL' });
    await cardFrame(page);
    expect(await page.locator('.wpwl-container').count()).toBe(2);
    await screenshot(page, 'phone-two-forms');
    const second = page.locator('.wpwl-container').nth(1);
    await second.locator('.wpwl-control-accountId').fill('jane@example.com');
    await second.locator('.wpwl-button-pay').click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(lines).toEqual([]);
    await page.context().close();
  });

  test('a billing address, and a final check before the payment', async () => {
    const options = { billingAddress: { country: 'DE' }, mandatoryBillingFields: ['city'], useSummaryPage: true };
    const { page } = await open({ brands: 'PAYPAL', options });
    await page.locator('.wpwl-control-accountId').fill('jane@example.com');
    await pay(page);
    await page.locator('.wpwl-group-city .wpwl-error', { hasText: 'Fill in this field' }).waitFor();
    await screenshot(page, 'phone-billing');
    await page.getByLabel('City').fill('Kiel');
    await pay(page);
    await page.getByText('Review: PayPal').waitFor();
    await screenshot(page, 'phone-summary');
    await page.getByRole('button', { name: 'Back' }).click();
    await pay(page);
    await page.getByText('Review: PayPal').waitFor();
    await page.locator('.wpwl-instead').getByRole('button', { name: 'Pay €12.90' }).click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });
});

test('a checkout that expires during typing says so, and nothing is charged', async () => {
  const { id, page } = await open({ options: { locale: 'de' } });
  await typeCard(page, FRICTIONLESS);
  rig.advance(31 * MINUTE);
  await pay(page);
  await page.getByText('Diese Zahlungsseite ist abgelaufen. Es wurde nichts abgebucht.').waitFor();
  await screenshot(page, 'phone-expired-german');
  expect(await rig.ask(`v1/checkouts/${id}/payment`)).toMatchObject({ result: { code: '200.300.404' } });
  await page.reload();
  await page.getByText('Diese Zahlungsseite ist abgelaufen.').waitFor();
  await page.getByRole('button', { name: 'Zurück' }).click();
  await page.getByRole('heading', { name: 'Not paid' }).waitFor();
  await page.context().close();
});

describe('the gateway is silent', () => {
  test('when the page opens: the shopper retries', async () => {
    const id = await rig.checkout();
    const { page } = await rig.pageOf('<!doctype html><title>Pay</title>', '', phone);
    await page.route('**/widget', (route) => route.abort());
    await page.setContent(pageWith(id));
    await page.getByText('No connection to the payment gateway.').waitFor();
    await screenshot(page, 'phone-offline');
    expect(await page.getByRole('button', { name: 'Check again' }).count()).toBe(1);
    await page.context().close();
  });

  test('before the payment reached it: nothing was charged, and the same page pays', async () => {
    const { page } = await open({});
    await typeCard(page, FRICTIONLESS);
    await page.route('**/payment', (route) => route.abort());
    await pay(page);
    await page.locator('.wpwl-message', { hasText: 'Nothing was charged' }).waitFor();
    await screenshot(page, 'phone-not-sent');
    await page.unroute('**/payment');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });

  test('or its answer is uncertain: it is asked again, and the page pays only if nothing is pending', async () => {
    const { page } = await open({});
    await typeCard(page, FRICTIONLESS);
    const json = { result: { code: '900.100.201', description: 'the result is uncertain' } };
    await page.route('**/payment', (route) => route.fulfill({ status: 500, json }));
    await page.route('**/widget', (route) => route.abort());
    await pay(page);
    await page.getByText('Please do not pay again.').waitFor();
    await page.unroute('**/widget');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.locator('.wpwl-message', { hasText: 'Nothing was charged' }).waitFor();
    await page.unroute('**/payment');
    await (await cardFrame(page)).locator('.wpwl-control-cvv').pressSequentially('123');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });

  test('after it took the payment: the shopper is asked not to pay again, and told that it was paid', async () => {
    const { page } = await open({});
    await typeCard(page, FRICTIONLESS);
    await page.route('**/payment', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.route('**/widget', (route) => route.abort());
    await pay(page);
    await page.getByText('Please do not pay again.').waitFor();
    expect(await page.locator('.wpwl-form').isVisible()).toBe(false);
    await screenshot(page, 'phone-uncertain');
    await page.unroute('**/payment');
    await page.unroute('**/widget');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });
});

test('a shopper who has paid and returns to the payment pays nothing more', async () => {
  const { page } = await rig.toPay({ flow: 'card', ...phone });
  const address = page.url();
  await typeCard(page, FRICTIONLESS);
  await pay(page);
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  await page.goto(address);
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  await reload(page, { flow: 'card' });
  await page.context().close();
});
