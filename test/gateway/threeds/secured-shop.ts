/** A shop whose channel has 3-D Secure, and a shopper's browser without scripts: forms are submitted by hand. */
import type { Clock } from '../../../src/base/clock.ts';
import type { ThreeDSecureSettings } from '../../../src/gateway/threeds/settings.ts';
import type { Parameters, Reply } from '../../support/gateway/gateway.ts';
import { openShop, type Shop } from '../payments/gateway-in-memory.ts';

export const RETURN_URL = 'https://merchant.test/thanks?cart=7';

export const browser: Parameters = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'de-AT',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
  'billing.street1': 'Herrengasse 1',
  'billing.city': 'Graz',
  'billing.postcode': '8010',
  'billing.country': 'AT',
};

export const cardPayment = (number: string, extra: Parameters = {}): Parameters => ({
  amount: '25.00',
  currency: 'EUR',
  paymentType: 'DB',
  'card.number': number,
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': number.startsWith('3') && number.length === 15 ? '1234' : '123',
  'card.holder': 'Jane Jones',
  shopperResultUrl: RETURN_URL,
  ...browser,
  ...extra,
});

type Parts = { settings?: Partial<ThreeDSecureSettings>; clock?: Clock; report?: (error: unknown) => void };

export const openSecuredShop = ({ settings = {}, ...rest }: Parts = {}): Promise<Shop> =>
  openShop({ channel: { name: 'Corner Shop', threeDSecure: { enabled: true, ...settings } }, ...rest });

/** One step of a browser: its address, its page, or its redirect. */
export type SeenAnswer = { status: number; url: string; html: string; location: string | null; headers: Headers };

export const browse = async (
  shop: Shop,
  url: string,
  form?: Parameters,
  headers: Parameters = {},
): Promise<SeenAnswer> => {
  const init =
    form === undefined
      ? { headers }
      : {
          method: 'POST',
          body: new URLSearchParams(form).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        };
  const response = await shop.gateway.fetch(new Request(new URL(url, 'https://shop.test'), init));
  return {
    status: response.status,
    url,
    html: await response.text(),
    location: response.headers.get('location'),
    headers: response.headers,
  };
};

const unescapeText = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** The form with this id on the page: its action and its hidden fields. */
export const formOn = ({ html }: SeenAnswer, id: string): { action: string; fields: Record<string, string> } => {
  const [formText = '', action = ''] =
    new RegExp(`<form id="${id}"[^>]*action="([^"]*)"[^>]*>[\\s\\S]*?</form>`).exec(html) ?? [];
  const inputs = [...formText.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return {
    action: unescapeText(action),
    fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [unescapeText(name), unescapeText(value)])),
  };
};

export const redirectOf = (reply: Reply) =>
  reply.body['redirect'] as {
    url: string;
    method: string;
    parameters: unknown[];
    preconditions: { url: string; parameters: { name: string; value: string }[] }[];
  };

export const secureOf = (reply: Reply): Parameters => (reply.body['threeDSecure'] ?? {}) as Parameters;

/** From the redirect to the bank's challenge. */
export const toBank = async (shop: Shop, url: string): Promise<SeenAnswer> => {
  const first = await browse(shop, url);
  const page = first.html.includes('id="device"')
    ? await browse(shop, formOn(first, 'device').action, formOn(first, 'device').fields)
    : first;
  if (page.status !== 200) return page;
  const next = formOn(page, 'next');
  const sentPage = await browse(shop, next.action, next.fields);
  return browse(shop, sentPage.location ?? '');
};

/** Answers at the bank, and follows the redirects to the shop. */
export const answer = async (shop: Shop, bank: SeenAnswer, form: Parameters): Promise<SeenAnswer> => {
  const after = await browse(shop, bank.url, form);
  const next = formOn(after, 'next');
  return next.action === '' ? after : browse(shop, next.action, next.fields);
};

export const rightCode: Parameters = { choice: 'code', code: '1234' };
