/** The vocabulary of the spec's tables (2.0). A kind is a zod schema with sentence, example and marks registered. */
import * as z from 'zod';
import { isCurrency } from '../../base/currencies.ts';

/**
 * How far a value may travel. personal: not into logs. account: not into logs, error answers or the store.
 * authentication: sensitive authentication data; not even a hash of it outlives the request.
 */
export type Secrecy = 'personal' | 'account' | 'authentication';

export type Marks = {
  /** What it is, for the documents. */
  says: string;
  /** The words after "must be". */
  wants: string;
  example: string;
  secret?: Secrecy;
  /** Harmless, kept with the payment and given back in its answer. */
  echo?: true;
  /** For maps: the words for a key that is refused. */
  wantsKey?: string;
};

export type Options = Pick<Marks, 'example' | 'secret' | 'echo'>;

/** The marks of every row. A row is one schema object, so its marks are found by identity. */
export const marks = z.registry<Marks>();

export const marksOf = (row: z.ZodType): Marks => {
  const found = marks.get(row);
  return found ?? { says: '', wants: 'valid', example: '', secret: 'authentication' };
};

const mark = <S extends z.ZodType>(schema: S, of: Marks): S => {
  marks.add(schema, of);
  return schema;
};

const length = (min: number, max: number, unit: string): string =>
  min === max ? `${max} ${unit}` : min === 1 ? `up to ${max} ${unit}` : `${min} to ${max} ${unit}`;

/** A text of this form, with the form in words. */
export const shape = (form: RegExp, wants: string, says: string, options: Options) =>
  mark(z.string().regex(form), { says, wants, ...options });

/** N: digits. */
export const n = (bounds: readonly [number, number], says: string, options: Options) =>
  shape(new RegExp(`^[0-9]{${bounds.join(',')}}$`), length(...bounds, 'digits'), says, options);

/** Letters and digits, where the spec says so. */
export const an = (bounds: readonly [number, number], says: string, options: Options) =>
  shape(new RegExp(`^[A-Za-z0-9]{${bounds.join(',')}}$`), length(...bounds, 'letters or digits'), says, options);

/** AN: any characters; their number counts code points, so that one smiling face is one. */
export const text = (bounds: readonly [number, number], says: string, options: Options) =>
  shape(new RegExp(`^.{${bounds.join(',')}}$`, 'su'), length(...bounds, 'characters'), says, options);

/** A in names of people: letters of any script, and the marks that stand between them. At least one letter. */
export const letters = (bounds: readonly [number, number], says: string, options: Options) =>
  shape(
    new RegExp(`^(?=.*\\p{L})[\\p{L}\\p{M} .,'’/&-]{${bounds.join(',')}}$`, 'u'),
    `${length(...bounds, 'letters')}, spaces, dots, commas, apostrophes, slashes, ampersands or hyphens`,
    says,
    options,
  );

/** The spec's amount: up to 10 digits, then optionally a dot and exactly 2 decimals. */
export const amount = (says: string, options: Options) =>
  shape(/^[0-9]{1,10}(\.[0-9]{2})?$/, 'up to 10 digits, then optionally a dot and 2 decimals', says, options);

/** CCY: three upper-case letters that ISO 4217 lists. */
export const currency = (says: string, options: Options) =>
  mark(z.string().refine(isCurrency), { says, wants: 'an ISO 4217 currency code such as EUR', ...options });

/** One of the listed words. The sentence is the one clients of this interface know. */
export const oneOf = <const W extends readonly [string, ...string[]]>(words: W, says: string, options: Options) =>
  mark(z.enum(words), { says, wants: `one of [${words.join(', ')}]`, ...options });

/** true or false; 1 and 0 are what PHP clients send for them. */
export const flag = (says: string, options: Options) =>
  mark(z.enum(['true', 'false', '1', '0']), { says, wants: 'true or false', ...options });

/** A free map, `name[KEY]=value`. At most 100 keys. */
export const map = (key: RegExp, value: z.ZodType<string>, of: Marks) =>
  mark(
    z.record(z.string().regex(key), value).refine((entries) => Object.keys(entries).length <= 100),
    of,
  );

export const isMap = (row: z.ZodType): boolean => row instanceof z.ZodRecord;
