/**
 * The formats of the spec (2.0): character sets, each with its description and sample characters; dates and times; web
 * addresses; and whether a value matches its row.
 */
import type { AlphabetName, ParameterRow } from './row.ts';

export type Alphabet = {
  /** The content of a regular expression's character class. */
  set: string;
  /** The name of its characters, used after a number. */
  words: string;
  /** A character in it, and one outside; undefined if every character is in it. */
  in: string;
  out?: string;
  /** A further pattern that the value must contain. */
  somewhere?: string;
};

/** Numbers and identifiers use A to Z; in names of people and places, a letter may be of any script. */
export const alphabets: Readonly<Record<AlphabetName, Alphabet>> = {
  any: { set: '\\s\\S', words: 'characters', in: 'x' },
  digits: { set: '0-9', words: 'digits', in: '7', out: 'x' },
  /** For names of people and places: letters of any script, and the signs between them. */
  letters: {
    set: "\\p{L}\\p{M} .,'’/&\\-",
    words: 'letters, spaces, dots, commas, apostrophes, slashes, ampersands or hyphens',
    in: 'ö',
    out: '7',
    somewhere: '\\p{L}',
  },
  latin: { set: 'A-Za-z', words: 'letters A to Z', in: 'q', out: '7' },
  upper: { set: 'A-Z', words: 'upper-case letters', in: 'Q', out: 'q' },
  alphanumeric: { set: 'A-Za-z0-9', words: 'letters or digits', in: 'q', out: '!' },
  alphanumericSpace: { set: '\\p{L}\\p{M}0-9\\s', words: 'letters, digits or spaces', in: 'é', out: '!' },
  alphanumericDot: { set: '\\p{L}\\p{M}0-9.', words: 'letters, digits or dots', in: '.', out: '!' },
  alphanumericPlace: { set: '\\p{L}\\p{M}0-9', words: 'letters or digits', in: 'é', out: '!' },
  alphanumericHyphen: { set: 'A-Za-z0-9\\-', words: 'letters, digits or hyphens', in: '-', out: '!' },
  alphanumericUnderscore: { set: 'A-Za-z0-9_', words: 'letters, digits or underscores', in: '_', out: '!' },
  alphanumericHyphenDot: {
    set: 'A-Za-z0-9+.\\-',
    words: 'letters, digits, plus signs, hyphens or dots',
    in: '.',
    out: '!',
  },
};

// Dates and times as the spec writes them (2.0: DATE, DATETIME), and whether they exist.

/** Whether the day exists, yyyy-MM-dd. */
export const isDate = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** Whether the second exists, yyyy-MM-dd HH:mm:ss. */
export const isDateTime = (text: string): boolean => !Number.isNaN(momentOf(text)) && isDate(text.slice(0, 10));

/** Whether the second exists; ignores what follows, such as a time zone offset. */
export const isMoment = (text: string): boolean => isDateTime(text.slice(0, 19));

/** Wall time in ms of yyyy-MM-dd HH:mm:ss, UTC; NaN if it does not exist. */
export const momentOf = (text: string): number =>
  text.slice(11, 13) < '24' ? Date.parse(`${text.replace(' ', 'T')}Z`) : Number.NaN;

// URLs as parameters: absolute, and safe to follow (RFC 3986; the URL standard's parser).

/** Schemes whose "address" runs a program or opens a file of the user who follows it. */
const UNSAFE = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:']);

/** An absolute URL of a website or an app: `scheme://…`. */
export const isAbsoluteUrl = (text: string): boolean => {
  const url = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/\S/.test(text) ? URL.parse(text) : null;
  return url !== null && !UNSAFE.has(url.protocol);
};

export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s/?#]/i.test(text) && URL.canParse(text);

// Whether a value matches its row. Compiled once for each row.

export type Fits = (value: string) => boolean;

const compiled = new WeakMap<ParameterRow, Fits>();

/** The row's test, created on first use. */
export const createFormatTest = (row: ParameterRow): Fits => {
  const cached = compiled.get(row);
  if (cached !== undefined) return cached;
  const newTest = compile(row);
  compiled.set(row, newTest);
  return newTest;
};

const compile = ({ form }: ParameterRow): Fits => {
  if (form.kind === 'words') {
    const words: ReadonlySet<string> = new Set(form.words);
    return (value) => words.has(value);
  }
  if (form.kind === 'shape') {
    const { pattern, check } = form;
    return check === undefined ? (value) => pattern.test(value) : (value) => pattern.test(value) && check(value);
  }
  const { min, max } = form;
  if (form.of === 'any') return (value) => isOfLength(value, min, max);
  const { set, somewhere } = alphabets[form.of];
  const pattern = new RegExp(`^${somewhere === undefined ? '' : `(?=.*${somewhere})`}[${set}]+$`, 'su');
  return (value) => isOfLength(value, min, max) && pattern.test(value);
};

/** Counts code points, but only if the number of UTF-16 units is inconclusive. */
const isOfLength = (value: string, min: number, max: number): boolean => {
  const units = value.length;
  if (units < min || units > 2 * max) return false;
  if (units <= max && units >= 2 * min) return true;
  let points = 0;
  for (const _ of value) points += 1;
  return points >= min && points <= max;
};
