/** The payment methods in one form: stored accounts, all cards as one method, and each other brand. */
import { directDebitPanel, giftCardPanel, storedPanel, virtualAccountPanel, wayOutPanel } from './account-panels.ts';
import { cardPanel } from './card-panel.ts';
import type { CheckoutBrand, Stored } from './checkout.ts';
import { freshId, icon, icons, make } from './dom.ts';
import { fill } from './languages.ts';
import { brandIcon, brandLabel, type MethodKind, type Panel, type Room, type WidgetMethod } from './method.ts';
import { walletFor, walletPanel } from './wallets.ts';

const WALLETS = ['APPLEPAY', 'GOOGLEPAY', 'SAMSUNGPAY'];

/** `expected` is the form's data-brands. Brands that this checkout does not accept are left out. */
export const methodsOf = async (room: Room, expected: readonly string[]): Promise<readonly WidgetMethod[]> => {
  const { checkout, options } = room;
  const brands = expected.flatMap((name) => checkout.brands.filter((brand) => brand.name === name));
  const stored = checkout.registrations.map((each) => storedMethod(room, each));
  if (stored.length > 0 && options.registrations.hideInitialPaymentForms) return stored;
  const cards = brands.filter(({ account }) => account === 'card');
  const others = await Promise.all(
    brands.filter(({ account }) => account !== 'card').map((each) => methodOf(room, each)),
  );
  return [
    ...stored,
    ...(cards.length === 0 ? [] : [cardMethod(room, cards, stored.length > 0)]),
    ...others.filter((method) => method !== undefined),
  ];
};

const cardMethod = (room: Room, cards: readonly CheckoutBrand[], another: boolean): WidgetMethod => {
  const names = cards.map(({ name }) => name);
  return {
    key: 'card',
    kind: 'card',
    brand: names[0] ?? '',
    label: another ? room.words.otherCard : room.words.card,
    badges: names,
    icon: 'card',
    asynchronous: false,
    open: () => cardPanel(room, { mode: 'card', brands: names }),
  };
};

const storedMethod = (room: Room, stored: Stored): WidgetMethod => {
  const { words, options, checkout } = room;
  const { id, brand, last4, holder, expiryMonth, expiryYear } = stored;
  const label = fill(words.cardEnding, { brand: brandLabel(brand, words), digits: last4 });
  const date = expiryMonth && expiryYear ? `${expiryMonth}/${expiryYear.slice(-2)}` : undefined;
  const note = [holder, date === undefined ? undefined : fill(words.expires, { date })].filter(Boolean).join(' · ');
  const account = checkout.brands.find(({ name }) => name === brand)?.account ?? 'card';
  const extra = { registrationId: id, paymentBrand: brand };
  const wantsCvv = options.registrations.requireCvv && account === 'card';
  return {
    key: id,
    kind: 'stored',
    brand,
    label,
    note: note || undefined,
    badges: [],
    icon: brandIcon(account, false),
    asynchronous: false,
    open: () =>
      wantsCvv
        ? cardPanel(room, { mode: 'cvv', brands: [brand], extra, summary: label })
        : storedPanel(room, extra, label),
  };
};

const kinds: Readonly<Record<string, [MethodKind, (room: Room, brand: CheckoutBrand) => Panel]>> = {
  bankAccount: ['directDebit', directDebitPanel],
  virtualAccount: ['virtualAccount', virtualAccountPanel],
  giftCard: ['giftCard', giftCardPanel],
};

/** Undefined for a wallet that this browser does not have, and for accounts that a shopper cannot type. */
const methodOf = async (room: Room, brand: CheckoutBrand): Promise<WidgetMethod | undefined> => {
  const { name, account, asynchronous } = brand;
  const common = {
    key: name,
    brand: name,
    label: brandLabel(name, room.words),
    badges: [],
    icon: brandIcon(account, asynchronous),
    asynchronous,
  };
  if (WALLETS.includes(name)) {
    const wallet = await walletFor(room, name);
    return wallet && { ...common, kind: 'wallet', open: () => walletPanel(room, brand, wallet) };
  }
  if (asynchronous || name === 'PREPAYMENT') {
    return { ...common, kind: 'redirect', open: () => wayOutPanel(room, brand) };
  }
  const [kind, panel] = kinds[account] ?? [];
  return kind && panel && { ...common, kind, open: () => panel(room, brand) };
};

