/** Whether something may be taken offline: why not, for screens and cashiers, and what is left of each limit. */
import type { Money } from '../../base/money.ts';

/** Why not, for screens and scripts. */
export type OfflineRefusal =
  | 'off'
  | 'operation'
  | 'currency'
  | 'entryMode'
  | 'onlinePin'
  | 'mayHoldPin'
  | 'noResults'
  | 'expired'
  | 'notYetEffective'
  | 'serviceNotAllowed'
  | 'onExceptionFile'
  | 'dataAuthentication'
  | 'verification'
  | 'window'
  | 'clock'
  | 'disk'
  | 'uncounted'
  /** It may be taken if the chip approves, and the chip does not. */
  | 'chipAlone'
  | LimitName;

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

/** What is left of one limit before the sale that was asked about; what is not limited is left out. */
export type Left = { readonly limit: LimitName; readonly amount?: Money; readonly count?: number };

/** What is left of each limit, by kind, and of the time without the gateway. */
export type OfflineLeft = {
  readonly chip: readonly Left[];
  readonly deferred: readonly Left[];
  readonly refunds: readonly Left[];
  /** Left out when the time is not limited, or not known. */
  readonly windowMs?: number;
};

/** When it was, so that the last hour can be told without the wall clock. */
export type Instant = {
  /** Wall time as the gateway's answers and the machine's uptime tell it, ms since 1970. */
  readonly at: number;
  /** Which run of the machine, and how long it had been up, ms. */
  readonly boot: string;
  readonly upMs: number;
};

/**
 * Whether a sale may go on without the gateway, and why not, in words a cashier can tell the customer. Older tills
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
      /** What follows a payment may wait in the queue. */
      readonly stored?: true;
      readonly at?: Instant;
      readonly left?: OfflineLeft;
    };
