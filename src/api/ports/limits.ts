/** What may be sold without the gateway, as a table for people: from the contract. */
export type { LimitRow, LimitsReport } from '../contract/limits.ts';
