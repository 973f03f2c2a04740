/** Where the money of an outcome sits: a card's account, or a purse. Both are moved the same way. */
import { Fault } from '../../../base/fault.ts';
import type { AccountState, DocumentChange } from './documents.ts';
import type { LedgerTransaction } from './ledger.ts';
import type { AccountOrPurse } from './record.ts';

export type Holding = {
  /** Grains. */
  readonly available: bigint;
  /** The whole state, if it is a card's account. */
  readonly state?: AccountState;
  /** The document with this much in it. */
  holding(available: bigint, state?: AccountState): DocumentChange;
};

/**
 * Undefined if the outcome names none: an approval forced for a request without a card, a transfer that the shopper
 * makes. Throws `gateway.state` if what it names is missing.
 */
export const holdingOf = async (
  transaction: Pick<LedgerTransaction, 'read'>,
  place: AccountOrPurse,
): Promise<Holding | undefined> => {
  const { account, purse } = place;
  if (account !== undefined) {
    const kept = there(await transaction.read('account', account), `account ${account}`);
    return {
      available: kept.available,
      state: kept,
      holding: (available, state = kept) => ({ kind: 'account', name: account, document: { ...state, available } }),
    };
  }
  if (purse === undefined) return undefined;
  const { available } = there(await transaction.read('purse', purse), `purse ${purse}`);
  return { available, holding: (left) => ({ kind: 'purse', name: purse, document: { available: left } }) };
};

const there = <T>(document: T | undefined, what: string): T => {
  if (document === undefined) throw new Fault('gateway.state', { why: `the simulator’s ${what} is missing` });
  return document;
};
