/** The payment methods in one form: stored accounts, all cards as one method, and each other brand. */
import { directDebitPanel, giftCardPanel, redirectPanel, storedPanel, virtualAccountPanel } from './account-panels.ts';
import { cardPanel } from './card-panel.ts';
import type { CheckoutBrand, Stored } from './checkout.ts';
import { freshId, icon, icons, make } from './dom.ts';
import { fill } from './languages.ts';
import { brandIcon, brandLabel, type MethodKind, type Panel, type WidgetContext, type WidgetMethod } from './method.ts';
import { walletFor, walletPanel } from './wallets.ts';

const WALLETS = ['APPLEPAY', 'GOOGLEPAY', 'SAMSUNGPAY'];

/** `expected` is the form's data-brands. Brands that this checkout does not accept are left out. */
export const methodsOf = async (
  context: WidgetContext,
  expected: readonly string[],
): Promise<readonly WidgetMethod[]> => {
  const { checkout, options } = context;
  const brands = expected.flatMap((name) => checkout.brands.filter((brand) => brand.name === name));
  const storedMethods = checkout.registrations.map((each) => createStoredMethod(context, each));
  if (storedMethods.length > 0 && options.registrations.hideInitialPaymentForms) return storedMethods;
  const cards = brands.filter(({ account }) => account === 'card');
  const others = await Promise.all(
    brands.filter(({ account }) => account !== 'card').map((each) => methodOf(context, each)),
  );
  return [
    ...storedMethods,
    ...(cards.length === 0 ? [] : [cardMethod(context, cards, storedMethods.length > 0)]),
    ...others.filter((method) => method !== undefined),
  ];
};

const cardMethod = (context: WidgetContext, cards: readonly CheckoutBrand[], another: boolean): WidgetMethod => {
  const names = cards.map(({ name }) => name);
  return {
    key: 'card',
    kind: 'card',
    brand: names[0] ?? '',
    label: another ? context.words.otherCard : context.words.card,
    badges: names,
    icon: 'card',
    asynchronous: false,
    open: () => cardPanel(context, { mode: 'card', brands: names }),
  };
};

const createStoredMethod = (context: WidgetContext, storedMethods: Stored): WidgetMethod => {
  const { words, options, checkout } = context;
  const { id, brand, last4, holder, expiryMonth, expiryYear } = storedMethods;
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
        ? cardPanel(context, { mode: 'cvv', brands: [brand], extra, summary: label })
        : storedPanel(context, extra, label),
  };
};

const kinds: Readonly<Record<string, [MethodKind, (context: WidgetContext, brand: CheckoutBrand) => Panel]>> = {
  bankAccount: ['directDebit', directDebitPanel],
  virtualAccount: ['virtualAccount', virtualAccountPanel],
  giftCard: ['giftCard', giftCardPanel],
};

/** Undefined for a wallet that this browser does not have, and for accounts that a shopper cannot type. */
const methodOf = async (context: WidgetContext, brand: CheckoutBrand): Promise<WidgetMethod | undefined> => {
  const { name, account, asynchronous } = brand;
  const common = {
    key: name,
    brand: name,
    label: brandLabel(name, context.words),
    badges: [],
    icon: brandIcon(account, asynchronous),
    asynchronous,
  };
  if (WALLETS.includes(name)) {
    const wallet = await walletFor(context, name);
    return wallet && { ...common, kind: 'wallet', open: () => walletPanel(context, brand, wallet) };
  }
  if (asynchronous || name === 'PREPAYMENT') {
    return { ...common, kind: 'redirect', open: () => redirectPanel(context, brand) };
  }
  const [kind, panel] = kinds[account] ?? [];
  return kind && panel && { ...common, kind, open: () => panel(context, brand) };
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
  context: WidgetContext,
  methods: readonly [WidgetMethod, ...WidgetMethod[]],
  changed: (chosen: { method: WidgetMethod; panel: Panel }) => void,
): MethodList => {
  const group = freshId();
  const panels = new Map<WidgetMethod, Panel>();
  const rows = methods.map((method) => rowOf(context, method, group));
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
      context.options.callbacks.onChangeBrand?.(method.brand);
    });
  }
  const isSingle = methods.length === 1;
  const root = make(
    'fieldset',
    { class: `wpwl-methods${isSingle ? ' wpwl-alone' : ''}` },
    make('legend', { class: isSingle ? 'wpwl-unseen' : 'wpwl-legend' }, context.words.paymentMethod),
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

const rowOf = ({ words }: WidgetContext, method: WidgetMethod, group: string): Row => {
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
