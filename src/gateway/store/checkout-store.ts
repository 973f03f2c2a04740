/** Stored checkouts and the calls to the shop that are due later, and the interface of their store. */
import type { SealedAccount } from './records.ts';

/** One attempt to pay or to register: its payment or registration, and a keyed hash of the request that started it. */
export type CheckoutAttempt = { id: string; fingerprint: string; at: number };

export type Checkout = {
  /** 32 to 48 letters, digits, dots and hyphens. */
  id: string;
  entityId: string;
  kind: 'payment' | 'registration';
  /** Wall time, ms. */
  at: number;
  /** The shop's values, encrypted; absent once the checkout has ended. */
  sealed?: SealedAccount;
  /** Oldest first. All but the last are certain to have moved no money. */
  attempts: readonly CheckoutAttempt[];
  /** When the shop first queried the ending of the last attempt, ms. */
  fetchedAt?: number;
};

/** result: the status was not fetched. last: still not, and the end is near. notification: the result is final. */
export type CallKind = 'result' | 'last' | 'notification';

export type OpenCheckouts = { entityId: string; since: number; most: number };

export type CheckoutCall = { checkoutId: string; kind: CallKind; url: string; dueAt: number; paymentId?: string };

/** A call that may be due, with the result code of its payment. */
export type DueCall = CheckoutCall & { fetched: boolean; resultCode?: string };

/** A transaction's operations on checkouts. A checkout that was read stays unchanged until the transaction ends. */
export interface HeldCheckouts {
  byId(id: string): Promise<Checkout | undefined>;
  add(checkout: Checkout): Promise<void>;
  /** Overwrites sealed, attempts and fetchedAt. */
  change(checkout: Checkout): Promise<void>;
  /** The creation time of the channel's oldest checkout after `since`, ms; undefined if there are fewer than `most`. */
  oldestWhenFull(of: OpenCheckouts): Promise<number | undefined>;
  /** Records the call, or updates its address and payment if it exists and was not claimed. */
  addCall(call: CheckoutCall): Promise<void>;
}

export interface Checkouts {
  byId(id: string): Promise<Checkout | undefined>;
  /** Records that the shop knows this attempt's ending, unless another attempt has started meanwhile. */
  recordFetch(checkout: Checkout, at: number): Promise<void>;
  /** Unclaimed calls that are due by `now` (ms), then those whose payment was approved. One may occur twice. */
  dueCalls(now: number, limit: number): Promise<readonly DueCall[]>;
  /** Whether this call claimed it: only one of all gateways that try does. */
  claim(call: Pick<CheckoutCall, 'checkoutId' | 'kind'>, at: number): Promise<boolean>;
  /** Whether any unclaimed call waits for a payment. */
  isAwaitingPayment(): Promise<boolean>;
  /** When the earliest unclaimed call is due, ms. */
  nextCallAt(): Promise<number | undefined>;
  /** Deletes the shop's values of all checkouts created at this time (ms) or before; returns how many. */
  forget(until: number): Promise<number>;
  /** Deletes up to `limit` ended, never submitted checkouts created until this time (ms); returns how many. */
  dropAbandoned(key: { until: number; limit: number }): Promise<number>;
  /** The creation time of the oldest checkout with values still stored, ms. */
  oldestStoredAt(): Promise<number | undefined>;
}
