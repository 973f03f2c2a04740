/** A shop, a gateway and a shopper with a browser: everything real, on ports of this machine. */
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import type { Channel } from '../../../src/gateway/channel.ts';
import { openGateway } from '../../../src/gateway/embedded.ts';
import { listen } from '../../../src/gateway/http/listen.ts';
import { openShop } from '../../../src/shop/shop.ts';
import { type Browser, type Frame, openBrowser, type Page, troubles } from '../screens/browser.ts';

const HOST = '127.0.0.1';

export type ShopRig = {
  shop: string;
  gateway: string;
  /** Puts tea into the basket and goes to pay. The choices are those of the basket's page. */
  toPay(choice?: {
    locale?: string;
    flow?: string;
    viewport?: { width: number; height: number };
    dark?: true;
  }): Promise<Shopper>;
  /** Creates a checkout with what a shop sends, and returns its id. What is undefined is left out. */
  checkout(parameters?: Readonly<Record<string, string | undefined>>): Promise<string>;
  /** Asks the gateway as the shop does. */
  ask(path: string): Promise<Readonly<Record<string, unknown>>>;
  /** A page of another shop, whose own code the test writes. */
  pageOf(html: string, policy?: string, look?: Look): Promise<Shopper>;
  /** What the page is from its next load on. */
  serve(html: string): void;
  /** From now on the gateway's clock says so much more. */
  later(ms: number): void;
  close(): Promise<void>;
};

/** The shopper's device. */
export type Look = { viewport?: { width: number; height: number }; dark?: true };

/** `said` is what the page's policy refused and what its scripts threw. */
export type Shopper = { page: Page; said: string[] };

/** What the channel has beside 3-D Secure, and what the gateway takes for now when it starts. */
type Parts = { channel?: Partial<Channel>; now?: number };

export const openShopRig = async ({ channel, now }: Parts = {}): Promise<ShopRig> => {
  let ahead = now === undefined ? 0 : now - systemClock.now();
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const entityId = systemIds.next();
  const token = 'a-token-for-tests';
  const reported: unknown[] = [];
  const gateway = await openGateway({
    dataDir: ':memory:',
    channels: [{ entityId, token, name: 'Nordwind', threeDSecure: { enabled: true }, ...channel }],
    clock,
    ids: systemIds,
    random: systemRandom,
    allowPrivateUrls: true,
    report: (error) => reported.push(error),
  });
  const refuse = (status: number, why: string): Response => new Response(why, { status });
  const gatewayServer = await listen({ app: gateway, port: 0, host: HOST });
  const baseUrl = `http://${HOST}:${gatewayServer.port}/`;
  let address = '';
  let other = { html: '', policy: '' };
  const shop = openShop({ gateway: { baseUrl, entityId, token }, address: () => address, locale: 'en' });
  const fetchPage = async (request: Request): Promise<Response> => {
    const { pathname, search, port } = new URL(request.url);
    // The same shop under another of its names.
    const elsewhere = `http://localhost:${port}/result${search}`;
    if (pathname === '/onward') return new Response(null, { status: 302, headers: { location: elsewhere } });
    if (pathname !== '/other') return shop.fetch(request);
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': other.policy };
    return new Response(other.html, { headers });
  };
  const shopServer = await listen({ app: { fetch: fetchPage, refuse }, port: 0, host: HOST });
  address = `http://${HOST}:${shopServer.port}/`;
  const browser = await openBrowser();
  return {
    shop: address,
    gateway: baseUrl,
    toPay: (choice) => toPay(browser, address, choice),
    async checkout(parameters = {}) {
      const response = await fetch(`${baseUrl}v1/checkouts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: formOf({ entityId, amount: '12.90', currency: 'EUR', paymentType: 'DB', ...parameters }),
      });
      const { id } = (await response.json()) as { id?: string };
      if (id === undefined) throw new Error(`no checkout: ${response.status}`);
      return id;
    },
    async ask(path) {
      const headers = { authorization: `Bearer ${token}` };
      return (await (await fetch(`${baseUrl}${path}?entityId=${entityId}`, { headers })).json()) as Record<
        string,
        unknown
      >;
    },
    async pageOf(html, policy = '', { viewport = { width: 1100, height: 900 }, dark } = {}) {
      other = { html, policy };
      const page = await (await browser.newContext({ viewport, colorScheme: dark ? 'dark' : 'light' })).newPage();
      const said = troubles(page);
      await page.goto(`${address}other`);
      return { page, said };
    },
    later: (ms) => {
      ahead += ms;
    },
    serve: (html) => {
      other = { html, policy: '' };
    },
    async close() {
      await browser.close();
      await shopServer.close();
      await gatewayServer.close();
      await gateway.close();
      if (reported.length > 0) throw new AggregateError(reported, 'the gateway reported faults');
    },
  };
};

const formOf = (parameters: Readonly<Record<string, string | undefined>>): URLSearchParams => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) form.set(name, value);
  return form;
};

type Choice = Parameters<ShopRig['toPay']>[0];

const toPay = async (browser: Browser, address: string, choice: Choice = {}): Promise<Shopper> => {
  const { locale = 'en', flow = 'all', viewport = { width: 1100, height: 900 }, dark } = choice;
  const context = await browser.newContext({ viewport, colorScheme: dark ? 'dark' : 'light', locale: 'en-GB' });
  const page = await context.newPage();
  const said = troubles(page);
  await page.goto(address);
  await again(page, { locale, flow });
  return { page, said };
};

/** From the goods to the payment, also with the cookies of an earlier purchase. */
export const again = async (page: Page, { locale = 'en', flow = 'all' } = {}): Promise<void> => {
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

/** Types a card as a person does, key by key. */
export const typeCard = async (page: Page, number: string): Promise<void> => {
  const frame = await cardFrame(page);
  const type = (name: string, text: string) => frame.locator(`.wpwl-control-${name}`).pressSequentially(text);
  await type('cardNumber', number);
  await type('expiry', '0534');
  await type('cvv', '123');
  await type('cardHolder', 'Jane Jones');
};

export const pay = (page: Page): Promise<void> => page.locator('.wpwl-form .wpwl-button-pay[type=submit]').click();
