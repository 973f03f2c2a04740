/** A shopper who has sent their card and presses Back, in a browser that caches whole pages. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShopRig, pay, type ShopRig, typeCard } from '../support/gateway/shop-rig.ts';
import type { Page } from '../support/screens/browser.ts';

const FRICTIONLESS = '4200000000000091';
const CHALLENGE = '4200000000000042';
/** The card's issuer cannot authenticate anybody. */
const REFUSED = '4012001037461114';

let rig: ShopRig;
beforeAll(async () => {
  rig = await openShopRig({ browser: { keepsPages: true } });
});
afterAll(() => rig.close());

const open = async (): Promise<Page> => {
  const { page } = await rig.pageOf(`<!doctype html><html lang="en"><title>Pay</title><main>
    <form action="${rig.shop}result" class="paymentWidgets" data-brands="VISA GIFTCARD"></form>
    <script>returned = []; addEventListener('pageshow', ({ persisted }) => returned.push(persisted));
      wpwlOptions = { locale: 'en' }</script>
    <script src="${rig.gateway}v1/paymentWidgets.js?checkoutId=${await rig.checkout()}"></script></main></html>`);
  return page;
};

/** As the browser's Back button does, which skips bank pages that redirected by themselves. */
const backToShop = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  const { entries } = await devtools.send('Page.getNavigationHistory');
  const { id: entryId = -1, url } = entries.findLast((entry) => entry.url === `${rig.shop}other`) ?? {};
  const arrival = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame() && frame.url() === url);
  await devtools.send('Page.navigateToHistoryEntry', { entryId });
  await arrival;
  await devtools.detach();
};

/** Runs in the card's frame. Playwright loses the frames of a restored page; the browser's debugger has them. */
const evaluateInFrame = async (page: Page, expression: string): Promise<unknown> => {
  const devtools = await page.context().newCDPSession(page);
  const { frameTree } = await devtools.send('Page.getFrameTree');
  const frameId = frameTree.childFrames?.[0]?.frame.id ?? '';
  const { executionContextId: contextId } = await devtools.send('Page.createIsolatedWorld', { frameId });
  const { result } = await devtools.send('Runtime.evaluate', { contextId, expression, returnByValue: true });
  await devtools.detach();
  return result.value;
};

const typedCard = (page: Page): Promise<unknown> =>
  evaluateInFrame(page, '[...document.querySelectorAll("input")].map(({ value }) => value)');

test('after a challenge finds the fields empty, and pays with a card typed again', async () => {
  const page = await open();
  await page.locator('.wpwl-method-giftCard .wpwl-choice').click();
  await page.locator('.wpwl-control-giftCardPin').fill('1000');
  await page.locator('.wpwl-method-card .wpwl-choice').click();
  await typeCard(page, CHALLENGE);
  await pay(page);
  await page.getByLabel('Code from your bank').waitFor();
  await backToShop(page);
  await page.locator('.wpwl-form').waitFor();
  expect(await page.evaluate('returned')).toEqual([false, true]);
  expect(await typedCard(page)).toEqual(['', '', '', '']);
  expect(await page.locator('.wpwl-control-giftCardPin').inputValue()).toBe('');
  await pay(page);
  await expect.poll(() => evaluateInFrame(page, 'document.querySelectorAll("[aria-invalid]").length')).toBe(4);
  // The cursor is in the first invalid field.
  for (const text of [CHALLENGE, '0534', '123', 'Jane Jones']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await pay(page);
  await page.getByLabel('Code from your bank').fill('1234');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  await page.context().close();
});

test('after a payment is sent to the result, and cannot pay again', async () => {
  const page = await open();
  await typeCard(page, FRICTIONLESS);
  await pay(page);
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  const payments: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') payments.push(request.url());
  });
  await backToShop(page);
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(payments).toEqual([]);
  await page.context().close();
});

test('after a decline has to type only the security code again', async () => {
  const page = await open();
  await typeCard(page, REFUSED);
  await pay(page);
  await page.locator('.wpwl-message').waitFor();
  expect(await typedCard(page)).toEqual(['4012 0010 3746 1114', '05/34', '', 'Jane Jones']);
  await page.context().close();
});
