/** What many answers of the local API are made of. Times are ms since 1970 UTC; amounts are text, never numbers. */

/** `{ amount: '12.50', currency: 'EUR' }`: with the currency's own decimals, and a minus before money given back. */
export type Amount = { amount: string; currency: string };

/** A piece of a long list. `from` counts from the newest, 0 first; `total` is how many there are. */
export type Page<Row> = { rows: Row[]; from: number; total: number };

/** Words that the screen has in the reader's language: `says` is the English, for whoever does not know `code`. */
export type Said = { code: string; says: string; facts?: Readonly<Record<string, string | number>> };
