/**
 * Whether this till has a keyboard: buttons show key names only if one was used, which the browser remembers. A scanner
 * that types and an on-screen keyboard do not count.
 */
import { type KeyPress, showsKeyboard } from './key-presses.ts';

const PLACE = 'tillgate.keyboard';
const isKept = (): boolean => {
  try {
    return localStorage.getItem(PLACE) !== null;
  } catch {
    return false;
  }
};

const keep = (): void => {
  document.documentElement.dataset['keyboard'] = 'used';
  try {
    localStorage.setItem(PLACE, 'used');
  } catch {
    // If the browser cannot store it, it is known until the page is closed.
  }
};

/** Watches until a keyboard was used. */
export const watchKeyboard = (): void => {
  if (isKept()) {
    keep();
    return;
  }
  let struck: KeyPress[] = [];
  const hear = ({ key, timeStamp, target, isTrusted }: KeyboardEvent): void => {
    const inField = target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null;
    const now = { key, at: timeStamp, inField };
    if (isTrusted && showsKeyboard(struck, now)) {
      removeEventListener('keydown', hear, { capture: true });
      keep();
    }
    struck = [...struck, now].slice(-2);
  };
  addEventListener('keydown', hear, { capture: true });
};
