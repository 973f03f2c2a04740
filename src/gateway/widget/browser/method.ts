/** A payment method in the list, and the panel that opens under it. */

import type { WidgetWords } from '../../../locales/shopper/en.ts';
import { cardBrandNamed } from './card-data.ts';
import type { CheckoutAddress, Reply, WidgetCheckout, WidgetParameters } from './checkout.ts';
import type { icons } from './dom.ts';
import type { WidgetLanguage } from './languages.ts';
import type { WidgetError, WidgetOptions } from './options.ts';

/** The shared context of all parts of one widget. */
export type WidgetContext = {
  checkoutAddress: CheckoutAddress;
  checkout: WidgetCheckout;
  options: WidgetOptions;
  words: WidgetWords;
  language: WidgetLanguage;
  /** Presses the pay button. */
  submit: () => void;
  onError: (error: WidgetError) => void;
};

export type Panel = {
  root: HTMLElement;
  /** Shows the errors, and moves the focus to the first. */
  check(): Promise<boolean>;
  /** Sends these parameters and the panel's own. Never rejects. */
  send(parameters: WidgetParameters): Promise<Reply>;
  focus(): void;
  /** Clears the typed text. */
  empty(): void;
  summary(): string;
  /** The account can be stored for the next time, with this text for the offer. */
  remembers?: 'saveCard' | 'saveAccount';
  /** The panel has a button of its own, so the common one is hidden. */
  ownButton?: true;
};

export type MethodKind = 'card' | 'stored' | 'directDebit' | 'virtualAccount' | 'redirect' | 'giftCard' | 'wallet';

export type WidgetMethod = {
  /** Identifies the method within one widget. */
  key: string;
  kind: MethodKind;
  /** paymentBrand; for cards the first accepted one. */
  brand: string;
  label: string;
  /** A second line, in smaller type. */
  note?: string;
  badges: readonly string[];
  icon: keyof typeof icons;
  asynchronous: boolean;
  /** Called when it is chosen for the first time. */
  open: () => Panel;
};

// Names and badges of brands: as text, because the schemes' and providers' logos belong to them.

const names: Readonly<Record<string, string>> = {
  PAYPAL: 'PayPal',
  SOFORTUEBERWEISUNG: 'Sofort',
  APPLEPAY: 'Apple Pay',
  GOOGLEPAY: 'Google Pay',
  SAMSUNGPAY: 'Samsung Pay',
  // Short, because they are shown side by side.
  AMEX: 'Amex',
  DINERS: 'Diners',
};

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
