/**
 * Card data in texts that people and programs write: memos, references, names, reasons. It is refused where the author
 * can write the text again, and masked where nobody can.
 *
 * A card number has 14 to 19 digits, a correct check digit, a length that its brand uses, and a prefix in one of the
 * brands' ranges: one in thirty random numbers of 16 digits qualifies; dates, times, barcodes of 13 digits, phone
 * numbers and IMEIs do not. Its digits may be of any script and in groups. A longer number without gaps does not count,
 * and neither do digits in a long hexadecimal id. Deliberately encoded data (base64, hex of characters) is not searched
 * for: no rule would cover it.
 */
import { printable } from '../base/mask.ts';
import { type Brand, brandOfPan } from './brands.ts';
import { luhnIsValid } from './luhn.ts';

export type CardTextKind = 'card number' | 'card security code' | 'track';

type Place = { kind: CardTextKind; from: number; to: number };

/** The forbidden data in the text, the worst first; undefined for most texts. */
export const cardDataIn = (text: string): CardTextKind | undefined => {
  if (!mayHold(text)) return undefined;
  const places = [text, ...decode(text)].flatMap((each) => placesIn(asciiDigits(each)));
  if (places.length === 0) return undefined;
  const kinds = new Set(places.map(({ kind }) => kind));
  return (['track', 'card number', 'card security code'] as const).find((kind) => kinds.has(kind));
};

/** The text with every digit of card data starred, except the last four of a card number. */
export const withoutCardData = (text: string): string => {
  if (!mayHold(text)) return text;
  const places = placesIn(asciiDigits(text));
  if (places.length === 0) return text;
  return places.reduce((masked, { kind, from, to }) => {
    const inside = masked.slice(from, to);
    let left = [...inside.matchAll(DIGIT)].length - (kind === 'card number' ? 4 : 0);
    const starred = inside.replace(DIGIT, (digit) => (left-- > 0 ? '*'.repeat(digit.length) : digit));
    return `${masked.slice(0, from)}${starred}${masked.slice(to)}`;
  }, text);
};

/**
 * Untrusted text (from a device, an issuer), made safe to keep and print: card data starred, the rest as `printable`.
 */
export const safeText = (text: string, most?: number): string => printable(withoutCardData(text), most);

/** Whether it is an application identifier in hex, which begins with a letter: no card number does. */
export const isAid = (text: string): boolean => /^[A-F][0-9A-F]{9,31}$/.test(text);

const DIGIT = /\p{Nd}/gu;

/** The lengths of each brand's numbers. Visa's of 13 digits are long obsolete, and look like barcodes. */
const lengths: Readonly<Record<Brand, (length: number) => boolean>> = {
  VISA: (length) => length === 16 || length === 19,
  MASTER: (length) => length === 16,
  AMEX: (length) => length === 15,
  DINERS: (length) => length === 14 || length === 16,
  DISCOVER: (length) => length >= 16,
  JCB: (length) => length >= 16,
  MAESTRO: (length) => length >= 16,
  UNIONPAY: (length) => length >= 16,
  CARTEBLEUE: () => false,
  INTERAC: () => false,
};
const [SHORTEST, LONGEST] = [14, 19];

const BRAND_DIGITS = 6;

/** Groups of digits, and the characters between those of a number: blanks, hyphens, dots, slashes. Lists use commas. */
const GROUPS = /\d+(?:[\p{Zs}\t\p{Cf}\p{Pd}./_*·]{1,3}\d+)*/gu;
/** The sentinels of track 1, and of track 2 with its separator; tags 5A and 57 in hex. */
const TRACKS =
  /%?B\d{12,19}\^[^^\n]{2,26}\^\d{4}|;\d{12,19}=\d{4,}|(?<![0-9A-Za-z])\d{12,19}[=D]\d{7,}|5[Aa]08\d{16}|57(?:0[9A-Fa-f]|1[0-3])\d{12,19}[Dd]\d{7,}/g;
/** Words that can only mean a card's security code, in the till's languages, followed by the code. */
const CODE =
  /(?<![\p{L}\p{N}])(?:cvv2?|cvc2?|cvn2?|cav2|card ?(?:security|verification|validation)? ?code|security code|kartenpr(?:ü|ue)fnummer|pr(?:ü|ue)fziffer der karte|cryptogramme visuel|c[oó]digo de seguridad|رمز الأمان|رمز التحقق)[^\p{L}\p{N}\n]{0,4}(?:(?:is|no|nr|number|code|ist|es|est)[^\p{L}\p{N}\n]{1,3})?\d{3,4}(?!\d)/giu;

/** A fragment of each of CODE's words: cheap to search for, and found in few texts. */
const OF_CODE_WORDS = /cv[vcn]|cav2|(?<!post)code|fnummer|ziffer|cryptogramme|digo de|رمز/i;

/** The fewest digits of a track's number, and of a security code. */
const [OF_TRACK, OF_CODE] = [12, 3];

/** The widest gap between two groups of one number. */
const GAP_MOST = 3;

/**
 * Whether the text is worth a search: most texts have no twelve digits near each other, nor a word for a code. Decided
 * in one pass, at a fraction of a search's cost. Other scripts and percent-encoding are left to the search.
 */