// The list of payment methods: one is chosen, and its panel is open. A single method is shown without a list.

export type MethodList = {
  root: HTMLElement;
  chosen(): { method: WidgetMethod; panel: Panel };
  /** Moves the focus to the chosen method. */
  focus(): void;
  /** Clears the typed text of every method that was open. */
  empty(): void;
};

/** `changed` is called for the first choice too. */
export const methodList = (
  room: Room,
  methods: readonly [WidgetMethod, ...WidgetMethod[]],
  changed: (chosen: { method: WidgetMethod; panel: Panel }) => void,
): MethodList => {
  const group = freshId();
  const panels = new Map<WidgetMethod, Panel>();
  const rows = methods.map((method) => rowOf(room, method, group));
  let chosen: WidgetMethod = methods[0];
  const panelOf = (method: WidgetMethod): Panel => panels.get(method) ?? opened(method);
  const opened = (method: WidgetMethod): Panel => {
    const panel = method.open();
    panels.set(method, panel);
    rows.find((row) => row.method === method)?.place.append(panel.root);
    return panel;
  };
  const choose = (method: WidgetMethod): void => {
    chosen = method;
    const panel = panelOf(method);
    for (const row of rows) {
      const isChosen = row.method === method;
      row.radio.checked = isChosen;
      row.root.classList.toggle('wpwl-chosen', isChosen);
      row.place.hidden = !isChosen || isEmpty(panel);
    }
    changed({ method, panel });
  };
  for (const { radio, method } of rows) {
    radio.addEventListener('change', () => {
      choose(method);
      room.options.callbacks.onChangeBrand?.(method.brand);
    });
  }
  const alone = methods.length === 1;
  const root = make(
    'fieldset',
    { class: `wpwl-methods${alone ? ' wpwl-alone' : ''}` },
    make('legend', { class: alone ? 'wpwl-unseen' : 'wpwl-legend' }, room.words.paymentMethod),
    ...rows.map((row) => row.root),
  );
  choose(methods[0]);
  return {
    root,
    chosen: () => ({ method: chosen, panel: panelOf(chosen) }),
    focus: () => rows.find(({ method }) => method === chosen)?.radio.focus(),
    empty() {
      for (const panel of panels.values()) panel.empty();
    },
  };
};

/** Whether there is nothing to fill in. A card's frame may be inserted a moment later. */
const isEmpty = ({ root }: Panel): boolean => root.childElementCount === 0 && !root.classList.contains('wpwl-secure');

type Row = { root: HTMLElement; method: WidgetMethod; radio: HTMLInputElement; place: HTMLElement };

const rowOf = ({ words }: Room, method: WidgetMethod, group: string): Row => {
  const radio = make('input', { type: 'radio', class: 'wpwl-radio', name: group, value: method.key });
  const badges = make(
    'span',
    { class: 'wpwl-badges' },
    ...method.badges.map((name) => make('span', { class: `wpwl-badge wpwl-badge-${name}` }, brandLabel(name, words))),
  );
  const texts = make(
    'span',
    { class: 'wpwl-texts' },
    make('span', { class: 'wpwl-name' }, method.label),
    method.note === undefined ? undefined : make('span', { class: 'wpwl-note' }, method.note),
  );
  const place = make('div', { class: 'wpwl-panel' });
  const root = make(
    'div',
    { class: `wpwl-method wpwl-method-${method.kind}` },
    make('label', { class: 'wpwl-choice' }, radio, icon(icons[method.icon]), texts, badges),
    place,
  );
  return { root, method, radio, place };
};
