/** While the first manager is added and signed in: the session of nobody has ended, and theirs has not begun. */
import { storeOf } from '../store.ts';

export const founding = storeOf(false);
