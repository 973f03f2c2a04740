/** Detects card data in the wrong place: in a parameter that is stored and returned. */
import { hidden, printable } from '../../../base/mask.ts';
import { cardDataIn } from '../../../emv/card-text.ts';
import { isFreeText, isNotStored, isOurs } from './all.ts';
import type { ParameterError } from './errors.ts';

/** Shorter numbers occur in references by chance. */
const NUMBER_MIN = 12;

/** The numbers to look for, with their descriptions. */
const numbers: readonly { name: string; description: string }[] = [
  { name: 'card.number', description: 'card number' },
  { name: 'tokenAccount.number', description: 'token' },
  { name: 'bankAccount.iban', description: 'IBAN' },
  { name: 'bankAccount.number', description: 'bank account number' },
  { name: 'giftCard.number', description: 'gift card number' },
  { name: 'pos.encryptedPin.data', description: 'PIN block' },
  { name: 'pos.encryptedSred.data', description: 'encrypted card data' },
  { name: 'pos.iccDataRequest', description: 'chip data' },
  { name: 'tokenAccount.cryptogram', description: 'cryptogram' },
];

/**
 * Normalises a number as people write it: separators, full-width digits and case are ignored. Not with `normalize`,
 * which takes seconds for a long row of combining marks.
 */
const normaliseDigits = (text: string): string => {
  if (/^[0-9A-Z]*$/.test(text)) return text;
  return text
    .replace(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - FULL_WIDTH))
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
};
const FULL_WIDTH = 0xfee0;

/**
 * Counting replaces a search: most texts have too few digits. A character outside ASCII may be another script's digit.
 */
const digitsIn = (text: string): number => {
  let digits = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if ((code >= 48 && code <= 57) || code > 127) digits += 1;
  }
  return digits;
};

/** Fewer digits cannot be card data: a security code has three. */
const DIGITS_MIN = 3;
/** How far into a value to look for the security code that its name announces. */
const CODE_WITHIN = 16;

/** Card data of any card, also in the name of a map's entry, which may describe its value: `customParameters[cvv]`. */
const findNumber = (name: string, value: string): string | undefined => {
  const kind = cardDataIn(value) ?? (isOurs(name) ? undefined : cardDataIn(`${name} ${value.slice(0, CODE_WITHIN)}`));
  return kind === undefined ? undefined : `a ${kind}`;
};

/** A request's parameters by their wire names. */
type Parameters = Readonly<Record<string, string | undefined>>;
type SentNumber = { number: string; description: string };

/** The request's own account numbers. */
const sentNumbersOf = (parameters: Parameters): SentNumber[] => {
  const candidates: SentNumber[] = [];
  for (const { name, description: called } of numbers) {
    const value = parameters[name];
    if (value === undefined || value.length < NUMBER_MIN) continue;
    const number = normaliseDigits(value);
    if (number.length >= NUMBER_MIN) candidates.push({ number, description: called });
  }
  return candidates;
};

/** The description of the number, with its article. */
const findSentNumber = (written: string, candidates: readonly SentNumber[]): string | undefined => {
  const found = candidates.find(({ number }) => written.includes(number));
  return found === undefined ? undefined : `the ${found.description}`;
};

/**
 * One error for each stored parameter that contains one of the request's own account numbers, with any separators, in
 * its name or its value, and for each free text that contains any card's number, track or security code; and one for
 * the Idempotency-Key. The request is refused rather than masked, because a merchant's values are returned as they were
 * sent. Other numbers are allowed: references are full of long ones.
 */
export const misplacedCardNumbers = (parameters: Parameters, key: string | undefined): ParameterError[] => {
  const errors: ParameterError[] = [];
  const candidates = sentNumbersOf(parameters);
  let fewest = Number.POSITIVE_INFINITY;
  for (const { number } of candidates) fewest = Math.min(fewest, digitsIn(number));
  const minDigits = Math.min(DIGITS_MIN, fewest);
  /** The request's own account number in the text, if any. */
  const findOwn = (text: string, digits: number): string | undefined =>
    text.length < NUMBER_MIN || digits < fewest ? undefined : findSentNumber(normaliseDigits(text), candidates);
  const checkValue = (value: string, name: string): void => {
    const [inValue, inName] = [digitsIn(value), digitsIn(name)];
    if (inValue + inName < minDigits || isNotStored(name)) return;
    const misplacedName =
      findOwn(value, inValue) ?? findOwn(name, inName) ?? (isFreeText(name) ? findNumber(name, value) : undefined);
    if (misplacedName === undefined) return;
    errors.push({ name: printable(name, 128), value: hidden, message: `must not hold ${misplacedName}` });
  };
  for (const name in parameters) checkValue(parameters[name] ?? '', name);
  if (key !== undefined) checkValue(key, 'Idempotency-Key');
  return errors;
};
