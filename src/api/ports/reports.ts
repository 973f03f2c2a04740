/** How X and Z reports are wanted, and the sales that they are made of: from the contract. */
export type { ReportWish } from '../contract/books.ts';
export type { BatchLine } from '../contract/records.ts';
