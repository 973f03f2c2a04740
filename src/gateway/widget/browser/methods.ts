/** The ways to pay that one form offers: what is stored, cards as one, each other brand for itself. */
import { directDebitPanel, giftCardPanel, storedPanel, virtualAccountPanel, wayOutPanel } from './account-panels.ts';
import { brandIcon, brandLabel } from './brand-labels.ts';
import { cardPanel } from './card-panel.ts';
import type { CheckoutBrand, Stored } from './checkout.ts';
import type { MethodKind, Panel, Room, WidgetMethod } from './method.ts';
import { walletPanel } from './wallet-panel.ts';
import { walletFor } from './wallets.ts';
import { fill } from './words.ts';

const WALLETS = ['APPLEPAY', 'GOOGLEPAY', 'SAMSUNGPAY'];

/** `wanted` are the form's data-brands. What the gateway does not know for this checkout is left out. */
export const methodsOf = async (room: Room, wanted: readonly string[]): Promise<readonly WidgetMethod[]> => {
  const { checkout, options } = room;
  const brands = wanted.flatMap((name) => checkout.brands.filter((brand) => brand.name === name));
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
    ...(note === '' ? {} : { note }),
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

/** Undefined for a wallet that this browser does not have, and for accounts that are no shopper’s to type. */
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
