/** Which languages run from right to left. */
import type { Language } from './tables.ts';

export const rightToLeft: readonly Language[] = ['ar'];
