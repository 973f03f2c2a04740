/** The shop's pages: its goods, the basket, the payment with the widget, and the result. */
import { meaningOf, movedNoMoney } from '../base/code-meanings.ts';
import { escapeText } from '../base/text.ts';
import type { Flow } from './flows.ts';
import { flows, languages } from './flows.ts';
import type { GatewayAnswer, GatewayReply } from './gateway.ts';
import { page } from './page.ts';

type QuantityChange = { itemId: string; difference: number; label: string; name: string };

const changeForm = ({ itemId: good, difference, label, name }: QuantityChange): string =>
  `<form method="post" action="/basket"><input type="hidden" name="good" value="${good}">` +
  `<button ${difference === 1 && label.length > 1 ? '' : 'class="small" '}name="by" value="${difference}" ` +
  `aria-label="${escapeText(name)}">${label}</button></form>`;

export const goodsPage = (): Response =>
  page({
    title: 'Goods',
    body: `<h1>Things for a calm morning</h1>
<p class="soft">A demonstration. Nothing is sold and no money moves.</p>
<ul class="goods">${goods
      .map(
        ({
          id,
          name,
          text: says,
          cents,
          hue,
        }) => `<li class="good"><div class="picture ${hue}"></div><div class="about">
<h2>${name}</h2><p>${says}</p>
<div class="row"><span class="price">${priceText(cents)}</span>${changeForm({ itemId: id, difference: 1, label: 'Add', name: `Add ${name}` })}</div></div></li>`,
      )
      .join('')}</ul>`,
  });

const options = (all: Readonly<Record<string, string>>, chosen: string): string =>
  Object.entries(all)
    .map(
      ([value, name]) => `<option value="${value}"${value === chosen ? ' selected' : ''}>${escapeText(name)}</option>`,
    )
    .join('');

export const basketPage = (basket: Basket, { locale, flow }: { locale: string; flow: string }): Response => {
  if (basket.size === 0) {
    return page({
      title: 'Basket',
      body: `<h1>Your basket is empty</h1><p class="soft">Choose something first.</p>
<a class="button" href="/">To the goods</a>`,
    });
  }
  const lines = goods
    .filter(({ id }) => basket.has(id))
    .map(
      ({ id, name, cents }) => `<tr><th scope="row">${name}</th><td><div class="count">
${changeForm({ itemId: id, difference: -1, label: '−', name: `One ${name} less` })}<span>${basket.get(id)}</span>${changeForm({ itemId: id, difference: 1, label: '+', name: `One ${name} more` })}</div></td>
<td>${priceText(cents * (basket.get(id) ?? 0))}</td></tr>`,
    )
    .join('');
  return page({
    title: 'Basket',
    body: `<h1>Basket</h1>
<div class="two"><div class="box"><table>${lines}
<tr><th scope="row" colspan="2">Total</th><td class="price">${priceText(totalOf(basket))}</td></tr></table></div>
<form class="box" method="post" action="/pay">
<label for="locale">Language of the payment</label>
<select id="locale" name="locale">${options(languages, locale)}</select>
<label for="flow">What to try</label>
<select id="flow" name="flow">${options(Object.fromEntries(flows.map(({ id, name }) => [id, name])), flow)}</select>
<button class="wide">Pay ${priceText(totalOf(basket))}</button></form></div>`,
  });
};

export type PaymentForm = {
  id: string;
  integrity: string | undefined;
  /** Ends in a slash. */
  gateway: string;
  resultUrl: string;
  locale: string;
  flow: Flow;
};

/** Two elements contain all that the widget needs, including its options, so the page needs no script of its own. */
export const payPage = ({ id, integrity, gateway, resultUrl, locale, flow }: PaymentForm): Response => {
  const script = `${gateway}v1/paymentWidgets.js?checkoutId=${encodeURIComponent(id)}`;
  const integrityAttribute =
    integrity === undefined ? '' : ` integrity="${escapeText(integrity)}" crossorigin="anonymous"`;
  return page({
    title: 'Pay',
    gateway: new URL(gateway).origin,
    body: `<h1>Pay</h1>
<div class="two"><div><form action="${escapeText(resultUrl)}" class="paymentWidgets" data-brands="${flow.brands}"></form>
<script src="${escapeText(script)}"${integrityAttribute} data-options="${escapeText(JSON.stringify({ ...flow.options, locale }))}"></script>
<noscript>The payment needs a script of the gateway.</noscript></div>
<aside class="box"><h2>To try it</h2><dl>${flow.hints
      .map(({ term: what, effect: does }) => `<dt>${escapeText(what)}</dt><dd>${escapeText(does)}</dd>`)
      .join('')}</dl></aside></div>`,
  });
};

