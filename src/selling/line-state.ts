/** The line to the gateway as a screen shows it: up or down, what waits, and what may be sold without it. */
import type { LineState } from '../api/ports/wire.ts';
import type { Clock } from '../base/clock.ts';
import { money } from '../base/money.ts';
import { openSums } from '../ledger/open-figures.ts';
import { amountOf } from '../ledger/wire-money.ts';
import type { OfflineReadiness } from '../offline/decision.ts';
import { type Judgement, judge, recentCards } from '../offline/recent-cards.ts';
import type { CardFacts } from '../till/machine/facts.ts';
import type { Left } from '../till/machine/offline-facts.ts';
import type { SellingTill } from './port.ts';

type Sums = Pick<LineState, 'waiting' | 'unknown' | 'forPerson'>;

/** The queue changes without the journal too: a row set aside is noticed after so long, ms. */
const GOOD_FOR_MS = 2_000;
/** Which cards are read at a till changes slowly, ms. */
const CARDS_GOOD_FOR_MS = 60_000;

/** Counted again when the journal has grown or some time has passed: it is asked for with each event. */
export const lineStates = (running: SellingTill, clock: Clock): (() => LineState) => {
  let counted: { sums: Sums; length: number; at: number } | undefined;
  const sums = (): Sums => {
    const { length } = running.journal;
    const now = clock.monotonic();
    if (counted === undefined || counted.length !== length || now - counted.at > GOOD_FOR_MS)
      counted = { sums: sumsNow(running, clock), length, at: now };
    return counted.sums;
  };
  let read: { cards: readonly CardFacts[]; at: number } | undefined;
  /** Only without a line: before that nobody asks. */
  const cards = (): readonly CardFacts[] => {
    const now = clock.monotonic();
    if (read === undefined || now - read.at > CARDS_GOOD_FOR_MS)
      read = { cards: recentCards(running, clock.now()), at: now };
    return read.cards;
  };
  return () => {
    const line = running.line.now();
    const readiness = running.offline.readiness();
    const judged = judge(line.online ? [] : cards(), readiness);
    return { ...line, ...sums(), offline: offlineOf(readiness, judged) };
  };
};

/** What was taken in another currency is counted, and stands in no sum of this one. */
const sumsNow = ({ journal, config: { currency } }: SellingTill, clock: Clock): Sums => {
  const { stored, unknown, forPerson } = openSums(journal.sql, { now: clock.now(), currency });
  return {
    waiting: { count: stored.count, total: amountOf(money(stored.minor, currency)) },
    unknown,
    forPerson,
  };
};

const offlineOf = ({ limits, exposure, left }: OfflineReadiness, { ready, why }: Judgement): LineState['offline'] => {
  const { currency, together } = limits;
  const used = exposure.chip.total.minor + exposure.deferred.total.minor;
  const kinds = (['chip', 'deferred'] as const).filter((kind) => limits[kind].upToMinor !== 0n);
  const [only, other] = kinds;
  const most = together.minor ?? (only !== undefined && other === undefined ? limits[only].total.minor : undefined);
  // A sale goes the way that has more left; each way is as wide as its narrowest limit.
  const widest = kinds.map((kind) => narrowest(left[kind])).reduce(wider, {});
  return {
    ready,
    ...(why && { why: { code: `offline.${why.code}`, says: why.why } }),
    used: amountOf(money(used, currency)),
    ...(most !== undefined && { most: amountOf(money(most, currency)) }),
    ...(widest.minor !== undefined && { left: amountOf(money(widest.minor, currency)) }),
    ...(widest.count !== undefined && { count: widest.count }),
  };
};

type Narrowest = { minor?: bigint; count?: number };

const narrowest = (left: readonly Left[]): Narrowest => {
  const bounds = left.filter(({ limit }) => limit !== 'perSale');
  const minors = bounds.flatMap(({ amount }) => (amount === undefined ? [] : [amount.minor]));
  const counts = bounds.flatMap(({ count }) => (count === undefined ? [] : [count]));
  return {
    ...(minors.length > 0 && { minor: minors.reduce((one, two) => (one < two ? one : two)) }),
    ...(counts.length > 0 && { count: Math.min(...counts) }),
  };
};

const wider = (one: Narrowest, two: Narrowest, at: number): Narrowest =>
  at === 0 || (two.minor ?? 0n) > (one.minor ?? 0n) ? two : one;
