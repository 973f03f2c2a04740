/** What many answers of the local API are made of. Times are ms since 1970 UTC; amounts are text, never numbers. */

export type { LineState } from '../contract/counters.ts';
export type { OtherCard, SaleFacts, UnpaidView } from '../contract/sales.ts';
export type { Amount, Page, Said } from '../contract/wire.ts';
