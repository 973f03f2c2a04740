/** The store's limits for what is taken without the gateway, and what is already out. All amounts are minor units. */
import type { Money } from '../../base/money.ts';
import type { CardFacts, Operation } from '../machine/facts.ts';

/** A sum and a number of sales; what is left out is not limited. */
export type Cap = { readonly minor?: bigint; readonly count?: number };

/** A cap for some cards. `upToMinor` is for one sale; 0 takes none of them. */
export type GroupCap = Cap & { readonly upToMinor?: bigint };

/** By name: a brand, a card type, an entry mode. `other` holds for each that is not named. */
export type GroupCaps = Readonly<Record<string, GroupCap>>;

/** One way of going offline. Sums and numbers are of sales that wait to be sent, but for the hour's and the day's. */
export type KindLimits = {
  /** One sale; 0 switches the kind off. */
  readonly upToMinor: bigint;
  readonly total: Cap;
  readonly perCard: Cap;
  readonly perCashier: Cap;
  /** Of the last sixty minutes, also what was sent since. */
  readonly perHour: Cap;
  /** Of the day on the shop's calendar, also what was sent since. */
  readonly perDay: Cap;
  readonly brands: GroupCaps;
  readonly cardTypes: GroupCaps;
  readonly entryModes: GroupCaps;
};

export type OfflineLimits = {
  /** Limits mean something in one currency only: sales in another are not taken offline. */
  readonly currency: string;
  /** The chip approves by itself (TC). */
  readonly chip: KindLimits;
  /** The store takes the risk of an authorisation that is sent later. */
  readonly deferred: KindLimits;
  /** Both kinds together. */
  readonly together: Cap;
  /** Operations that begin with a card, and those that follow a payment and may wait in the queue. */
  readonly operations: readonly Operation[];
  /** Refunds that wait in the queue: `upToMinor` 0 lets none wait. */
  readonly refunds: Cap & { readonly upToMinor: bigint };
  /** How long the gateway may not have been heard; left out: for ever. */
  readonly windowMs?: number;
  /** Free bytes that the disk must keep. */
  readonly keepFreeBytes: number;
  /** Also cards whose data the terminal did not authenticate; one whose authentication failed is never taken. */
  readonly withoutDataAuthentication: boolean;
};

export const kindOff: KindLimits = {
  upToMinor: 0n,
  total: {},
  perCard: {},
  perCashier: {},
  perHour: {},
  perDay: {},
  brands: {},
  cardTypes: {},
  entryModes: {},
};

export const standardOperations: readonly Operation[] = ['sale', 'preauthorisation', 'completion', 'void', 'release'];
export const STANDARD_KEEP_FREE_BYTES = 64 * 1024 * 1024;

/** Off, until the store sets limits. */
export const defaultOfflineLimits: OfflineLimits = {
  currency: 'EUR',
  chip: kindOff,
  deferred: kindOff,
  together: {},
  operations: standardOperations,
  refunds: { upToMinor: 0n },
  keepFreeBytes: STANDARD_KEEP_FREE_BYTES,
  withoutDataAuthentication: false,
};

export const isOfflineOn = ({ chip, deferred }: OfflineLimits): boolean =>
  chip.upToMinor > 0n || deferred.upToMinor > 0n;

export type Sum = { readonly minor: bigint; readonly count: number };

/** What counts against the limits of one kind, as far as it has to do with the sale that is asked about. */
export type KindExposure = {
  readonly total: Sum;
  readonly card: Sum;
  readonly cashier: Sum;
  readonly brand: Sum;
  readonly cardType: Sum;
  readonly entryMode: Sum;
  readonly hour: Sum;
  readonly day: Sum;
};

export type Exposure = {
  readonly chip: KindExposure;
  readonly deferred: KindExposure;
  /** Refunds that wait to be sent. */
  readonly refunds: Sum;
};

export const noSum: Sum = { minor: 0n, count: 0 };
export const noKindExposure: KindExposure = {
  total: noSum,
  card: noSum,
  cashier: noSum,
  brand: noSum,
  cardType: noSum,
  entryMode: noSum,
  hour: noSum,
  day: noSum,
};
export const noExposure: Exposure = { chip: noKindExposure, deferred: noKindExposure, refunds: noSum };

/** What is known of the moment: how long the gateway has not been heard, and what the disk has left. */
export type OfflineMoment = {
  /** In ms, `byClock` when only the till's own clock says that it is so long; or why nobody can know it, in words. */
  readonly sinceAnswer: { readonly ms: number; readonly byClock?: true } | { readonly unknown: string };
  readonly freeBytes: number;
};

// What is asked before something goes on without the gateway, and what is looked at to answer.

export type OfflineAsk = {
  readonly operation: Operation;
  readonly amount: Money;
  /** Left out for what follows a payment. */
  readonly card?: CardFacts;
  /** Who is signed in. */
  readonly cashier?: string;
};

export type OfflineFacts = {
  readonly limits: OfflineLimits;
  readonly exposure: Exposure;
  readonly moment: OfflineMoment;
};
