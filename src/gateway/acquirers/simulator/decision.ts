/**
 * The issuer's decision as an ordered table: the first row that applies gives the response code; if none applies, the
 * request is approved.
 */
import type { IssuerAccount } from './accounts.ts';
import type { ResponseCode } from './responses.ts';

/** Everything the decision depends on, gathered beforehand. Amounts in grains (`worth.ts`). */
export type DecisionFacts = {
  type: 'PA' | 'DB' | 'CD';
  /** The chip has already approved; this message only reports it. */
  advice: boolean;
  /** Whether the card's data or PIN came under a key serial number that was used before. */
  key: 'fresh' | 'replayed';
  chip: 'none' | 'genuine' | 'wrong' | 'malformed';
  /** Whether the cryptogram covers the amount and currency of the request. */
  amountAgrees: 'yes' | 'no';
  counter: 'none' | 'fresh' | 'used' | 'tooOld';
  /** What the chip itself decided, by its cryptogram's type. */
  chipSays: 'goOnline' | 'approved' | 'declined' | 'nothing';
  claimedOffline: 'chip' | 'deferred' | 'no';
  trigger: ResponseCode | 'approve' | 'none';
  status: IssuerAccount['account'];
  expired: 'yes' | 'no';
  pin: 'none' | 'right' | 'wrong' | 'unreadable';
  /** Wrong PINs in a row, including this one. */
  wrongPins: number;
  verificationValue: 'none' | 'right' | 'wrong';
  securityCode: 'none' | 'right' | 'wrong';
  amount: bigint;
  perTransaction: bigint;
  paymentsLeftToday: number;
  available: bigint;
};

export const pinTries = 3;

type Row = {
  readonly says: string;
  readonly code: ResponseCode;
  readonly when: (facts: DecisionFacts) => boolean;
  /** `always`: an advice is declined for it too. `request`: only a request that can still be decided. */
  readonly for: 'always' | 'request';
};

const spends = (facts: DecisionFacts): boolean => facts.type !== 'CD' && facts.trigger !== 'approve';

/** Whether this is the genuine card, chip and data, and not a replay. */
export const guards: readonly Row[] = [
  { for: 'always', code: '63', says: 'key serial number used before', when: (f) => f.key === 'replayed' },
  { for: 'always', code: '30', says: 'chip data incomplete', when: (f) => f.chip === 'malformed' },
  { for: 'always', code: '82', says: 'cryptogram wrong', when: (f) => f.chip === 'wrong' },
  { for: 'always', code: '13', says: 'cryptogram is over another amount', when: (f) => f.amountAgrees === 'no' },
  { for: 'always', code: '94', says: 'transaction counter used before', when: (f) => f.counter === 'used' },
  { for: 'always', code: '94', says: 'transaction counter too old', when: (f) => f.counter === 'tooOld' },
  {
    for: 'request',
    code: '12',
    says: 'sent as approved by the chip, but the chip did not approve',
    when: (f) => f.claimedOffline === 'chip',
  },
  {
    for: 'request',
    code: '12',
    says: 'the chip declined this payment',
    when: (f) => f.type !== 'CD' && f.chipSays === 'declined',
  },
];

/**
 * An advice reports goods that are gone: the issuer guarantees its genuine chip, even beyond the funds or past the
 * expiry date. A card reported lost or stolen is the exception: the terminal's stop list should have caught it.
 */
export const judgements: readonly Row[] = [
  { for: 'always', code: '41', says: 'reported lost', when: (f) => f.status === 'lost' },
  { for: 'always', code: '43', says: 'reported stolen', when: (f) => f.status === 'stolen' },
  { for: 'request', code: '62', says: 'restricted', when: (f) => f.status === 'restricted' },
  { for: 'request', code: '54', says: 'expired', when: (f) => f.expired === 'yes' },
  { for: 'request', code: '81', says: 'PIN block unreadable', when: (f) => f.pin === 'unreadable' },
  { for: 'request', code: '75', says: 'PIN tries used up', when: (f) => f.pin !== 'none' && f.wrongPins >= pinTries },
  { for: 'request', code: '55', says: 'PIN wrong', when: (f) => f.pin === 'wrong' },
  { for: 'request', code: '82', says: 'stripe’s value wrong', when: (f) => f.verificationValue === 'wrong' },
  { for: 'request', code: 'N7', says: 'security code wrong', when: (f) => f.securityCode === 'wrong' },
  { for: 'request', code: '13', says: 'a payment of nothing', when: (f) => f.type !== 'PA' && f.amount === 0n },
  { for: 'request', code: '61', says: 'above the limit', when: (f) => spends(f) && f.amount > f.perTransaction },
  { for: 'request', code: '65', says: 'too many today', when: (f) => spends(f) && f.paymentsLeftToday < 1 },
  { for: 'request', code: '51', says: 'not enough funds', when: (f) => spends(f) && f.amount > f.available },
];

/** The response code of a request or an advice. A test's trigger comes after the guards and before the judgements. */
export const decide = (facts: DecisionFacts): ResponseCode => {
  const applies = (row: Row) => (row.for === 'always' || !facts.advice) && row.when(facts);
  const guard = guards.find(applies);
  if (guard !== undefined) return guard.code;
  if (!facts.advice && facts.trigger !== 'none' && facts.trigger !== 'approve') return facts.trigger;
  return judgements.find(applies)?.code ?? '00';
};
