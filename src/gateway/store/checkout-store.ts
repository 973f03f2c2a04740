/** Checkouts and the calls to the shop that wait for their time: what is kept of them, and who keeps it. */
import type { SealedAccount } from './records.ts';

/** One try to pay, or to register: what came of it, and a keyed hash of the request that began it. */
export type CheckoutAttempt = { id: string; fingerprint: string; at: number };

export type Checkout = {
  /** 32 to 48 letters, digits, dots and hyphens. */
  id: string;
  entityId: string;
  kind: 'payment' | 'registration';
  /** Wall time, ms. */
  at: number;
  /** What the shop gave, sealed; absent once the checkout's time is over. */
  sealed?: SealedAccount;
  /** Oldest first. Of all but the last it is certain that no money moved. */
  attempts: readonly CheckoutAttempt[];
  /** When the shop first asked for how the last attempt ended, ms. */
  fetchedAt?: number;
};

/** result: the status was not fetched. last: still not, and the end is near. notification: the result is final. */
export type CallKind = 'result' | 'last' | 'notification';

export type OpenCheckouts = { entityId: string; since: number; most: number };

export type CheckoutCall = { checkoutId: string; kind: CallKind; url: string; dueAt: number; paymentId?: string };

/** A call whose time may have come, with what its payment came to. */
export type DueCall = CheckoutCall & { fetched: boolean; resultCode?: string };

/** What a transaction does with checkouts. A checkout that was read stays as it is until the transaction ends. */
export interface HeldCheckouts {
  byId(id: string): Promise<Checkout | undefined>;
  add(checkout: Checkout): Promise<void>;
  /** Writes sealed, attempts and fetchedAt anew. */
  change(checkout: Checkout): Promise<void>;
  /** When the oldest one was created of the channel's after `since`, ms; undefined if those are fewer than `most`. */
  oldestOfFull(of: OpenCheckouts): Promise<number | undefined>;
  /** Puts the call down, or its address and payment anew if it is there and was not claimed. */
  addCall(call: CheckoutCall): Promise<void>;
}

export interface Checkouts {
  byId(id: string): Promise<Checkout | undefined>;
  /** Writes down that the shop was told how this attempt ended: not if another one was begun meanwhile. */
  fetched(checkout: Checkout, at: number): Promise<void>;
  /** Unclaimed calls whose time has come by `now` (ms), then those whose payment was approved. One may stand twice. */
  dueCalls(now: number, limit: number): Promise<readonly DueCall[]>;
  /** Whether this claimed it: of all gateways that try, one. */
  claim(call: Pick<CheckoutCall, 'checkoutId' | 'kind'>, at: number): Promise<boolean>;
  /** Whether any unclaimed call waits for a payment. */
  awaitsPayment(): Promise<boolean>;
  /** When the earliest unclaimed call is due, ms. */
  nextCall(): Promise<number | undefined>;
  /** Takes away what the shop gave of all checkouts created at this time (ms) or before; how many those were. */
  forget(until: number): Promise<number>;
  /** Deletes so many that were created until this time (ms), are over, and were never submitted; how many it were. */
  dropAbandoned(of: { until: number; limit: number }): Promise<number>;
  /** When the oldest checkout was created of which something is still kept, ms. */
  oldestKept(): Promise<number | undefined>;
}
