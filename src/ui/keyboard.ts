/**
 * Whether this till has a keyboard: the names of keys stand on buttons only where one was used. The browser remembers
 * it. A scanner that types like a keyboard, and a keyboard on the glass, are none.
 */
import { type Struck, showsKeyboard } from './struck-keys.ts';

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
    // A browser may refuse to keep anything: then it is known as long as the page stands.
  }
};

/** From now on, until one was used. */
export const watchKeyboard = (): void => {
  if (isKept()) {
    keep();
    return;
  }
  let struck: Struck[] = [];
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
