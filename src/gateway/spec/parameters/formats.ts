/**
 * The formats of the spec (2.0): character sets, each with its words and with characters in and out of it; days and
 * times; addresses of the web; and whether a value fits its row.
 */
import type { AlphabetName, ParameterRow } from './row.ts';

export type Alphabet = {
  /** The inside of a regular expression's character class. */
  set: string;
  /** What its characters are called, after a number. */
  words: string;
  /** A character in it, and one outside; undefined where every character is in it. */
  in: string;
  out?: string;
  /** What must stand somewhere in the value besides. */
  somewhere?: string;
};

/** Numbers and identifiers are written in A to Z; in names of people and places a letter is one of any script. */
export const alphabets: Readonly<Record<AlphabetName, Alphabet>> = {
  any: { set: '\\s\\S', words: 'characters', in: 'x' },
  digits: { set: '0-9', words: 'digits', in: '7', out: 'x' },
  /** A in names of people and places: letters of any script, and the signs that stand between them. */
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

// Days and times as the spec writes them (2.0: DATE, DATETIME), and whether there is such a day.

/** Whether there is such a day, yyyy-MM-dd. */
export const isDate = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** Whether there is such a second, yyyy-MM-dd HH:mm:ss. */
export const isDateTime = (text: string): boolean => !Number.isNaN(momentOf(text)) && isDate(text.slice(0, 10));

/** Whether there is such a second; what follows it, a zone's offset, is not looked at. */
export const isMoment = (text: string): boolean => isDateTime(text.slice(0, 19));

/** Wall time in ms of yyyy-MM-dd HH:mm:ss, UTC; NaN if there is no such time. */
export const momentOf = (text: string): number =>
  text.slice(11, 13) < '24' ? Date.parse(`${text.replace(' ', 'T')}Z`) : Number.NaN;

// URLs as parameters: absolute, and such that following them runs nothing (RFC 3986; the URL standard's parser).

/** Schemes whose "address" is a program or a file of the one who follows it. */
const UNSAFE = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:']);

/** An absolute URL of a website or an app: `scheme://…`. */
export const isAbsoluteUrl = (text: string): boolean => {
  const url = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/\S/.test(text) ? URL.parse(text) : null;
  return url !== null && !UNSAFE.has(url.protocol);
};

/** An absolute URL of the web. */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s/?#]/i.test(text) && URL.canParse(text);

// Whether a value fits its row. Compiled once for each row.

export type Fits = (value: string) => boolean;

const compiled = new WeakMap<ParameterRow, Fits>();

/** The row's test, made on first use. */
export const fits = (row: ParameterRow): Fits => {
  const known = compiled.get(row);
  if (known !== undefined) return known;
  const made = compile(row);
  compiled.set(row, made);
  return made;
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

/** In code points. Counting them is needed only when UTF-16 units leave it open. */
const isOfLength = (value: string, min: number, max: number): boolean => {
  const units = value.length;
  if (units < min || units > 2 * max) return false;
  if (units <= max && units >= 2 * min) return true;
  let points = 0;
  for (const _ of value) points += 1;
  return points >= min && points <= max;
};
