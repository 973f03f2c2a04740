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

export type Heard = { text: string; at: number };
export const silence: Heard = { text: '', at: Number.NEGATIVE_INFINITY };

/** What was heard without a pause, with this key; `at` is ms of any steady clock. */
export const hear = (heard: Heard, key: string, at: number): Heard => {
  const joined = at - heard.at < HAND_MS ? heard.text : '';
  return { text: key.length === 1 ? joined + key : joined, at };
};

/** The code that Enter at this moment ends; undefined when a hand typed. */
export const scanned = (heard: Heard, at: number): string | undefined =>
  at - heard.at < HAND_MS && heard.text.length >= CODE_MIN ? heard.text : undefined;

/**
 * The receipt's number in what was scanned or typed: `417`, `000417`, `12345678-000417`; undefined for anything
 * else.
 */
export const receiptIn = (text: string): number | undefined => {
  const [, digits] = /^(?:[A-Za-z0-9]{1,16}[-/ ])?(\d{1,9})$/.exec(narrow(text).trim()) ?? [];
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits);
};
