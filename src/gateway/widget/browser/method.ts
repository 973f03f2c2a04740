/** A way to pay as the list shows it, and the panel that opens under it. */
import { cardBrandNamed } from './card-data.ts';
import type { CheckoutAddress, Reply, WidgetCheckout, WidgetParameters } from './checkout.ts';
import type { icons } from './dom.ts';
import type { WidgetLanguage, WidgetWords } from './languages.ts';
import type { WidgetError, WidgetOptions } from './options.ts';

/** What every part of one widget works with. */
export type Room = {
  place: CheckoutAddress;
  checkout: WidgetCheckout;
  options: WidgetOptions;
  words: WidgetWords;
  language: WidgetLanguage;
  /** Presses the pay button. */
  submit: () => void;
  failed: (error: WidgetError) => void;
};

export type Panel = {
  root: HTMLElement;
  /** Shows what is wrong, and puts the cursor there. */
  check(): Promise<boolean>;
  /** Sends these and the panel's own. Never rejects. */
  send(parameters: WidgetParameters): Promise<Reply>;
  focus(): void;
  /** Forgets what was typed. */
  empty(): void;
  /** What the summary says of it. */
  summary(): string;
  /** It can be remembered for the next time, and by which words that is offered. */
  remembers?: 'saveCard' | 'saveAccount';
  /** It has a button of its own, and the common one goes. */
  ownButton?: true;
};

export type MethodKind = 'card' | 'stored' | 'directDebit' | 'virtualAccount' | 'redirect' | 'giftCard' | 'wallet';

export type WidgetMethod = {
  /** Of all methods of one widget this one. */
  key: string;
  kind: MethodKind;
  /** paymentBrand; of cards the first that is taken. */
  brand: string;
  label: string;
  /** A second line, in smaller letters. */
  note?: string;
  badges: readonly string[];
  icon: keyof typeof icons;
  asynchronous: boolean;
  /** Made when it is chosen for the first time. */
  open: () => Panel;
};

// How brands are called and drawn: in letters, since the schemes' and providers' own marks are theirs.

const names: Readonly<Record<string, string>> = {
  PAYPAL: 'PayPal',
  SOFORTUEBERWEISUNG: 'Sofort',
  APPLEPAY: 'Apple Pay',
  GOOGLEPAY: 'Google Pay',
  SAMSUNGPAY: 'Samsung Pay',
  // Short, since they stand side by side.
  AMEX: 'Amex',
  DINERS: 'Diners',
};

/** What the shopper reads for a brand. */
export const brandLabel = (name: string, words: WidgetWords): string => {
  if (name === 'DIRECTDEBIT_SEPA') return `${words.directDebit} (SEPA)`;
  if (name === 'PREPAYMENT') return words.prepayment;
  if (name === 'GIFTCARD') return words.giftCard;
  return names[name] ?? cardBrandNamed(name).label;
};

const byAccount: Readonly<Record<string, keyof typeof icons>> = {
  card: 'card',
  bankAccount: 'bank',
  virtualAccount: 'person',
  giftCard: 'gift',
};

export const brandIcon = (account: string, asynchronous: boolean): keyof typeof icons =>
  asynchronous ? 'away' : (byAccount[account] ?? 'card');
