/** Why something is not taken offline: a code for screens, words for the cashier, and what is left of each limit. */
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

/** `2 h 5 min`, rounded down; under a minute `0 min`. */
export const durationWords = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor((minutes % 1_440) / 60);
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
};
