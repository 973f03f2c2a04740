/** What the books count, by the names that people of a language have for it. */
import { bookedBrandName } from './brands.ts';
import { fill } from './fill.ts';
import type { Words } from './tables.ts';

export type Part = 'operations' | 'brands' | 'entryModes' | 'cashiers';

/** The books' own word for who sells where nobody signs in. */
export const NO_CASHIER = 'nobody signed in';

/** Who made a program's key, and which manager approved it. */
type ProgramKey = { readonly madeBy?: string; readonly approvedBy?: string };

/** Who stands for the program that sold, as it stands under its name. */
export const programWords = ({ madeBy = '', approvedBy = '' }: ProgramKey, { batches }: Words['manager']): string => {
  const { both, approved, approvedOnly, made, nobody } = batches.programKey;
  if (approvedBy === '') return madeBy === '' ? nobody : fill(made, { madeBy });
  if (madeBy === '') return fill(approvedOnly, { approvedBy });
  return madeBy === approvedBy ? fill(both, { approvedBy }) : fill(approved, { madeBy, approvedBy });
};

/** `NFC_ICC` among entry modes is Contactless; what has no name in a language keeps its own. */
export const countedName = (part: Part, name: string, words: Words['manager']): string => {
  if (part === 'brands') return bookedBrandName(name, words);
  if (part === 'cashiers') return name === NO_CASHIER ? words.noCashier : name;
  const names = words[part];
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name;
};