const mayHold = (text: string): boolean => {
  let [digits, nearCount, gap] = [0, 0, 0];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 127 || code === PERCENT) return true;
    if (code >= 48 && code <= 57) {
      digits += 1;
      nearCount = gap > GAP_MOST ? 1 : nearCount + 1;
      gap = 0;
      if (nearCount >= OF_TRACK) return true;
    } else if (isLetter(code)) nearCount = gap = 0;
    else gap += 1;
  }
  return digits >= OF_CODE && OF_CODE_WORDS.test(text);
};
const PERCENT = 0x25;

/** ASCII letters. */
const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

const placesIn = (text: string): Place[] => {
  const digits = digitsIn(text);
  if (digits < OF_CODE) return NONE;
  const codes = OF_CODE_WORDS.test(text) ? placesOf('card security code', CODE, text) : NONE;
  if (digits < OF_TRACK) return codes;
  const numbers = [...text.matchAll(GROUPS)].flatMap((run) => numbersIn(run, text));
  return [...placesOf('track', TRACKS, text), ...numbers, ...codes];
};
const NONE: Place[] = [];

const placesOf = (kind: CardTextKind, pattern: RegExp, text: string): Place[] =>
  [...text.matchAll(pattern)].map(({ index, 0: run }) => placeOf(kind, index, run));

/** Counted before a search: most texts have too few digits to contain card data. */
const digitsIn = (text: string): number => {
  let digits = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) digits += 1;
  }
  return digits;
};

const placeOf = (kind: CardTextKind, from: number, run: string): Place => ({ kind, from, to: from + run.length });

/** Card numbers that are whole groups of a run: one group, or several consecutive ones. */
const numbersIn = ({ index, 0: run }: RegExpExecArray, text: string): Place[] => {
  const groups = [...run.matchAll(/\d+/g)].map((group) => ({ digits: group[0], from: index + group.index }));
  const found: Place[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    let digits = '';
    let brand: Brand | undefined;
    for (let last = first; last < groups.length; last += 1) {
      const [start, end] = [groups[first], groups[last]];
      if (start === undefined || end === undefined) break;
      digits += end.digits;
      if (digits.length < BRAND_DIGITS) continue;
      brand ??= brandOfPan(digits);
      if (brand === undefined || digits.length > LONGEST) break;
      if (digits.length < SHORTEST || !lengths[brand](digits.length) || !luhnIsValid(digits)) continue;
      if (isMoment(digits)) continue;
      if (!isGrouped(groups.slice(first, last + 1).map((group) => group.digits.length))) continue;
      const to = end.from + end.digits.length;
      if (!isInsideId(text, start.from, to)) found.push({ kind: 'card number', from: start.from, to });
      first = last;
      break;
    }
  }
  return found;
};

/**
 * Order numbers often begin with a time to the second, ddMMyyyyHHmmss or yyMMddHHmmss, and a few would pass for Diners'
 * and Mastercard's numbers; conversely one in three hundred of those looks like a time.
 */
const isMoment = (digits: string): boolean =>
  /^(?:30(?:0[1-9]|1[0-2])20\d\d|2[2-9](?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:[01]\d|2[0-3])[0-5]\d[0-5]\d/.test(
    digits,
  );

/** As cards are printed and numbers typed: equal groups except the last, or 4 6 5 and 4 6 4. */
const isGrouped = (sizes: readonly number[]): boolean =>
  (sizes.length === 3 && sizes[0] === 4 && sizes[1] === 6) || sizes.slice(0, -1).every((size) => size === sizes[0]);

/** Shorter ones could be a word before a card number. */
const ID_LEAST = 24;

/** Whether these digits are inside a longer hexadecimal id, such as a sale's id or a UUID. */
const isInsideId = (text: string, from: number, to: number): boolean => {
  let [start, end] = [from, to];
  while (start > 0 && isOfWord(text[start - 1])) start -= 1;
  while (end < text.length && isOfWord(text[end])) end += 1;
  const word = text.slice(start, end).replace(/-/g, '');
  return word.length >= ID_LEAST && /^[0-9a-f]*$/i.test(word) && /[a-f]/i.test(word);
};

const isOfWord = (sign = ''): boolean => /^[0-9A-Za-z-]$/.test(sign);

/** Percent-encoded text, as in URLs, is also searched in decoded form. */
const decode = (text: string): string[] => {
  if (!/%[0-9A-Fa-f]{2}/.test(text)) return [];
  return [text.replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))];
};

/** Digits of every script as ASCII digits, each in its place: other characters and the length stay. */
const asciiDigits = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? text.replace(DIGIT, (digit) => asciiDigit(digit)) : text;

/** Mathematical digits come in five consecutive rows. */
const MATHEMATICAL = 0x1d7ce;

const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  if (code >= MATHEMATICAL && code < MATHEMATICAL + 50)
    return `${(code - MATHEMATICAL) % 10}`.padEnd(digit.length, '\u200b');
  let value = 0;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return `${value}`.padEnd(digit.length, '\u200b');
};

// Card numbers in texts for paper, where other long numbers must stay readable.

/** Digits in groups, as slips print them. */
const RUN = /\d(?:[ -]?\d){11,}/g;

/** No card number begins with six zeros; identifiers of applications and merchants do. Longer ones may contain one. */
const isHarmless = (digits: string): boolean => digits.startsWith('000000') && digits.length <= 17;

/** Stars every digit, except the last four, of anything that looks like a whole card number. The length stays. */
export const starCardNumbers = (text: string): string =>
  text.replace(RUN, (run) => {
    const digits = run.replace(/\D/g, '');
    if (isHarmless(digits)) return run;
    let left = digits.length - 4;
    return run.replace(/\d/g, (digit) => (left-- > 0 ? '*' : digit));
  });
