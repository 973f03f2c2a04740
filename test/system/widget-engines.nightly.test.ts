/**
 * The widget in every engine, in the page of a shop on another site than the gateway's: each way to pay, a decline,
 * stored cards, nothing of the card left when the shopper goes back. By day: `test/system/engines.test.ts` pays by card
 * in each engine, and `test/system/widget.test.ts` in every way in Chromium.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openEngine } from '../support/engines/engine.ts';
import { type Engine, type EnginePage, engines, type Visit } from '../support/engines/page.ts';
import { answerChallenge, cardField, cardFields, pay, payButton, toPay, typeCard } from '../support/engines/shopper.ts';
import { openShopServers, type ShopServers } from '../support/gateway/shop-servers.ts';
import { takePicture } from '../support/screens/browser.ts';

const FRICTIONLESS = '4200000000000091';
const CHALLENGE = '4200000000000042';
/** The card's issuer cannot authenticate anybody. */
const REFUSED = '4012001037461114';

let servers: ShopServers;
beforeAll(async () => {
  servers = await openShopServers({ gatewayName: 'localhost' });
});
afterAll(() => servers.close());

describe.each(engines)('%s', (name) => {
  let engine: Engine;
  let visit: Visit;
  let page: EnginePage;
  beforeAll(async () => {
    engine = await openEngine(name);
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    visit = await engine.visit({ size: { width: 1100, height: 900 } });
    page = visit.page;
    page.setDefaultTimeout(20_000);
  });
  afterEach(async () => {
    const lines = visit.consoleLines();
    await visit.close();
    expect(lines).toEqual([]);
  });
  const picture = (title: string): Promise<void> => takePicture(page, `widget-${name}-${title}`);
  const waitForPaid = async (): Promise<void> => {
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
  };

  test('a card without a challenge', async () => {
    await toPay(page, servers.shop);
    await typeCard(page, FRICTIONLESS);
    expect(await cardField(page, 'cardNumber').inputValue()).toBe('4200 0000 0000 0091');
    expect(await cardField(page, 'expiry').inputValue()).toBe('05/34');
    await picture('typed');
    await pay(page);
    await waitForPaid();
    await picture('paid');
    expect(await page.locator('.sum').textContent()).toContain('12.90 EUR VISA •••• 0091');
  });

  test('a card with a challenge', async () => {
    await toPay(page, servers.shop, { flow: 'challenge' });
    await typeCard(page, CHALLENGE);
    await pay(page);
    await page.getByLabel('Code from your bank').waitFor();
    await picture('challenge');
    await answerChallenge(page);
    await waitForPaid();
  });

  test('a declined card, then another one', async () => {
    await toPay(page, servers.shop);
    await typeCard(page, REFUSED);
    await pay(page);
    await page.locator('.wpwl-message').waitFor();
    await picture('declined');
    expect(await cardField(page, 'cvv').inputValue()).toBe('');
    await cardField(page, 'cardNumber').fill(FRICTIONLESS);
    await cardField(page, 'cvv').fill('123');
    await pay(page);
    await waitForPaid();
  });

  test('a stored card', async () => {
    await toPay(page, servers.shop, { flow: 'stored' });
    await typeCard(page, FRICTIONLESS);
    await page.getByLabel('Remember this card for next time').check();
    await pay(page);
    await waitForPaid();
    await toPay(page, servers.shop, { flow: 'stored' });
    const stored = page.getByRole('radio', { name: 'Visa ending in 0091' });
    await stored.waitFor();
    expect(await stored.isChecked()).toBe(true);
    await picture('stored');
    await pay(page);
    await waitForPaid();
  });

  test('a bank transfer in the same window', async () => {
    await toPay(page, servers.shop, { flow: 'redirect' });
    await pay(page);
    await picture('bank');
    await page.getByRole('button', { name: 'Yes, pay' }).click();
    await waitForPaid();
  });

  test('a bank transfer in its own window', async () => {
    await toPay(page, servers.shop, { flow: 'popup' });
    await page.locator('.wpwl-name', { hasText: 'Sofort' }).click();
    const bank = await visit.popup(() => pay(page));
    await bank.getByRole('button', { name: 'Yes, pay' }).click();
    await waitForPaid();
  });

  test('a bank window that the shopper closes: the payment continues with a card', async () => {
    await toPay(page, servers.shop, { flow: 'popup' });
    await page.locator('.wpwl-name', { hasText: 'Sofort' }).click();
    const bank = await visit.popup(() => pay(page));
    await bank.getByRole('button', { name: 'Yes, pay' }).waitFor();
    await bank.close();
    await page.locator('.wpwl-message').getByText('The payment window was closed').waitFor();
    await page.locator('.wpwl-method-card .wpwl-choice').click();
    await typeCard(page, FRICTIONLESS);
    await pay(page);
    await waitForPaid();
  });

  test('back from the bank: the card fields are empty, and a card typed again pays', async () => {
    await toPay(page, servers.shop, { flow: 'challenge' });
    await typeCard(page, CHALLENGE);
    await pay(page);
    await page.getByLabel('Code from your bank').waitFor();
    await page.goBack({ waitUntil: 'commit' });
    await payButton(page).waitFor();
    await cardField(page, 'cardNumber').waitFor();
    await picture('back');
    for (const field of cardFields) expect(await cardField(page, field).inputValue()).toBe('');
    await typeCard(page, CHALLENGE);
    await pay(page);
    await answerChallenge(page);
    await waitForPaid();
  });

  test('back after a payment: the shopper is sent to its result, and pays nothing again', async () => {
    await toPay(page, servers.shop);
    await typeCard(page, FRICTIONLESS);
    await pay(page);
    await waitForPaid();
    await page.goBack({ waitUntil: 'commit' });
    await waitForPaid();
    expect(await page.locator('.wpwl-form').count()).toBe(0);
  });
});
