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
  readonly text: string;
  readonly code: ResponseCode;
  readonly test: (facts: DecisionFacts) => boolean;
  /** `always`: the row also declines an advice. `request`: it declines only a request that can still be decided. */
  readonly for: 'always' | 'request';
};

const isDebit = (facts: DecisionFacts): boolean => facts.type !== 'CD' && facts.trigger !== 'approve';

/** Whether this is the genuine card, chip and data, and not a replay. */
export const guards: readonly Row[] = [
  { for: 'always', code: '63', text: 'key serial number used before', test: (f) => f.key === 'replayed' },
  { for: 'always', code: '30', text: 'chip data incomplete', test: (f) => f.chip === 'malformed' },
  { for: 'always', code: '82', text: 'cryptogram wrong', test: (f) => f.chip === 'wrong' },
  { for: 'always', code: '13', text: 'cryptogram is over another amount', test: (f) => f.amountAgrees === 'no' },
  { for: 'always', code: '94', text: 'transaction counter used before', test: (f) => f.counter === 'used' },
  { for: 'always', code: '94', text: 'transaction counter too old', test: (f) => f.counter === 'tooOld' },
  {
    for: 'request',
    code: '12',
    text: 'sent as approved by the chip, but the chip did not approve',
    test: (f) => f.claimedOffline === 'chip',
  },
  {
    for: 'request',
    code: '12',
    text: 'the chip declined this payment',
    test: (f) => f.type !== 'CD' && f.chipSays === 'declined',
  },
];

/**
 * An advice reports goods that are gone: the issuer guarantees its genuine chip, even beyond the funds or past the
 * expiry date. A card reported lost or stolen is the exception: the terminal's stop list should have caught it.
 */
export const judgements: readonly Row[] = [
  { for: 'always', code: '41', text: 'reported lost', test: (f) => f.status === 'lost' },
  { for: 'always', code: '43', text: 'reported stolen', test: (f) => f.status === 'stolen' },
  { for: 'request', code: '62', text: 'restricted', test: (f) => f.status === 'restricted' },
  { for: 'request', code: '54', text: 'expired', test: (f) => f.expired === 'yes' },
  { for: 'request', code: '81', text: 'PIN block unreadable', test: (f) => f.pin === 'unreadable' },
  { for: 'request', code: '75', text: 'PIN tries used up', test: (f) => f.pin !== 'none' && f.wrongPins >= pinTries },
  { for: 'request', code: '55', text: 'PIN wrong', test: (f) => f.pin === 'wrong' },
  { for: 'request', code: '82', text: 'stripe’s value wrong', test: (f) => f.verificationValue === 'wrong' },
  { for: 'request', code: 'N7', text: 'security code wrong', test: (f) => f.securityCode === 'wrong' },
  { for: 'request', code: '13', text: 'a payment of nothing', test: (f) => f.type !== 'PA' && f.amount === 0n },
  { for: 'request', code: '61', text: 'above the limit', test: (f) => isDebit(f) && f.amount > f.perTransaction },
  { for: 'request', code: '65', text: 'too many today', test: (f) => isDebit(f) && f.paymentsLeftToday < 1 },
  { for: 'request', code: '51', text: 'not enough funds', test: (f) => isDebit(f) && f.amount > f.available },
];

/** The response code of a request or an advice. A test's trigger comes after the guards and before the judgements. */
export const decide = (facts: DecisionFacts): ResponseCode => {
  const isApplicable = (row: Row) => (row.for === 'always' || !facts.advice) && row.test(facts);
  const guard = guards.find(isApplicable);
  if (guard !== undefined) return guard.code;
  if (!facts.advice && facts.trigger !== 'none' && facts.trigger !== 'approve') return facts.trigger;
  return judgements.find(isApplicable)?.code ?? '00';
};
