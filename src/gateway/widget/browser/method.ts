/** A way to pay as the list shows it, and the panel that opens under it. */
import type { CheckoutAddress, Reply, WidgetCheckout, WidgetParameters } from './checkout.ts';
import type { icons } from './dom.ts';
import type { WidgetLanguage } from './languages.ts';
import type { WidgetOptions } from './options.ts';
import type { WidgetError } from './widget-error.ts';
import type { WidgetWords } from './words.ts';

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