const iconPaths = {
  good: 'M20 32l9 9 16-18M32 60a28 28 0 1 0 0-56 28 28 0 0 0 0 56',
  bad: 'M22 22l20 20M42 22L22 42M32 60a28 28 0 1 0 0-56 28 28 0 0 0 0 56',
  open: 'M32 16v18l10 8M32 60a28 28 0 1 0 0-56 28 28 0 0 0 0 56',
} as const;

/** The basket is emptied only after this. */
export const isPaid = (answer: GatewayReply): boolean =>
  answer !== 'silent' && meaningOf(answer.result?.code ?? '') === 'approved';

type Ending = { icon: keyof typeof iconPaths; title: string; text: string; refreshes?: true; canRetry?: true };

const endingOf = (answer: GatewayReply): Ending => {
  const code = answer === 'silent' ? '' : (answer.result?.code ?? '');
  if (isPaid(answer)) return { icon: 'good', title: 'Paid', text: 'Thank you. Your parcel leaves tomorrow.' };
  if (answer === 'silent' || !movedNoMoney(code)) {
    return {
      icon: 'open',
      title: 'Waiting for the bank',
      text: 'Do not pay again; this page updates by itself.',
      refreshes: true,
    };
  }
  const reason = answer.result?.description;
  const text = `Nothing was charged.${reason === undefined ? '' : ` The gateway says: ${reason}.`}`;
  return { icon: 'bad', title: 'Not paid', text, canRetry: true };
};

const paymentMethodText = ({ paymentBrand, card }: GatewayAnswer): string =>
  [paymentBrand, card?.last4Digits === undefined ? undefined : `•••• ${card.last4Digits}`].filter(Boolean).join(' ');

export const resultPage = (answer: GatewayReply): Response => {
  const { icon, title, text: says, refreshes, canRetry } = endingOf(answer);
  const details = answer === 'silent' ? {} : answer;
  const sum = details.amount === undefined ? '' : `${details.amount} ${details.currency ?? ''}`;
  return page({
    title,
    againAfter: refreshes && 3,
    body: `<div class="box result" role="status"><svg class="sign ${icon}-end" viewBox="0 0 64 64" aria-hidden="true">
<path d="${iconPaths[icon]}"/></svg>
<h1 class="word ${icon}-end">${title}</h1>
<p class="sum">${escapeText(sum)} ${escapeText(paymentMethodText(details))}</p><p class="soft">${escapeText(says)}</p>
<a class="button" href="${canRetry ? '/basket' : '/'}">${canRetry ? 'Back to the basket' : 'To the shop'}</a></div>`,
  });
};

export const messagePage = (status: number, title: string, text: string): Response =>
  page({
    status,
    title,
    body: `<h1>${escapeText(title)}</h1><p class="soft">${escapeText(text)}</p><a class="button" href="/">To the shop</a>`,
  });

// The goods of the demonstration shop, and a shopper's basket in the form of the cookie.

export type ShopItem = { id: string; name: string; text: string; cents: number; hue: 'leaf' | 'clay' | 'sky' };

const goods: readonly ShopItem[] = [
  { id: 'tea', name: 'Harbour tea', text: 'Black tea with bergamot, 250 g', cents: 1290, hue: 'leaf' },
  { id: 'cup', name: 'Stoneware cup', text: 'Fired twice, holds 0.3 l', cents: 2400, hue: 'clay' },
  { id: 'cloth', name: 'Linen cloth', text: 'Washed linen, 50 × 70 cm', cents: 1650, hue: 'sky' },
];

/** Number of pieces by good. */
type Basket = ReadonlyMap<string, number>;

const QUANTITY_MAX = 9;

/** `tea-2.cup-1`; malformed items are dropped. */
export const basketOf = (text: string): Basket =>
  new Map(
    text.split('.').flatMap((part): [string, number][] => {
      const [id = '', count = ''] = part.split('-');
      const isKnown = goods.some((item) => item.id === id) && /^[1-9]$/.test(count);
      return isKnown ? [[id, Number(count)]] : [];
    }),
  );

export const basketText = (basket: Basket): string => [...basket].map(([id, count]) => `${id}-${count}`).join('.');

/** The basket with this many more, or fewer, of the good. */
export const changeQuantity = (basket: Basket, id: string, difference: number): Basket => {
  const count = Math.min(QUANTITY_MAX, Math.max(0, (basket.get(id) ?? 0) + difference));
  const otherItems = [...basket].filter(([each]) => each !== id);
  return new Map(count === 0 || !goods.some((item) => item.id === id) ? otherItems : [...otherItems, [id, count]]);
};

export const totalOf = (basket: Basket): number =>
  goods.reduce((sum, { id, cents }) => sum + cents * (basket.get(id) ?? 0), 0);

/** An amount in the format of the host API. */
export const amountOf = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

const priceText = (cents: number): string => `€ ${amountOf(cents)}`;
