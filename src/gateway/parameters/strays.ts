/** An account number in the wrong place: in a parameter that is kept and given back. */
import { hidden, printable } from '../../base/mask.ts';
import { isUnkept } from './all.ts';
import type { ParameterError } from './errors.ts';

/** Shorter ones would be found in references by chance. */
const NUMBER_MIN = 12;

/** What is looked for, and what it is called. */
const numbers: readonly (readonly [name: string, called: string])[] = [
  ['card.number', 'card number'],
  ['tokenAccount.number', 'token'],
  ['bankAccount.iban', 'IBAN'],
  ['bankAccount.number', 'bank account number'],
  ['giftCard.number', 'gift card number'],
  ['pos.encryptedPin.data', 'PIN block'],
  ['pos.encryptedSred.data', 'encrypted card data'],
  ['pos.iccDataRequest', 'chip data'],
  ['tokenAccount.cryptogram', 'cryptogram'],
];

/**
 * As people group and write numbers: whatever stands between, full-width digits and cases do not count. Not by
 * `normalize`, which takes seconds for a long row of combining marks.
 */
const plain = (text: string): string =>
  text
    .replace(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - FULL_WIDTH))
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
const FULL_WIDTH = 0xfee0;

/**
 * Counted in place of a search: most texts have too few digits to hold anything that is looked for. What is not ASCII
 * may be another script's digit.
 */
const digitsIn = (text: string): number => {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code >= 48 && code <= 57) || code > 127) digits += 1;
  }
  return digits;
};

/**
 * One error for each kept parameter that holds one of the request's own account numbers, with whatever gaps, in its
 * name or its value; and one for the Idempotency-Key. Other numbers pass: references are full of long ones.
 */
export const strayNumbers = (pairs: ReadonlyMap<string, string>, key: string | undefined): ParameterError[] => {
  const wanted = numbers.flatMap(([name, called]) => {
    const number = plain(pairs.get(name) ?? '');
    return number.length < NUMBER_MIN ? [] : [{ number, called }];
  });
  if (wanted.length === 0) return [];
  const fewest = Math.min(...wanted.map(({ number }) => digitsIn(number)));
  /** What the text holds that it must not. */
  const heldIn = (text: string): string | undefined => {
    if (text.length < NUMBER_MIN || digitsIn(text) < fewest) return undefined;
    const written = plain(text);
    return wanted.find(({ number }) => written.includes(number))?.called;
  };
  const errors: ParameterError[] = [];
  const look = (name: string, value: string) => {
    const held = heldIn(value) ?? heldIn(name);
    if (held === undefined || isUnkept(name)) return;
    errors.push({ name: printable(name, 128), value: hidden, message: `must not hold the ${held}` });
  };
  for (const [name, value] of pairs) look(name, value);
  if (key !== undefined) look('Idempotency-Key', key);
  return errors;
};
