/** Whether somebody at a till that knows no people yet chose to go on without names. */
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
