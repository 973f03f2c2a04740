/** A till without people: whether somebody chose to continue without names, or is adding the first manager. */
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
    // It is asked again when the page is reloaded.
  }
  withoutNames.set(true);
};

/** While the first manager is added and signed in: the session without a person has ended, and theirs has not begun. */
export const isAddingFirstManager = storeOf(false);
