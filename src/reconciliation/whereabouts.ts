/**
 * Every cent of every intent is in exactly one place. Charged money can be reversed or refunded by later operations. A
 * pre-authorisation moves nothing: its amount is held until it is completed or released.
 */
import type { Operation } from '../till/machine/facts.ts';
import type { Sale } from '../till/machine/sale.ts';
import { caseOf, type Place, places } from './places.ts';

export const buckets = [
  'notSent',
  'unknown',
  'approved',
  'declined',
  'reversed',
  'refunded',
  'held',
  'completed',
  'released',
] as const;
export type Bucket = (typeof buckets)[number];
export type Buckets = Readonly<Record<Bucket, bigint>>;

/** charges take money from a customer, returns give it back, holds only reserve it, releases end a hold. */
export const accounts = ['charges', 'returns', 'holds', 'releases'] as const;
export type LedgerAccount = (typeof accounts)[number];

export const accountOf = {
  sale: 'charges',
  completion: 'charges',
  refund: 'returns',
  void: 'returns',
  credit: 'returns',
  preauthorisation: 'holds',
  increment: 'holds',
  release: 'releases',
} as const satisfies Record<Operation, LedgerAccount>;

/** One intent alone, in minor units of its currency. */
export type IntentMoney = {
  readonly operation: Operation;
  readonly currency: string;
  readonly intended: bigint;
  readonly place: Place;
  /** The approved amount: less than intended after a partial approval, 0 if it was not approved. */
  readonly approved: bigint;
  /** A completion after which nothing stays held. */
  readonly final: boolean;
};

export type Whereabouts = {
  readonly intended: bigint;
  /** Moved beyond the intended amount, by a terminal that took another amount and kept it. */
  readonly beyond: bigint;
  readonly buckets: Buckets;
  /** More given back than there was: an error in the records. */
  readonly missing: bigint;
};

export const intentMoneyOf = (sale: Sale): IntentMoney => {
  const { intent, answer, terminal } = sale;
  const { place } = places[caseOf(sale)];
  const moved = terminal?.payment?.amount ?? answer?.approved ?? intent.amount;
  return {
    operation: intent.operation,
    currency: intent.amount.currency,
    intended: intent.amount.minor,
    place,
    approved: place === 'approved' ? moved.minor : 0n,
    final: intent.final === true,
  };
};

export const empty: Buckets = Object.fromEntries(buckets.map((name) => [name, 0n])) as Buckets;

/** Operations that are counted at the payment they follow. */
export const countsAtParent = (operation: Operation): boolean => operation === 'increment';

/** Where the money of this sale is, including what follows it. Increments are counted at their pre-authorisation. */
export const whereabouts = (sale: Sale, followers: readonly Sale[] = []): Whereabouts =>
  computeWhereabouts(intentMoneyOf(sale), followers.map(intentMoneyOf));

export const computeWhereabouts = (own: IntentMoney, followers: readonly IntentMoney[]): Whereabouts => {
  const account: LedgerAccount = accountOf[own.operation];
  return account === 'holds' ? holdWhereabouts(own, followers) : moved(own, followers);
};

/** One intent before its followers: its place, and the part that a partial approval declined. */
const withoutFollowers = ({ place, intended, approved }: IntentMoney, as: 'approved' | 'held'): Whereabouts => {
  if (place !== 'approved') return { intended, beyond: 0n, buckets: { ...empty, [place]: intended }, missing: 0n };
  const beyond = approved > intended ? approved - intended : 0n;
  const declined = approved < intended ? intended - approved : 0n;
  return { intended, beyond, buckets: { ...empty, declined, [as]: approved }, missing: 0n };
};

const moved = (own: IntentMoney, followers: readonly IntentMoney[]): Whereabouts => {
  const first = withoutFollowers(own, 'approved');
  const refunds = followers.filter(({ operation }) => operation === 'refund');
  const voids = followers.filter(({ operation }) => operation === 'void');
  const available = first.buckets.approved;
  const returned = sum(refunds.map(({ approved }) => approved));
  const refunded = smaller(available, returned);
  const reversed = voids.some(isDone) ? available - refunded : 0n;
  const left = available - refunded - reversed;
  const doubtful = sum(refunds.filter(isInDoubt).map(({ intended }) => intended));
  const unknown = voids.some(isInDoubt) ? left : smaller(left, doubtful);
  const { buckets } = first;
  return {
    ...first,
    buckets: {
      ...buckets,
      approved: left - unknown,
      refunded,
      reversed: buckets.reversed + reversed,
      unknown: buckets.unknown + unknown,
    },
    missing: returned - refunded,
  };
};

/**
 * A completion can exceed the held amount, for a tip. What it does not take stays held until it is released, unless it
 * was the final completion.
 */
const holdWhereabouts = (own: IntentMoney, followers: readonly IntentMoney[]): Whereabouts => {
  const increments = followers.filter(({ operation }) => operation === 'increment');
  const first = [own, ...increments].map((one) => withoutFollowers(one, 'held')).reduce(addWhereabouts);
  const available = first.buckets.held;
  const completions = of(followers, 'completion');
  const completed = smaller(available, sum(completions.map(({ approved }) => approved)));
  const ends = [...of(followers, 'release'), ...of(followers, 'void'), ...completions.filter(({ final }) => final)];
  const left = available - completed;
  const released = ends.some(isDone) ? left : 0n;
  const unknown = released === 0n && ends.some(isInDoubt) ? left : 0n;
  const { buckets } = first;
  return {
    ...first,
    buckets: { ...buckets, held: left - released - unknown, completed, released, unknown: buckets.unknown + unknown },
  };
};

const of = (followers: readonly IntentMoney[], operation: Operation): IntentMoney[] =>
  followers.filter((follower) => follower.operation === operation);

const isDone = ({ place }: IntentMoney): boolean => place === 'approved';
const isInDoubt = ({ place }: IntentMoney): boolean => place === 'unknown';
const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right);
export const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

const addWhereabouts = (left: Whereabouts, right: Whereabouts): Whereabouts => ({
  intended: left.intended + right.intended,
  beyond: left.beyond + right.beyond,
  buckets: addBuckets(left.buckets, right.buckets),
  missing: left.missing + right.missing,
});

export const addBuckets = (left: Buckets, right: Buckets): Buckets =>
  Object.fromEntries(buckets.map((name) => [name, left[name] + right[name]])) as Buckets;

/** Whether every cent is in exactly one place. */
export const isWhole = ({ intended, beyond, buckets: all, missing }: Whereabouts): boolean =>
  missing === 0n &&
  buckets.every((name) => all[name] >= 0n) &&
  sum(buckets.map((name) => all[name])) === intended + beyond;

/**
 * By how much a sale's places are wrong, in minor units; 0 when every cent is in one place. Refunds are checked a
 * second way: their sum must equal what their sale says was refunded.
 */
export const offBy = (
  own: IntentMoney,
  followers: readonly IntentMoney[],
  now = computeWhereabouts(own, followers),
): bigint => {
  const all = buckets.map((name) => now.buckets[name]);
  const gap = magnitude(sum(all) - now.intended - now.beyond);
  const below = sum(all.map((minor) => (minor < 0n ? -minor : 0n)));
  const places = now.missing + gap + below;
  const givenBack = sum(of(followers, 'refund').map(({ approved }) => approved));
  const other = accountOf[own.operation] === 'holds' ? 0n : magnitude(givenBack - now.buckets.refunded);
  return places > other ? places : other;
};

export const magnitude = (minor: bigint): bigint => (minor < 0n ? -minor : minor);
