/** A till that knows no people yet: whether somebody chose to go on without names, or is adding the first manager. */
import { storeOf } from '../store.ts';

const KEY = 'tillgate.withoutNames';

const kept = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
};

export const withoutNames = storeOf(kept());

export const goOnWithoutNames = (): void => {
  try {
    localStorage.setItem(KEY, '1');
  } catch {
    // It is asked again when the page is loaded again.
  }
  withoutNames.set(true);
};

/** While the first manager is added and signed in: the session of nobody has ended, and theirs has not begun. */
export const founding = storeOf(false);
