/** A demonstration shop on one's own machine: goods, a basket, the payment widget, and the result. */
import { isAccepted } from '../base/code-meanings.ts';
import { flowNamed, languages } from './flows.ts';
import { askStatus, createCheckout, type ShopGateway } from './gateway.ts';
import { style } from './page.ts';
import {
  amountOf,
  basketOf,
  basketPage,
  basketText,
  changeQuantity,
  goodsPage,
  isPaid,
  messagePage,
  payPage,
  resultPage,
  totalOf,
} from './pages.ts';

export type ShopOptions = {
  gateway: ShopGateway;
  /** Its own address, to which shoppers return; ends in a slash. Known once it listens. */
  address: () => string;
  /** The language before anybody chooses one. */
  locale: string;
};

type Shop = { fetch(request: Request): Promise<Response> };

/** The maximum number of stored cards offered to one browser. */
const STORED_MAX = 5;
const FORM_MAX_BYTES = 4096;

type Cookies = Readonly<Record<string, string>>;

const cookiesOf = (request: Request): Cookies =>
  Object.fromEntries(
    (request.headers.get('cookie') ?? '').split(/;\s*/).map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [name, value];
    }),
  );

const cookie = (name: string, value: string): string => `${name}=${value}; Path=/; HttpOnly; SameSite=Lax`;

/** 303: the browser requests the page by GET, and a reload sends nothing twice. */
const redirectTo = (location: string, cookies: readonly string[] = []): Response => {
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const each of cookies) headers.append('set-cookie', each);
  return new Response(null, { status: 303, headers });
};

const formOf = async (request: Request): Promise<URLSearchParams> => {
  const text = await request.text();
  return new URLSearchParams(text.length > FORM_MAX_BYTES ? '' : text);
};

/** Ids of stored accounts in the cookie. They are useless without the shop's token. */
const storedAccountIds = ({ stored = '' }: Cookies): readonly string[] =>
  stored
    .split('.')
    .filter((id) => /^[0-9a-f]{32}$/.test(id))
    .slice(-STORED_MAX);

/** The checkout's data, by its id, from its creation to its page. */
type StartedCheckout = { integrity: string | undefined; locale: string; flow: string };

/** The maximum number of checkouts remembered: one shopper at a time, on one's own machine. */
const STARTED_CHECKOUTS_MAX = 100;

export const openShop = (options: ShopOptions): Shop => {
  const startedCheckouts = new Map<string, StartedCheckout>();
  const routes: Readonly<Record<string, (request: Request, url: URL) => Promise<Response>>> = {
    'GET /': async () => goodsPage(),
    'GET /shop.css': async () => new Response(style, { headers: { 'content-type': 'text/css; charset=utf-8' } }),
    'GET /basket': async (request) => {
      const { basket = '', locale = options.locale, flow = '' } = cookiesOf(request);
      return basketPage(basketOf(basket), { locale, flow });
    },
    'POST /basket': async (request) => {
      const form = await formOf(request);
      const basket = changeQuantity(
        basketOf(cookiesOf(request)['basket'] ?? ''),
        form.get('good') ?? '',
        Number(form.get('by')) || 0,
      );
      return redirectTo('/basket', [cookie('basket', basketText(basket))]);
    },
    'POST /pay': (request) => beginPayment(options, request, startedCheckouts),
    'GET /pay': async (_, url) => {
      const id = url.searchParams.get('id') ?? '';
      const { integrity, locale, flow } = startedCheckouts.get(id) ?? {};
      if (locale === undefined) return messagePage(404, 'No payment here', 'Start in the basket.');
      const { baseUrl } = options.gateway;
      const resultUrl = `${options.address()}result`;
      return payPage({ id, integrity, gateway: baseUrl, resultUrl, locale, flow: flowNamed(flow) });
    },
    'GET /result': async (request, url) => {
      const answer = await askStatus(options.gateway, url.searchParams.get('resourcePath') ?? '');
      if (answer === undefined)
        return messagePage(400, 'No payment here', 'This address names no payment of this shop.');
      const response = resultPage(answer);
      if (isPaid(answer)) response.headers.append('set-cookie', cookie('basket', ''));
      const registration = answer === 'silent' ? undefined : answer.registrationId;
      if (registration === undefined) return response;
      const stored = [...new Set([...storedAccountIds(cookiesOf(request)), registration])].slice(-STORED_MAX);
      response.headers.append('set-cookie', cookie('stored', stored.join('.')));
      return response;
    },
  };
  return {
    async fetch(request) {
      const url = new URL(request.url);
      const route = routes[`${request.method} ${url.pathname}`];
      return route === undefined ? messagePage(404, 'Not here', 'This shop has no such page.') : route(request, url);
    },
  };
};

/** The shopper. With name and address, the widget can send the browser's data to the shopper's bank at once. */
const shopper = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'billing.street1': 'Harbour Street 4',
  'billing.city': 'Kiel',
  'billing.postcode': '24103',
  'billing.country': 'DE',
};

/** Creates the checkout, and redirects to its page. */
const beginPayment = async (
  { gateway, address, locale: defaultLocale }: ShopOptions,
  request: Request,
  startedCheckouts: Map<string, StartedCheckout>,
): Promise<Response> => {
  const form = await formOf(request);
  const cookies = cookiesOf(request);
  const locale = form.get('locale') ?? '';
  const chosen = Object.hasOwn(languages, locale) ? locale : defaultLocale;
  const flow = flowNamed(form.get('flow') ?? undefined).id;
  const total = totalOf(basketOf(cookies['basket'] ?? ''));
  if (total === 0) return redirectTo('/basket');
  const answer = await createCheckout(gateway, {
    amount: amountOf(total),
    currency: 'EUR',
    paymentType: 'DB',
    integrity: 'true',
    shopperResultUrl: `${address()}result`,
    ...shopper,
    ...Object.fromEntries(storedAccountIds(cookies).map((id, index) => [`registrations[${index}].id`, id])),
  });
  if (answer === 'silent') {
    return messagePage(502, 'The gateway does not answer', `Nothing was charged. Is it running at ${gateway.baseUrl}?`);
  }
  const { id, integrity, result } = answer;
  if (id === undefined || !isAccepted(result?.code ?? '')) {
    return messagePage(502, 'The gateway refused the checkout', `${result?.code ?? ''} ${result?.description ?? ''}`);
  }
  startedCheckouts.set(id, { integrity, locale: chosen, flow });
  for (const oldest of startedCheckouts.keys())
    if (startedCheckouts.size > STARTED_CHECKOUTS_MAX) startedCheckouts.delete(oldest);
  return redirectTo(`/pay?id=${encodeURIComponent(id)}`, [cookie('locale', chosen), cookie('flow', flow)]);
};
