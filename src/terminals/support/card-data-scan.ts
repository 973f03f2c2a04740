/**
 * Searches text that is about to leave the till for card data and keys. Finds them in plain digits, in groups, in hex,
 * in the packed form of chips, and in base64. Cannot look into encrypted or compressed data.
 *
 * A card number is 12 to 19 digits with a valid check digit in the range of one of the brands. Anything that looks like
 * one counts: a false alarm costs a look, but a leak cannot be undone.
 */
import { brandOfPan } from '../../emv/brands.ts';
import { luhnIsValid } from '../../emv/luhn.ts';
import { testCards, testKeys } from '../../emv/test-cards.ts';

export type CardDataKind = 'card number' | 'track' | 'key';

/** Where something was found, never what. Lines count from 1. */
export type CardDataFinding = { kind: CardDataKind; line: number };

/** All findings in the text, at most one of a kind per line. `secrets` are the till's own, as text. */
export const scanForCardData = (text: string, secrets: readonly string[] = []): CardDataFinding[] => {
  const needles = [...known, ...secrets.flatMap((secret) => spellings(secret, 'key'))];
  return text.split('\n').flatMap((line, i) => kindsIn(line, needles).map((kind) => ({ kind, line: i + 1 })));
};

type Needle = { kind: CardDataKind; text: string };

const kindsIn = (line: string, needles: readonly Needle[]): CardDataKind[] => {
  const upper = line.toUpperCase();
  const kinds = new Set(
    needles.filter(({ text }) => line.includes(text) || upper.includes(text)).map(({ kind }) => kind),
  );
  for (const text of [line, ...decode(line)]) {
    if (hasNumber(text)) kinds.add('card number');
    if (hasTrack(text)) kinds.add('track');
  }
  if (hasPackedNumber(upper)) kinds.add('card number');
  if (keyWords.test(line)) kinds.add('key');
  return [...kinds];
};

/** The text itself, its bytes in hex, and the part of its base64 form that does not depend on the preceding text. */
const spellings = (secret: string, kind: CardDataKind): Needle[] => {
  const bytes = Buffer.from(secret, 'latin1');
  const hex = bytes.toString('hex').toUpperCase();
  const base64 = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
    return whole.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((whole.length * 8) / 6));
  });
  const grouped = /^\d+$/.test(secret) ? [' ', '-'].map((gap) => secret.replace(/(\d{4})(?=\d)/g, `$1${gap}`)) : [];
  return [secret, hex, ...grouped, ...base64, ...base64.map(urlSafe)].map((text) => ({ kind, text }));
};

const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');

/** The cards and keys of the simulated world: where they appear, real ones would appear too. */
const known: readonly Needle[] = [
  ...Object.values(testCards).flatMap(({ pan }) => spellings(pan, 'card number')),
  ...Object.values(testKeys)
    .filter((key): key is Uint8Array<ArrayBuffer> => key instanceof Uint8Array)
    .map((key): Needle => ({ kind: 'key', text: Buffer.from(key).toString('hex').toUpperCase() })),
];

const isCardNumber = (digits: string): boolean =>
  digits.length >= 12 && digits.length <= 19 && luhnIsValid(digits) && brandOfPan(digits) !== undefined;

/** Digits alone, or in the groups printed on cards. Digits inside a longer word are an id. */
const written =
  /(?<![0-9A-Za-z*])(?:\d{12,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5})(?![0-9A-Za-z*])/g;

const hasNumber = (text: string): boolean =>
  [...text.matchAll(written)].some(([run]) => isCardNumber(run.replace(/[ -]/g, '')));

/** Track 1 is recognised by its marks; track 2 by the separator, what must follow it, and the number before it. */
const hasTrack = (text: string): boolean =>
  /%?[Bb]\d{12,19}\^[^^\n]{2,26}\^\d{4}/.test(text) ||
  [...text.matchAll(/(\d{12,40})[=Dd](?=\d{7})/g)].some(([, number = '']) => endings(number).some(isCardNumber));

/** The last 12 to 19 digits: digits of a tag or a length can precede them. */
const endings = (digits: string): string[] =>
  Array.from({ length: 8 }, (_, i) => digits.slice(-(12 + i))).filter((end, i) => end.length === 12 + i);

/** In hex: tag 5A with its length, or digits as characters, `34373631…`. */
const hasPackedNumber = (upper: string): boolean => {
  const tagged = [...upper.matchAll(/5A(0[6-9A])(?=(\d{12,20}))/g)];
  if (tagged.some(([, size = '', digits = '']) => hasPackedCardNumber(digits, Number.parseInt(size, 16)))) return true;
  const typed = [...upper.matchAll(/(?:3[0-9]){12,64}/g)].map(([run]) => Buffer.from(run, 'hex').toString('latin1'));
  return typed.some((digits) => endings(digits).some(isCardNumber) || beginnings(digits).some(isCardNumber));
};

/** A number in this many bytes; a final F fills the last byte. */
const hasPackedCardNumber = (digits: string, bytes: number): boolean =>
  isCardNumber(digits.slice(0, bytes * 2)) || isCardNumber(digits.slice(0, bytes * 2 - 1));

const beginnings = (digits: string): string[] =>
  Array.from({ length: 8 }, (_, i) => digits.slice(0, 12 + i)).filter((start, i) => start.length === 12 + i);

/** Words in base64 whose bytes are text. */
const decode = (line: string): string[] =>
  [...line.matchAll(/[A-Za-z0-9+/_-]{20,}={0,2}/g)]
    .map(([word]) => Buffer.from(word, 'base64').toString('latin1'))
    .filter((text) => /^[\t -~]*$/.test(text));

/** A private key, or a value whose name says that it is a key, a token or a password. Asterisks mean: masked. */
const keyWords =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:tillKey|bdk|ipek|zmk|tmk|kek|pvk|cvk|imk\w{0,4}|masterKey|privateKey|password|passwd|token|secret|authorization)["']?\s*[:=]\s*["']?(?:Bearer )?(?!\*)[A-Za-z0-9+/_.-]{8,}/i;
