/** The payment widget as a shopper sees it: a real browser, a real shop with a strict policy, the real gateway. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardFrame, openShopRig, pay, reload, type ShopRig, typeCard } from '../support/gateway/shop-rig.ts';
import { barriers, screenshot } from '../support/screens/browser.ts';

const FRICTIONLESS = '4200000000000091';
const CHALLENGE = '4200000000000042';

let rig: ShopRig;
beforeAll(async () => {
  rig = await openShopRig();
});
afterAll(() => rig.close());

describe('pays', () => {
  test('with a card, and the shop asks its gateway for the result', async () => {
    const { page, lines } = await rig.toPay();
    await screenshot(page, 'pay');
    await typeCard(page, FRICTIONLESS);
    const inside = await cardFrame(page);
    expect(await inside.locator('.wpwl-control-cardNumber').inputValue()).toBe('4200 0000 0000 0091');
    expect(await inside.locator('.wpwl-control-expiry').inputValue()).toBe('05/34');
    expect(await inside.locator('.wpwl-detected').textContent()).toBe('Visa');
    await screenshot(page, 'pay-filled');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await screenshot(page, 'paid');
    expect(await page.locator('.sum').textContent()).toContain('12.90 EUR VISA •••• 0091');
    expect(lines).toEqual([]);
    await page.context().close();
  });

  test('with a card with a challenge', async () => {
    const { page, lines } = await rig.toPay({ flow: 'challenge' });
    await typeCard(page, CHALLENGE);
    await pay(page);
    await page.waitForURL(/simulators\/acs/);
    await screenshot(page, 'challenge');
    const field = page.locator('input[type=text], input[type=password], input[inputmode=numeric]');
    if ((await field.count()) > 0) await field.first().fill(await codeOn(page.locator('body').textContent()));
    await page.locator('button').first().click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(lines).toEqual([]);
    await page.context().close();
  });

  test('with a stored card, by one click', async () => {
    const { page } = await rig.toPay({ flow: 'stored' });
    await typeCard(page, FRICTIONLESS);
    await page.getByLabel('Remember this card for next time').check();
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await reload(page, { flow: 'stored' });
    const stored = page.getByRole('radio', { name: 'Visa ending in 0091' });
    await stored.waitFor();
    expect(await stored.isChecked()).toBe(true);
    await screenshot(page, 'stored-card');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });

  test('at a bank in the same window', async () => {
    const { page, lines } = await rig.toPay({ flow: 'redirect' });
    await screenshot(page, 'redirect');
    await pay(page);
    await page.getByRole('button', { name: 'Yes, pay' }).click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(lines).toEqual([]);
    await page.context().close();
  });

  test('by direct debit, with an IBAN whose check digits are verified', async () => {
    const { page } = await rig.toPay();
    await page.getByText('Direct debit (SEPA)').click();
    await page.getByLabel('Account holder').fill('Jane Jones');
    await page.getByLabel('IBAN').fill('DE23100000001234567891');
    await pay(page);
    expect(await page.locator('.wpwl-group-iban .wpwl-error').textContent()).toBe('Check the IBAN');
    await screenshot(page, 'direct-debit-wrong');
    await page.getByLabel('IBAN').fill('de23 1000 0000 1234 5678 90');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });

  test('in Arabic, from right to left', async () => {
    const { page, lines } = await rig.toPay({ locale: 'ar', flow: 'card' });
    expect(await page.locator('.wpwl-container').getAttribute('dir')).toBe('rtl');
    expect(await (await cardFrame(page)).locator('html').getAttribute('dir')).toBe('rtl');
    await typeCard(page, FRICTIONLESS);
    await screenshot(page, 'arabic');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(lines).toEqual([]);
    await page.context().close();
  });

  test('with the keyboard alone', async () => {
    const { page } = await rig.toPay();
    const { keyboard } = page;
    await cardFrame(page);
    await page.locator('.wpwl-radio').first().focus();
    for (const text of ['4200000000000091', '0534', '123', 'Jane Jones']) {
      await keyboard.press('Tab');
      await keyboard.type(text);
    }
    await screenshot(page, 'keyboard');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });
});

const codeOn = async (text: Promise<string | null>): Promise<string> =>
  /\b\d{4,8}\b/.exec((await text) ?? '')?.[0] ?? '';

describe('continues', () => {
  test('with the same checkout when the shopper closes the bank’s window', async () => {
    const { page } = await rig.toPay({ flow: 'popup' });
    const shopUrl = page.url();
    await page.locator('.wpwl-name', { hasText: 'Sofort' }).click();
    const popupOpened = page.waitForEvent('popup');
    await pay(page);
    const popup = await popupOpened;
    await popup.getByRole('button', { name: 'Yes, pay' }).waitFor();
    await screenshot(page, 'popup-open');
    await popup.close();
    await page.locator('.wpwl-message').getByText('The payment window was closed').waitFor();
    await screenshot(page, 'popup-closed');
    expect(page.url()).toBe(shopUrl);
    await page.locator('.wpwl-method-card .wpwl-choice').click();
    await typeCard(page, FRICTIONLESS);
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });

  test('to the result when the shopper has answered in the bank’s window', async () => {
    const { page } = await rig.toPay({ flow: 'popup' });
    await page.locator('.wpwl-name', { hasText: 'Sofort' }).click();
    const popupOpened = page.waitForEvent('popup');
    await pay(page);
    const popup = await popupOpened;
    await popup.getByRole('button', { name: 'Yes, pay' }).click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(popup.isClosed()).toBe(true);
    await page.context().close();
  });

  test('after a decline, with a message and a second attempt', async () => {
    const { page } = await rig.toPay({ locale: 'de' });
    await page.locator('.wpwl-name', { hasText: 'PayPal' }).click();
    await page.locator('.wpwl-control-accountId').fill('poor@example.com');
    await pay(page);
    await page.locator('.wpwl-message', { hasText: 'nicht genug Geld' }).waitFor();
    expect(await page.evaluate('document.activeElement.className')).toBe('wpwl-message');
    await screenshot(page, 'declined-german');
    await page.locator('.wpwl-control-accountId').fill('jane@example.com');
    await pay(page);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.context().close();
  });
});

describe('accessibility', () => {
  test('no barriers in the page or the frame, empty or with errors', async () => {
    for (const dark of [undefined, true] as const) {
      const { page } = await rig.toPay({ dark });
      const frame = await cardFrame(page);
      expect([...(await barriers(page)), ...(await barriers(frame))]).toEqual([]);
      await pay(page);
      await frame.locator('[aria-invalid]').first().waitFor();
      expect(await frame.locator('[aria-invalid]').count()).toBe(4);
      expect([...(await barriers(page)), ...(await barriers(frame))]).toEqual([]);
      await screenshot(page, dark ? 'errors-dark' : 'errors');
      await page.context().close();
    }
  });

  test('320 pixels wide, nothing is cut off and everything can be touched', async () => {
    const { page } = await rig.toPay({ viewport: { width: 320, height: 700 } });
    const frame = await cardFrame(page);
    await screenshot(page, 'narrow');
    for (const target of [page, frame]) {
      expect(await target.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      const small = await target.evaluate(
        `[...document.querySelectorAll('.wpwl-choice, .wpwl-button, .wpwl-box, .wpwl-remember')]
          .map((each) => each.getBoundingClientRect())
          .filter(({ width, height }) => width > 0 && (height < 44 || width < 44))`,
      );
      expect(small).toEqual([]);
    }
    await page.context().close();
  });
});
