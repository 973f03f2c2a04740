/** The shop's pages: its goods, the basket, the payment with the widget, and the result. */
import { meaningOf, movedNoMoney } from '../base/code-meanings.ts';
import { escapeText } from '../base/text.ts';
import type { Flow } from './flows.ts';
import { flows, languages } from './flows.ts';
import type { GatewayAnswer, GatewayReply } from './gateway.ts';
import { page } from './page.ts';

type Change = { good: string; by: number; words: string; name: string };

const change = ({ good, by, words, name }: Change): string =>
  `<form method="post" action="/basket"><input type="hidden" name="good" value="${good}">` +
  `<button ${by === 1 && words.length > 1 ? '' : 'class="small" '}name="by" value="${by}" ` +
  `aria-label="${escapeText(name)}">${words}</button></form>`;

export const goodsPage = (): Response =>
  page({
    title: 'Goods',
    body: `<h1>Things for a calm morning</h1>
<p class="soft">A demonstration. Nothing is sold and no money moves.</p>
<ul class="goods">${goods
      .map(
        ({ id, name, says, cents, hue }) => `<li class="good"><div class="picture ${hue}"></div><div class="about">
<h2>${name}</h2><p>${says}</p>
<div class="row"><span class="price">${priced(cents)}</span>${change({ good: id, by: 1, words: 'Add', name: `Add ${name}` })}</div></div></li>`,
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
${change({ good: id, by: -1, words: '−', name: `One ${name} less` })}<span>${basket.get(id)}</span>${change({ good: id, by: 1, words: '+', name: `One ${name} more` })}</div></td>
<td>${priced(cents * (basket.get(id) ?? 0))}</td></tr>`,
    )
    .join('');
  return page({
    title: 'Basket',
    body: `<h1>Basket</h1>
<div class="two"><div class="box"><table>${lines}
<tr><th scope="row" colspan="2">Total</th><td class="price">${priced(totalOf(basket))}</td></tr></table></div>
<form class="box" method="post" action="/pay">
<label for="locale">Language of the payment</label>
<select id="locale" name="locale">${options(languages, locale)}</select>
<label for="flow">What to try</label>
<select id="flow" name="flow">${options(Object.fromEntries(flows.map(({ id, name }) => [id, name])), flow)}</select>
<button class="wide">Pay ${priced(totalOf(basket))}</button></form></div>`,
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
  const check = integrity === undefined ? '' : ` integrity="${escapeText(integrity)}" crossorigin="anonymous"`;
  return page({
    title: 'Pay',
    gateway: new URL(gateway).origin,
    body: `<h1>Pay</h1>
<div class="two"><div><form action="${escapeText(resultUrl)}" class="paymentWidgets" data-brands="${flow.brands}"></form>
<script src="${escapeText(script)}"${check} data-options="${escapeText(JSON.stringify({ ...flow.options, locale }))}"></script>
<noscript>The payment needs a script of the gateway.</noscript></div>
<aside class="box"><h2>To try it</h2><dl>${flow.hints
      .map(({ what, does }) => `<dt>${escapeText(what)}</dt><dd>${escapeText(does)}</dd>`)
      .join('')}</dl></aside></div>`,
  });
};

const signs = {
  good: 'M20 32l9 9 16-18M32 60a28 28 0 1 0 0-56 28 28 0 0 0 0 56',
  bad: 'M22 22l20 20M42 22L22 42M32 60a28 28 0 1 0 0-56 28 28 0 0 0 0 56',
  open: 'M32 16v18l10 8M32 60a28 28 0 1 0 0-56 28 28 0 0 0 0 56',
} as const;

/** The basket is emptied only after this. */
export const isPaid = (answer: GatewayReply): boolean =>
  answer !== 'silent' && meaningOf(answer.result?.code ?? '') === 'approved';

type Ending = { sign: keyof typeof signs; word: string; says: string; again?: true; retry?: true };

const endingOf = (answer: GatewayReply): Ending => {
  const code = answer === 'silent' ? '' : (answer.result?.code ?? '');
  if (isPaid(answer)) return { sign: 'good', word: 'Paid', says: 'Thank you. Your parcel leaves tomorrow.' };
  if (answer === 'silent' || !movedNoMoney(code)) {
    return {
      sign: 'open',
      word: 'Waiting for the bank',
      says: 'Do not pay again; this page updates by itself.',
      again: true,
    };
  }
  const reason = answer.result?.description;
  const text = `Nothing was charged.${reason === undefined ? '' : ` The gateway says: ${reason}.`}`;
  return { sign: 'bad', word: 'Not paid', says: text, retry: true };
};

const withWhat = ({ paymentBrand, card }: GatewayAnswer): string =>
  [paymentBrand, card?.last4Digits === undefined ? undefined : `•••• ${card.last4Digits}`].filter(Boolean).join(' ');

export const resultPage = (answer: GatewayReply): Response => {
  const { sign, word, says, again, retry } = endingOf(answer);
  const known = answer === 'silent' ? {} : answer;
  const sum = known.amount === undefined ? '' : `${known.amount} ${known.currency ?? ''}`;
  return page({
    title: word,
    againAfter: again && 3,
    body: `<div class="box result" role="status"><svg class="sign ${sign}-end" viewBox="0 0 64 64" aria-hidden="true">
<path d="${signs[sign]}"/></svg>
<h1 class="word ${sign}-end">${word}</h1>
<p class="sum">${escapeText(sum)} ${escapeText(withWhat(known))}</p><p class="soft">${escapeText(says)}</p>
<a class="button" href="${retry ? '/basket' : '/'}">${retry ? 'Back to the basket' : 'To the shop'}</a></div>`,
  });
};

export const messagePage = (status: number, title: string, text: string): Response =>
  page({
    status,
    title,
    body: `<h1>${escapeText(title)}</h1><p class="soft">${escapeText(text)}</p><a class="button" href="/">To the shop</a>`,
  });

// The goods of the demonstration shop, and a shopper's basket in the form of the cookie.

export type ShopItem = { id: string; name: string; says: string; cents: number; hue: 'leaf' | 'clay' | 'sky' };

const goods: readonly ShopItem[] = [
  { id: 'tea', name: 'Harbour tea', says: 'Black tea with bergamot, 250 g', cents: 1290, hue: 'leaf' },
  { id: 'cup', name: 'Stoneware cup', says: 'Fired twice, holds 0.3 l', cents: 2400, hue: 'clay' },
  { id: 'cloth', name: 'Linen cloth', says: 'Washed linen, 50 × 70 cm', cents: 1650, hue: 'sky' },
];

/** Number of pieces by good. */
type Basket = ReadonlyMap<string, number>;

const MOST = 9;

/** `tea-2.cup-1`; malformed items are dropped. */
export const basketOf = (text: string): Basket =>
  new Map(
    text.split('.').flatMap((part): [string, number][] => {
      const [id = '', count = ''] = part.split('-');
      const isKnown = goods.some((good) => good.id === id) && /^[1-9]$/.test(count);
      return isKnown ? [[id, Number(count)]] : [];
    }),
  );

export const basketText = (basket: Basket): string => [...basket].map(([id, count]) => `${id}-${count}`).join('.');

/** The basket with this many more, or fewer, of the good. */
export const changed = (basket: Basket, id: string, by: number): Basket => {
  const count = Math.min(MOST, Math.max(0, (basket.get(id) ?? 0) + by));
  const others = [...basket].filter(([each]) => each !== id);
  return new Map(count === 0 || !goods.some((good) => good.id === id) ? others : [...others, [id, count]]);
};

export const totalOf = (basket: Basket): number =>
  goods.reduce((sum, { id, cents }) => sum + cents * (basket.get(id) ?? 0), 0);

/** In the format of the host API. */
export const amountOf = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

const priced = (cents: number): string => `€ ${amountOf(cents)}`;
