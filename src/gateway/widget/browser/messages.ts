/** The messages between the shop's page and the card's frame. None contains the card number. */

import type { WidgetWords } from '../../../locales/shopper/en.ts';
import type { Reply, WidgetParameters } from './checkout.ts';

/** From the frame, by window message, to the embedding page: the frame is ready. It contains nothing secret. */
export const HELLO = 'tillgate:card-frame';

/** To the frame, by window message, with the port for all further messages. */
export type FrameOpening = {
  kind: 'open';
  /** `cvv`: only the security code of a card that the gateway already has. */
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

// The parts of the shop's style that the card's frame adopts: colours, corners, fonts.

const names = ['text', 'muted', 'line', 'soft', 'surface', 'field', 'accent', 'error', 'radius', 'font'];

type Look = { dark: boolean; values: Readonly<Record<string, string>> };

/** Reads the style of the widget's element. It is dark if the page declares a dark `color-scheme`. */
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

/** Accepts only values that load nothing. */
const HARMLESS = /^[\w#%.,()\s"'/-]{1,200}$/;

export const applyLook = (root: HTMLElement, { dark, values }: Look): void => {
  root.style.colorScheme = dark ? 'dark' : 'light';
  for (const [name, value] of Object.entries(values)) {
    const isKnown = names.some((each) => name === `--wpwl-${each}`);
    if (isKnown && HARMLESS.test(value) && !/url/i.test(value)) root.style.setProperty(name, value);
  }
};
