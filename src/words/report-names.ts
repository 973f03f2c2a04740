/** What the books count, by the names that people of a language have for it. */
import { brandName } from './brands.ts';
import type { Words } from './tables.ts';

export type Part = 'operations' | 'brands' | 'entryModes' | 'cashiers';

/** The books' own word for who sells where nobody signs in. */
export const NO_CASHIER = 'nobody signed in';

/** `NFC_ICC` among entry modes is Contactless; what has no name in a language keeps its own. */
export const countedName = (part: Part, name: string, words: Words['manager']): string => {
  if (part === 'brands') return brandName(name, words.otherBrands);
  if (part === 'cashiers') return name === NO_CASHIER ? words.noCashier : name;
  const names = words[part];
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name;
};
