/**
 * Whether this till has a keyboard: buttons show key names only if one was used, which the browser remembers. A scanner
 * that types and an on-screen keyboard do not count.
 */
import { type KeyPress, showsKeyboard } from './key-presses.ts';

const KEY = 'tillgate.keyboard';
const wasKeyboardUsed = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
};

const rememberKeyboard = (): void => {
  document.documentElement.dataset['keyboard'] = 'used';
  try {
    localStorage.setItem(KEY, 'used');
  } catch {
    // If the browser cannot store it, it is known until the page is closed.
  }
};

/** Watches until a keyboard was used. */
export const watchKeyboard = (): void => {
  if (wasKeyboardUsed()) {
    rememberKeyboard();
    return;
  }
  let presses: KeyPress[] = [];
  const onKeyDown = ({ key, timeStamp, target, isTrusted }: KeyboardEvent): void => {
    const inField = target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null;
    const press = { key, at: timeStamp, inField };
    if (isTrusted && showsKeyboard(presses, press)) {
      removeEventListener('keydown', onKeyDown, { capture: true });
      rememberKeyboard();
    }
    presses = [...presses, press].slice(-2);
  };
  addEventListener('keydown', onKeyDown, { capture: true });
};
