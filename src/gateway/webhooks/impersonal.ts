/** Echoed parameters without those that say who the shopper is. */
import { isPersonal } from '../spec/parameters/all.ts';

/** Own parameters are the merchant's, and come back to nobody else. */
const isKept = (name: string): boolean => name.startsWith('customParameters') || !isPersonal(name);

export const impersonal = (echo: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(echo).filter(([name]) => isKept(name)));
