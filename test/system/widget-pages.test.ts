/** The pages that the widget redirects a shopper to: accessible, light and dark, with every choice. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShopRig, pay, type ShopRig } from '../support/gateway/shop-rig.ts';
import { barriers, type Page, screenshot } from '../support/screens/browser.ts';

let rig: ShopRig;
beforeAll(async () => {
  rig = await openShopRig();
});
afterAll(() => rig.close());

const times: readonly { time: string; dark?: true }[] = [{ time: 'by day' }, { time: 'by night', dark: true }];
const phone = { width: 360, height: 740 };

const plainForm = (id: string): string => {
  const fields = {
    paymentBrand: 'VISA',
    'card.number': '4200000000000042',
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
    shopperResultUrl: `${rig.shop}result`,
  };
  const inputs = Object.entries(fields).map(([key, value]) => `<input type="hidden" name="${key}" value="${value}">`);
  return `<!doctype html><html lang="en"><title>Pay</title>
    <form method="post" action="${rig.gateway}v1/checkouts/${id}/payment">${inputs.join('')}<button>Pay</button></form>`;
};

/** Accessible, and nothing wider than the screen. */
const checkPage = async (page: Page, name: string): Promise<void> => {
  await screenshot(page, name);
  expect(await barriers(page), name).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), name).toBe(true);
};

test.each(times)('3-D Secure $time: each page, a wrong code, a way out', async ({ dark }) => {
  // A shop without the widget: a plain form, so the gateway knows no browser data yet.
  const { page } = await rig.pageOf(plainForm(await rig.checkout()), '', { viewport: phone, dark });
  // Without their scripts the pages stay, and each has a button.
  await page.route(/threeDSecure\/.*\.js$/, (route) => route.abort());
  const name = (title: string) => `phone-${title}${dark ? '-dark' : ''}`;
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('heading', { name: 'One moment: your bank checks the payment' }).waitFor();
  await checkPage(page, name('device'));
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('heading', { name: 'Your bank asks you to confirm' }).waitFor();
  await checkPage(page, name('to-bank'));
  await page.getByRole('button', { name: 'Go to your bank' }).click();
  await page.getByLabel('Code from your bank').fill('9999');
  // The shop’s name, from the channel.
  expect(await page.locator('dl').textContent()).toMatch(/Shop\s*Nordwind\s*Amount\s*12.90 EUR/);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('That code is wrong. You can try 2 more times.').waitFor();
  await checkPage(page, name('wrong-code'));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Back to the shop' }).waitFor();
  await checkPage(page, name('back'));
  await page.getByRole('button', { name: 'Back to the shop' }).click();
  await page.getByRole('heading', { name: 'Not paid' }).waitFor();
  await checkPage(page, name('not-paid'));
  await page.context().close();
});

test.each(times)('a transfer’s bank $time, where the shopper says no, or nothing', async ({ dark }) => {
  const { page } = await rig.toPay({ flow: 'redirect', viewport: phone, dark });
  await pay(page);
  await page.getByRole('button', { name: 'No, do not pay' }).waitFor();
  expect(await page.locator('dl').textContent()).toContain('Nordwind');
  await checkPage(page, dark ? 'phone-bank-dark' : 'phone-bank');
  await page.getByRole('button', { name: dark ? 'Close without an answer' : 'No, do not pay' }).click();
  await page.getByRole('heading', { name: dark ? 'Waiting for the bank' : 'Not paid' }).waitFor();
  await checkPage(page, dark ? 'phone-waiting-dark' : 'phone-refused');
  await page.context().close();
});

test('the shop’s own pages', async () => {
  const { page } = await rig.toPay({ locale: 'ja', viewport: phone, dark: true });
  await checkPage(page, 'phone-pay-japanese-dark');
  await page.goto(rig.shop);
  await checkPage(page, 'phone-goods-dark');
  await page.goto(`${rig.shop}basket`);
  await checkPage(page, 'phone-basket-dark');
  await page.context().close();
});
