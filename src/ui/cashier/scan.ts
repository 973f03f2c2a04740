/**
 * A scanner types a receipt's code like a keyboard, only faster than a hand, and ends with Enter. What comes
 * like that is
 * a code, never an amount.
 */

import { narrow } from './amount.ts';

/** Keys closer together than this come from a machine. */
const HAND_MS = 35;
/** Fewer keys than this could be a hand after all. */
const CODE_MIN = 6;

type ScannedKeys = { text: string; at: number };
export const silence: ScannedKeys = { text: '', at: Number.NEGATIVE_INFINITY };

/** What was heard without a pause, with this key; `at` is ms of any steady clock. */
export const hear = (heard: ScannedKeys, key: string, at: number): ScannedKeys => {
  const joined = at - heard.at < HAND_MS ? heard.text : '';
  return { text: key.length === 1 ? joined + key : joined, at };
};

/** The code that Enter at this moment ends; undefined when a hand typed. */
export const scanned = (heard: ScannedKeys, at: number): string | undefined =>
  at - heard.at < HAND_MS && heard.text.length >= CODE_MIN ? heard.text : undefined;

/** A receipt by its number at this till, or by a code that says which till's it is. */
export type ReceiptName = { receipt: number } | { code: string };

/**
 * The receipt that was scanned or typed: `417`, `000417` and `Receipt 417` are numbers; `12345678-000417` and a sale's
 * id of 32 hex digits are codes, which the till looks up. Undefined for anything else.
 */
export const receiptIn = (text: string): ReceiptName | undefined => {
  const plain = narrow(text).trim();
  if (/^[0-9a-f]{32}$/i.test(plain)) return { code: plain.toLowerCase() };
  // A scanner that is set for an American keyboard types the dash as ß on a German one.
  const [, terminalId, code] = /^([0-9A-Za-z]{1,32})[-/ ß](\d{1,9})$/.exec(plain) ?? [];
  if (terminalId !== undefined && /\d/.test(terminalId)) return { code: `${terminalId}-${code}` };
  const [, digits] = /^(?:\p{L}{1,16} )?(\d{1,9})$/u.exec(plain) ?? [];
  return digits === undefined || Number(digits) === 0 ? undefined : { receipt: Number(digits) };
};
