/** What brands, limits and what the books count are called. */
import { fill } from '../base/placeholders.ts';
import type { Words } from './screens.ts';

/** What a table has by a name that only the running program knows; never what every object has. */
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

/** Of the host API's word, `MASTER`; a brand of the shop's own keeps its word. */
export const brandName = (brand: string | undefined): string => {
  return brand === undefined ? '' : (textFor(names, brand) ?? brand);
};

/** As `brandName`; a gift card, which is no brand, by this word of the reader's language. */
export const cardName = (brand: string | undefined, giftCard: string): string =>
  brand === 'GIFTCARD' ? giftCard : brandName(brand);

/** As `brandName`; the books' OTHER and GIFTCARD, which are no brands, have words in each language. */
export const bookedBrandName = (
  brand: string,
  { otherBrands, entryModes }: { otherBrands: string; entryModes: Readonly<Record<string, string>> },
): string => {
  if (brand === 'OTHER') return otherBrands;
  return cardName(brand, entryModes['GIFTCARD'] ?? brand);
};

/** What the books count, by the names that people of a language have for it. */

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
  return textFor<string>(words[part], name) ?? name;
};

/** What an offline limit, its value and its change are called: `chip.brands.MASTER.total` is of the chip. */

type Names = Pick<Words['manager'], 'limits' | 'entryModes' | 'operations' | 'otherBrands' | 'on' | 'off'>;

/** The kind that a limit is of, and the words of its name: what is limited first, then what it is limited for. */
export const limitParts = (key: string): { group: string; words: string[] } => {
  const path = key.split('.');
  const [first = ''] = path;
  const isGroup = path.length > 1 && ['chip', 'deferred', 'refunds'].includes(first);
  const rest = isGroup ? path.slice(1) : path;
  return { group: isGroup ? first : 'together', words: [rest.at(-1) ?? '', ...rest.slice(0, -1)] };
};

/** `All that waits, together · brand · Mastercard` */
export const limitName = (key: string, names: Names): string =>
  limitParts(key)
    .words.map((word) => wordOf(word, names))
    .join(' · ');

/** The same with its kind before it. What is for all kinds together needs no kind. */
export const wholeLimitName = (key: string, names: Names): string => {
  const { group } = limitParts(key);
  const name = limitName(key, names);
  return group === 'together' ? name : `${textFor<string>(names.limits.groups, group) ?? group}: ${name}`;
};

const wordOf = (word: string, { limits, entryModes, otherBrands }: Names): string => {
  if (word === 'other') return otherBrands;
  return textFor<string>(limits.names, word) ?? textFor<string>(entryModes, word) ?? brandName(word);
};

/** A value as the journal has it, JSON. Left out, a switch is off, a list the usual one, and all else has no limit. */
export const limitValue = (key: string, json: string | undefined, names: Names): string => {
  if (key === 'withoutDataAuthentication') return json === 'true' ? names.on : names.off;
  if (json === undefined) return key === 'operations' ? names.limits.usual : names.limits.noLimit;
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value)) return String(value);
  return value.map((one) => textFor<string>(names.operations, String(one)) ?? String(one)).join(', ');
};
