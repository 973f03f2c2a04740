/**
 * Whether an operation may be taken offline: the reason if not, for screens and cashiers, and the rest of each limit.
 */
import type { Money } from '../../base/money.ts';
import type { OfflineRefusal } from '../../locales/messages/en/sales.ts';

export type LimitName =
  | 'perSale'
  | 'total'
  | 'together'
  | 'perCard'
  | 'perCashier'
  | 'perHour'
  | 'perDay'
  | 'brand'
  | 'cardType'
  | 'entryMode'
  | 'refunds';

/** What is left of one limit before the requested sale; unlimited parts are left out. */
export type Left = { readonly limit: LimitName; readonly amount?: Money; readonly count?: number };

/** What is left of each limit, by kind, and of the time without the gateway. */
export type OfflineLeft = {
  readonly chip: readonly Left[];
  readonly deferred: readonly Left[];
  readonly refunds: readonly Left[];
  /** Absent when the time is not limited or not known. */
  readonly windowMs?: number;
};

/** A moment, recorded so that the last hour can be determined without the wall clock. */
export type Instant = {
  /** Wall time according to the gateway's answers and the machine's uptime, ms since 1970. */
  readonly at: number;
  /** Identifies the start of the machine, and its uptime since then, ms. */
  readonly boot: string;
  readonly upMs: number;
};

/**
 * Whether a sale may go on without the gateway, and why not, in words that a cashier can tell the customer. Older tills
 * wrote no code and no instant.
 */
export type OfflineVerdict =
  | { readonly kind: 'refused'; readonly why: string; readonly code?: OfflineRefusal; readonly left?: OfflineLeft }
  | {
      readonly kind: 'allowed';
      /** The chip may approve by itself. */
      readonly chip: boolean;
      /** The store takes the risk of an authorisation that is sent later. */
      readonly deferred: boolean;
      /** A follow-up may wait in the queue. */
      readonly stored?: true;
      readonly at?: Instant;
      readonly left?: OfflineLeft;
    };
