/**
 * Whether a sale or follow-up may go on without the gateway: a pure function of the store's limits, the exposure, and
 * the moment. Gives the reason in words, and what is left of each limit.
 */
import { money } from '../../base/money.ts';
import type { CardFacts } from '../machine/facts.ts';
import type { OfflineLeft, OfflineVerdict } from '../machine/offline-facts.ts';
import { followsPayment, operations } from '../machine/operations.ts';
import { type Objection, objectionTo } from './card.ts';
import { isOfflineOn, type OfflineFacts, type OfflineLimits, type OfflineMoment, type OfflineTry } from './limits.ts';
import { firstReached, leftOf, type Measure, measuresOf, refundMeasures } from './measures.ts';

export const offlineVerdict = (request: OfflineTry, facts: OfflineFacts): OfflineVerdict => {
  const left = offlineLeft(request, facts);
  const objection = objectionToAll(request, facts);
  if (objection !== undefined) return { kind: 'refused', ...objection, left };
  return {
    ...(request.card === undefined ? storedVerdict(request, facts) : cardVerdict(request, request.card, facts)),
    left,
  };
};

/** The part that the journal keeps: what is left changes with each sale, and can be computed at any time. */
export const toBeKept = ({ left: _, ...verdict }: OfflineVerdict): OfflineVerdict => verdict;

export const offlineLeft = (request: OfflineTry, { limits, exposure, moment }: OfflineFacts): OfflineLeft => {
  const { windowMs, currency } = limits;
  const { sinceAnswer } = moment;
  const isLimited = windowMs !== undefined && 'ms' in sinceAnswer;
  return {
    chip: leftOf(measuresOf('chip', { request, limits, exposure }), currency),
    deferred: leftOf(measuresOf('deferred', { request, limits, exposure }), currency),
    refunds: leftOf(refundMeasures({ limits, exposure }), currency),
    windowMs: isLimited ? Math.max(0, windowMs - sinceAnswer.ms) : undefined,
  };
};

/** What rules out any sale, whatever the card and the sums. */
const objectionToAll = ({ operation, amount, card }: OfflineTry, { limits, moment }: OfflineFacts) => {
  if (!isOfflineOn(limits)) return { code: 'off', why: 'offline sales are switched off in this shop' } as const;
  const isAllowed = operation === 'refund' ? limits.refunds.upToMinor > 0n : limits.operations.includes(operation);
  // A credit is money given without an earlier payment: no limit of a shop covers that.
  if (!isAllowed || operation === 'credit' || followsPayment({ operation }) !== (card === undefined))
    return { code: 'operation', why: `${operations[operation].noun} needs the gateway` } as const;
  if (amount.currency !== limits.currency)
    return { code: 'currency', why: `the store’s limits are in ${limits.currency}` } as const;
  return objectionOfMoment(limits, moment);
};

const objectionOfMoment = (limits: OfflineLimits, { sinceAnswer, freeBytes }: OfflineMoment): Objection | undefined => {
  if (freeBytes < limits.keepFreeBytes)
    return { code: 'disk', why: 'the till’s disk is nearly full: what is left is kept for what was already taken' };
  if ('unknown' in sinceAnswer) return needsTime(limits) ? { code: 'clock', why: sinceAnswer.unknown } : undefined;
  if (limits.windowMs === undefined || sinceAnswer.ms < limits.windowMs) return undefined;
  const [since, most] = [sinceAnswer.ms, limits.windowMs].map(durationWords);
  const clock = sinceAnswer.byClock ? 'by the till’s clock, which ran on while it was off, ' : '';
  return { code: 'window', why: `${clock}the gateway has not been heard for ${since}; the store allows ${most}` };
};

const needsTime = ({ windowMs, chip, deferred }: OfflineLimits): boolean =>
  windowMs !== undefined ||
  [chip.perHour, chip.perDay, deferred.perHour, deferred.perDay].some(
    ({ minor, count }) => minor !== undefined || count !== undefined,
  );

const storedVerdict = (request: OfflineTry, { limits, exposure }: OfflineFacts): OfflineVerdict => {
  const reached =
    request.operation === 'refund' ? firstReached(refundMeasures({ limits, exposure }), request.amount) : undefined;
  return reached === undefined
    ? { kind: 'allowed', chip: false, deferred: false, stored: true }
    : { kind: 'refused', ...reached };
};

const cardVerdict = (request: OfflineTry, card: CardFacts, { limits, exposure }: OfflineFacts): OfflineVerdict => {
  const objection = objectionTo(card, limits);
  if (objection !== undefined) return { kind: 'refused', ...objection };
  const of = (kind: 'chip' | 'deferred'): Found => {
    const measures = measuresOf(kind, { request, limits, exposure });
    const reached = firstReached(measures, request.amount);
    return { reached, at: measures.findIndex(({ limit }) => limit === reached?.code), upTo: measures[0] };
  };
  const chip = of('chip');
  // Only the chip's final data is stored then, which never contains a PIN.
  const deferred = card.mayHoldPin === true ? { ...of('deferred'), reached: mayHoldPin, at: -1 } : of('deferred');
  if (chip.reached !== undefined && deferred.reached !== undefined)
    return { kind: 'refused', ...moreUsefulOf(chip, deferred) };
  return { kind: 'allowed', chip: chip.reached === undefined, deferred: deferred.reached === undefined };
};

const mayHoldPin: Objection = {
  code: 'mayHoldPin',
  why: 'the terminal’s data may hold a PIN, which must not be stored',
};

/** What rules out one kind, and the place of that limit in the list of its limits. */
type Found = { reached: Objection | undefined; at: number; upTo: Measure | undefined };

/** The reason further down in its list: a kind that is off, or has the smaller limit, was never an option. */
const moreUsefulOf = (chip: Found, deferred: Found): Objection => {
  const both = [chip, deferred].filter(({ reached }) => reached !== undefined);
  const best = both.sort((a, b) => b.at - a.at || Number((b.upTo?.cap.minor ?? 0n) - (a.upTo?.cap.minor ?? 0n)))[0];
  return best?.reached ?? mayHoldPin;
};

/** For the till's readiness: what rules out any sale now, before there is a card. */
export const currentObjection = ({ limits, exposure, moment }: OfflineFacts): Objection | undefined => {
  const smallest: OfflineTry = { operation: 'sale', amount: money(1n, limits.currency) };
  if (!isOfflineOn(limits)) return objectionToAll(smallest, { limits, exposure, moment });
  const general = objectionOfMoment(limits, moment);
  if (general !== undefined) return general;
  const reached = (['chip', 'deferred'] as const).map((kind) =>
    firstReached(measuresOf(kind, { request: smallest, limits, exposure }), smallest.amount),
  );
  return reached.every((each) => each !== undefined) ? reached.find((each) => each?.code !== 'perSale') : undefined;
};

/** `2 h 5 min`, rounded down; `0 min` for less than a minute. */
export const durationWords = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor((minutes % 1_440) / 60);
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
};
