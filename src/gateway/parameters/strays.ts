/** An account number in the wrong place: in a parameter that is kept and given back. */
import { hidden, printable } from '../../base/mask.ts';
import { isUnkept } from './all.ts';
import type { ParameterError } from './errors.ts';

/** Shorter ones would be found in references by chance. */
const NUMBER_MIN = 12;

/** What is looked for, and what it is called. */
const numbers: readonly { name: string; called: string }[] = [
  { name: 'card.number', called: 'card number' },
  { name: 'tokenAccount.number', called: 'token' },
  { name: 'bankAccount.iban', called: 'IBAN' },
  { name: 'bankAccount.number', called: 'bank account number' },
  { name: 'giftCard.number', called: 'gift card number' },
  { name: 'pos.encryptedPin.data', called: 'PIN block' },
  { name: 'pos.encryptedSred.data', called: 'encrypted card data' },
  { name: 'pos.iccDataRequest', called: 'chip data' },
  { name: 'tokenAccount.cryptogram', called: 'cryptogram' },
];

/**
 * As people group and write numbers: whatever stands between, full-width digits and cases do not count. Not by
 * `normalize`, which takes seconds for a long row of combining marks.
 */
const plain = (text: string): string => {
  if (/^[0-9A-Z]*$/.test(text)) return text;
  return text
    .replace(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - FULL_WIDTH))
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
};
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

/** A request's parameters under their wire names. */
type Parameters = Readonly<Record<string, string | undefined>>;
type Wanted = { number: string; called: string };

/** The request's own account numbers. */
const wantedIn = (sent: Parameters): Wanted[] => {
  const wanted: Wanted[] = [];
  for (const { name, called } of numbers) {
    const number = plain(sent[name] ?? '');
    if (number.length >= NUMBER_MIN) wanted.push({ number, called });
  }
  return wanted;
};

const calledIn = (written: string, wanted: readonly Wanted[]): string | undefined =>
  wanted.find(({ number }) => written.includes(number))?.called;

/**
 * One error for each kept parameter that holds one of the request's own account numbers, with whatever gaps, in its
 * name or its value; and one for the Idempotency-Key. Other numbers pass: references are full of long ones.
 */
export const strayNumbers = (sent: Parameters, key: string | undefined): ParameterError[] => {
  const errors: ParameterError[] = [];
  const wanted = wantedIn(sent);
  if (wanted.length === 0) return errors;
  const fewest = Math.min(...wanted.map(({ number }) => digitsIn(number)));
  /** What the text holds that it must not. */
  const heldIn = (text: string): string | undefined =>
    text.length < NUMBER_MIN || digitsIn(text) < fewest ? undefined : calledIn(plain(text), wanted);
  const look = (value: string, name: string): void => {
    const held = heldIn(value) ?? heldIn(name);
    if (held === undefined || isUnkept(name)) return;
    errors.push({ name: printable(name, 128), value: hidden, message: `must not hold the ${held}` });
  };
  for (const name in sent) look(sent[name] ?? '', name);
  if (key !== undefined) look(key, 'Idempotency-Key');
  return errors;
};
