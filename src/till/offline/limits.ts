/** The store's limits for offline operations, and the current exposure. All amounts are minor units. */
import type { Money } from '../../base/money.ts';
import { brands } from '../../emv/brands.ts';
import type { CardFacts, Operation } from '../machine/facts.ts';

/** A sum and a number of sales; an absent one is unlimited. */
export type Cap = { readonly minor?: bigint; readonly count?: number };

/** A cap for some cards. `upToMinor` is for one sale; 0 refuses all. */
export type GroupCap = Cap & { readonly upToMinor?: bigint };

/** Caps by the name of a brand, a card type or an entry mode. `other` applies to every name that is not listed. */
export type GroupCaps = Readonly<Record<string, GroupCap>>;

/** One kind of offline sale. Sums and numbers count sales that wait to be sent, except those per hour and per day. */
export type KindLimits = {
  /** The maximum for one sale; 0 switches the kind off. */
  readonly upToMinor: bigint;
  readonly total: Cap;
  readonly perCard: Cap;
  readonly perCashier: Cap;
  /** In the last sixty minutes, including what was sent since. */
  readonly perHour: Cap;
  /** On the day of the shop's calendar, including what was sent since. */
  readonly perDay: Cap;
  readonly brands: GroupCaps;
  readonly cardTypes: GroupCaps;
  readonly entryModes: GroupCaps;
};

/** The names that caps by brand can have. */
export const cappedBrands: readonly string[] = [...brands, 'other'];

export type OfflineLimits = {
  /** The limits apply to one currency: sales in another are not taken offline. */
  readonly currency: string;
  /** The chip approves by itself (TC). */
  readonly chip: KindLimits;
  /** The store takes the risk of an authorisation that is sent later. */
  readonly deferred: KindLimits;
  /** Both kinds together. */
  readonly together: Cap;
  /** Operations with a card, and follow-ups that may wait in the queue. */
  readonly operations: readonly Operation[];
  /** Refunds that wait in the queue: `upToMinor` 0 allows none. */
  readonly refunds: Cap & { readonly upToMinor: bigint };
  /** How long the gateway may be without an answer; absent: for ever. */
  readonly windowMs?: number;
  /** Free bytes that must remain on the disk. */
  readonly keepFreeBytes: number;
  /** Also accepts cards whose data the terminal did not authenticate; a failed authentication is never accepted. */
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

/** What counts against the limits of one kind, as far as it concerns the requested sale. */
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

/** The situation now: how long the gateway has been without an answer, and what is left of the disk. */
export type OfflineMoment = {
  /** In ms, `byClock` when only the till's own clock says so; or why it cannot be known, in words. */
  readonly sinceAnswer: { readonly ms: number; readonly byClock?: true } | { readonly unknown: string };
  readonly freeBytes: number;
};

// The question before an operation goes on without the gateway, and the data for the answer.

export type OfflineTry = {
  readonly operation: Operation;
  readonly amount: Money;
  /** Absent for a follow-up. */
  readonly card?: CardFacts;
  /** Who is signed in. */
  readonly cashier?: string;
};

export type OfflineFacts = {
  readonly limits: OfflineLimits;
  readonly exposure: Exposure;
  readonly moment: OfflineMoment;
};
