/** A till without people: whether somebody chose to continue without names, or is adding the first manager. */
import { createStore } from '../store.ts';

const KEY = 'tillgate.withoutNames';

const isStored = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
};

export const withoutNames = createStore(isStored());

export const continueWithoutNames = (): void => {
  try {
    localStorage.setItem(KEY, '1');
  } catch {
    // It is asked again when the page is reloaded.
  }
  withoutNames.set(true);
};

/** While the first manager is added and signed in: the session without a person has ended, and theirs has not begun. */
export const isAddingFirstManager = createStore(false);
