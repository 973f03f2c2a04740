/** What the shop's page and the card's frame say to each other. The number is in none of it. */
import type { Reply, WidgetParameters } from './checkout.ts';
import type { WidgetWords } from './languages.ts';

/** From the frame, by window message, to whoever embeds it: here I am. It holds nothing that is secret. */
export const HELLO = 'tillgate:card-frame';

/** To the frame, by window message, with the port on which all the rest goes. */
export type FrameOpening = {
  kind: 'open';
  /** `cvv`: only the security code of a card that the gateway has already. */
  mode: 'card' | 'cvv';
  brands: readonly string[];
  words: WidgetWords;
  language: string;
  direction: 'ltr' | 'rtl';
  look: Look;
  requireCvv: boolean;
  allowEmptyCvv: boolean;
  brandDetection: boolean;
  showCvvHint: boolean;
  maskCvv: boolean;
  numberFormatting: boolean;
  autofocus: boolean;
  part: 'payment' | 'registration';
};

export type CardField = 'cardNumber' | 'expiry' | 'cvv' | 'cardHolder';

export type FromFrame =
  | { kind: 'ready' }
  | { kind: 'height'; px: number }
  | { kind: 'brand'; names: readonly string[] }
  | { kind: 'bin'; bin: string }
  | { kind: 'focus' }
  | { kind: 'blur'; field: CardField; valid: boolean }
  | { kind: 'enter' }
  | { kind: 'checked'; call: number; valid: boolean; brand: string; last4: string }
  | { kind: 'sent'; call: number; reply: Reply };

export type ToFrame =
  | { kind: 'check'; call: number }
  | { kind: 'send'; call: number; parameters: WidgetParameters }
  | { kind: 'look'; look: Look }
  | { kind: 'empty' }
  | { kind: 'focus' };

// The look that the shop gave the widget, as far as the card's frame follows it: colours, corners, letters.

const names = ['text', 'muted', 'line', 'soft', 'surface', 'field', 'accent', 'error', 'radius', 'font'];

type Look = { dark: boolean; values: Readonly<Record<string, string>> };

/** Reads it where the widget stands. Dark where the page is: a page says so by its `color-scheme`. */
export const lookOf = (element: Element): Look => {
  const style = getComputedStyle(element);
  const schemes = style.colorScheme.split(' ');
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  return {
    dark: schemes.includes('dark') && (!schemes.includes('light') || prefersDark),
    values: Object.fromEntries(
      names.map((name) => [`--wpwl-${name}`, style.getPropertyValue(`--wpwl-${name}`).trim()]),
    ),
  };
};

/** Nothing that loads from anywhere. */
const HARMLESS = /^[\w#%.,()\s"'/-]{1,200}$/;

export const wear = (root: HTMLElement, { dark, values }: Look): void => {
  root.style.colorScheme = dark ? 'dark' : 'light';
  for (const [name, value] of Object.entries(values)) {
    const isKnown = names.some((each) => name === `--wpwl-${each}`);
    if (isKnown && HARMLESS.test(value) && !/url/i.test(value)) root.style.setProperty(name, value);
  }
};
