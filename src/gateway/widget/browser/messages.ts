/** What the shop's page and the card's frame say to each other. The number is in none of it. */
import type { Reply, WidgetParameters } from './checkout.ts';
import type { Look } from './look.ts';
import type { WidgetWords } from './words.ts';

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
