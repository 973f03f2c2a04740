/** What many answers of the local API are made of. Times are ms since 1970 UTC; amounts are text, never numbers. */

import type { WrongField } from '../../base/field-wants.ts';
import type { SaleRow } from './selling.ts';

/** `{ amount: '12.50', currency: 'EUR' }`: with the currency's own decimals, and a minus before money given back. */
export type Amount = { amount: string; currency: string };

/** A piece of a long list. `from` counts from the newest, 0 first; `total` is how many there are. */
export type Page<Row> = { rows: Row[]; from: number; total: number };

/** Words that the screen has in the reader's language: `says` is the English, for whoever does not know `code`. */
export type Said = { code: string; says: string; facts?: Readonly<Record<string, string | number>> };

/** A refusal or failure: what happened, what it means for the money, what to do next. */
export type Problem = Said & {
  money: string;
  next: string;
  remedy: 'retry' | 'inquire' | 'queue' | 'halt' | 'refuse';
  /** Of a malformed request: each wrong field by its name, and what it has to be. */
  fields?: WrongField[];
  /** Of `sale.likely`: the sales that may have been charged. A yes names the receipt of each. */
  sales?: SaleRow[];
};
