/** A shop, a gateway and a shopper with a browser: everything real, on ports of this machine. */
import { type Browser, collectErrors, type Frame, openBrowser, type Page } from '../screens/browser.ts';
import { openShopServers, type ShopParts, type ShopServers } from './shop-servers.ts';

export type ShopRig = ShopServers & {
  /** Puts tea into the basket and goes to pay. The choices are those on the basket's page. */
  toPay(choice?: {
    locale?: string;
    flow?: string;
    viewport?: { width: number; height: number };
    dark?: true;
  }): Promise<Shopper>;
  /** A page of another shop, whose own code the test writes. */
  pageOf(html: string, policy?: string, viewer?: ShopperDevice): Promise<Shopper>;
};

/** The shopper's device. */
export type ShopperDevice = { viewport?: { width: number; height: number }; dark?: true };

/** `lines`: what the page's policy refused, and what its scripts threw. */
export type Shopper = { page: Page; lines: string[] };

/** The browser to use, besides the servers' options. */
type Parts = ShopParts & { browser?: Parameters<typeof openBrowser>[0] };

export const openShopRig = async ({ browser: kind, ...parts }: Parts = {}): Promise<ShopRig> => {
  const servers = await openShopServers(parts);
  const { shop: address } = servers;
  const browser = await openBrowser(kind);
  return {
    ...servers,
    toPay: (choice) => toPay(browser, address, choice),
    async pageOf(html, policy = '', { viewport = { width: 1100, height: 900 }, dark } = {}) {
      servers.serve(html, policy);
      const page = await (await browser.newContext({ viewport, colorScheme: dark ? 'dark' : 'light' })).newPage();
      const lines = collectErrors(page);
      await page.goto(`${address}other`);
      return { page, lines };
    },
    async close() {
      await browser.close();
      await servers.close();
    },
  };
};

type Choice = Parameters<ShopRig['toPay']>[0];

const toPay = async (browser: Browser, address: string, choice: Choice = {}): Promise<Shopper> => {
  const { locale = 'en', flow = 'all', viewport = { width: 1100, height: 900 }, dark } = choice;
  const context = await browser.newContext({ viewport, colorScheme: dark ? 'dark' : 'light', locale: 'en-GB' });
  const page = await context.newPage();
  const lines = collectErrors(page);
  await page.goto(address);
  await reload(page, { locale, flow });
  return { page, lines };
};

/** From the goods to the payment, keeping the cookies of an earlier purchase. */
export const reload = async (page: Page, { locale = 'en', flow = 'all' } = {}): Promise<void> => {
  await page.goto(new URL('/', page.url()).href);
  await page.getByRole('button', { name: 'Add Harbour tea' }).click();
  await page.getByLabel('Language of the payment').selectOption(locale);
  await page.getByLabel('What to try').selectOption(flow);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.locator('.wpwl-container').waitFor();
};

/** The frame of the card, once its fields are there. */
export const cardFrame = async (page: Page): Promise<Frame> => {
  const handle = await page.locator('iframe.wpwl-iframe').first().elementHandle();
  const frame = await handle?.contentFrame();
  if (!frame) throw new Error('the card has no frame');
  await frame.locator('input').first().waitFor();
  return frame;
};

/** Types a card number key by key, as a person does. */
export const typeCard = async (page: Page, number: string): Promise<void> => {
  const frame = await cardFrame(page);
  const type = (name: string, text: string) => frame.locator(`.wpwl-control-${name}`).pressSequentially(text);
  await type('cardNumber', number);
  await type('expiry', '0534');
  await type('cvv', '123');
  await type('cardHolder', 'Jane Jones');
};

export const pay = (page: Page): Promise<void> => page.locator('.wpwl-form .wpwl-button-pay[type=submit]').click();
