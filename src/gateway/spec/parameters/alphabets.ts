/** The character sets of the spec's formats (2.0), each with its words and with characters in and out of it. */
import type { AlphabetName } from './row.ts';

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
