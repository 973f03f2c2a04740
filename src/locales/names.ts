/** The names of brands, limits and the groups that the books count. */
import { fill, formatList } from '../base/placeholders.ts';
import type { Words } from './screens.ts';

/** The table's text for a name that is known only at run time; never a property that every object has. */
export const textFor = <T>(table: Readonly<Partial<Record<string, T>>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const names: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTER: 'Mastercard',
  MAESTRO: 'Maestro',
  AMEX: 'American Express',
  DINERS: 'Diners Club',
  DISCOVER: 'Discover',
  JCB: 'JCB',
  UNIONPAY: 'UnionPay',
  CARTEBLEUE: 'Carte Bleue',
  INTERAC: 'Interac',
};

/** The name for a brand of the host API, such as `MASTER`; a shop's own brand keeps its name. */
export const brandName = (brand: string | undefined): string => {
  return brand === undefined ? '' : (textFor(names, brand) ?? brand);
};

/** As `brandName`; a gift card, which has no brand, gets this name. */
export const cardName = (brand: string | undefined, giftCard: string): string =>
  brand === 'GIFTCARD' ? giftCard : brandName(brand);

/** As `brandName`; OTHER and GIFTCARD of the books, which are not brands, have names in each language. */
export const bookedBrandName = (
  brand: string,
  { otherBrands, entryModes }: { otherBrands: string; entryModes: Readonly<Record<string, string>> },
): string => {
  if (brand === 'OTHER') return otherBrands;
  return cardName(brand, entryModes['GIFTCARD'] ?? brand);
};

/** The groups that the books count, and their names in the reader's language. */

export type Part = 'operations' | 'brands' | 'entryModes' | 'cashiers';

/** The books' entry for sales without a cashier. */
export const NO_CASHIER = 'nobody signed in';

/** Who created a program's key, and which manager approved it. */
type ProgramKey = { readonly madeBy?: string; readonly approvedBy?: string };

/** The people responsible for a program, as shown below its name. */
export const programWords = ({ madeBy = '', approvedBy = '' }: ProgramKey, { batches }: Words['manager']): string => {
  const { both, approved, approvedOnly, made, nobody } = batches.programKey;
  if (approvedBy === '') return madeBy === '' ? nobody : fill(made, { madeBy });
  if (madeBy === '') return fill(approvedOnly, { approvedBy });
  return madeBy === approvedBy ? fill(both, { approvedBy }) : fill(approved, { madeBy, approvedBy });
};

/** The entry mode `NFC_ICC` is Contactless; a group without a name in the language keeps its own. */
export const nameOfPart = (part: Part, name: string, words: Words['manager']): string => {
  if (part === 'brands') return bookedBrandName(name, words);
  if (part === 'cashiers') return name === NO_CASHIER ? words.noCashier : name;
  return textFor<string>(words[part], name) ?? name;
};

/** The names of offline limits, their values and changes: `chip.brands.MASTER.total` belongs to the group `chip`. */

type Names = Pick<Words['manager'], 'limits' | 'entryModes' | 'operations' | 'otherBrands' | 'on' | 'off'>;
type LimitReader = { names: Names; language: string };

/** The group of a limit and the parts of its name: first what is limited, then for what. */
export const limitParts = (key: string): { group: string; words: string[] } => {
  const path = key.split('.');
  const [first = ''] = path;
  const isGroup = path.length > 1 && ['chip', 'deferred', 'refunds'].includes(first);
  const rest = isGroup ? path.slice(1) : path;
  return { group: isGroup ? first : 'together', words: [rest.at(-1) ?? '', ...rest.slice(0, -1)] };
};

/** `Total waiting to be sent · brand · Mastercard` */
export const limitName = (key: string, names: Names): string =>
  limitParts(key)
    .words.map((word) => wordOf(word, names))
    .join(' · ');

/** The same, preceded by its group. A limit for all groups together has none. */
export const wholeLimitName = (key: string, names: Names): string => {
  const { group } = limitParts(key);
  const name = limitName(key, names);
  return group === 'together' ? name : `${textFor<string>(names.limits.groups, group) ?? group}: ${name}`;
};

const wordOf = (word: string, { limits, entryModes, otherBrands }: Names): string => {
  if (word === 'other') return otherBrands;
  return textFor<string>(limits.names, word) ?? textFor<string>(entryModes, word) ?? brandName(word);
};

/**
 * A value as the journal has it, JSON. If absent, a switch is off, a list is the usual one, and anything else has no
 * limit.
 */
export const limitValue = (key: string, json: string | undefined, { names, language }: LimitReader): string => {
  if (key === 'withoutDataAuthentication') return json === 'true' ? names.on : names.off;
  if (json === undefined) return key === 'operations' ? names.limits.usual : names.limits.noLimit;
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value)) return String(value);
  return formatList(language)(value.map((one) => textFor<string>(names.operations, String(one)) ?? String(one)));
};
