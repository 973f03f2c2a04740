/** Which operation may follow which, and how much of a payment is left for it. */
import { add, compare, type Money, money, printMoney, subtract } from '../base/money.ts';
import { meaningOf } from './results.ts';
import type { FollowUp, Payment } from './store/store.ts';

type Row = {
  /** What it may refer to. */
  of: readonly Payment['paymentType'][];
  /** There is no such successful payment. */
  missing: string;
  /** There is one, and nothing or too little of it is left. */
  exceeded: string;
};

/**
 * A refund is of what was captured: of the capture, not of its authorisation; of a credit it takes money back. A
 * reversal is of what was only authorised, or taken at once and not yet refunded; of a credit too, because a till must
 * be able to undo one whose answer never came.
 */
export const followUps: Readonly<Record<FollowUp, Row>> = {
  CP: { of: ['PA'], missing: '700.400.510', exceeded: '700.400.100' },
  RV: { of: ['PA', 'DB', 'PA.CP', 'CD'], missing: '700.400.530', exceeded: '700.400.300' },
  RF: { of: ['DB', 'PA.CP', 'CP', 'CD'], missing: '700.400.520', exceeded: '700.400.200' },
};

const PENDING = '700.400.570';
const CURRENCY_DIFFERS = '700.100.500';

export type Verdict = { amount: Money } | { resultCode: string; why: string };

/** A payment with all its captures, reversals and refunds, those under way among them. */
export type Standing = { payment: Payment; followers: readonly Payment[] };

/** Whether the follow-up may be done, and of how much: the amount asked for, or all that is left. */
export const mayFollow = (type: FollowUp, standing: Standing | undefined, asked: Money | undefined): Verdict => {
  const row = followUps[type];
  if (standing === undefined) return { resultCode: row.missing, why: 'There is no payment with this id.' };
  const { payment } = standing;
  const unfit = unfitness(type, payment);
  if (unfit !== undefined) return unfit;
  if (asked !== undefined && asked.currency !== payment.amount.currency) {
    return { resultCode: CURRENCY_DIFFERS, why: `The payment is in ${payment.amount.currency}.` };
  }
  const closed = closedTo(type, standing);
  if (closed !== undefined) return { resultCode: row.exceeded, why: closed };
  const left = leftOf(standing);
  if (left.minor === 0n) return { resultCode: row.exceeded, why: 'Nothing of the payment is left.' };
  if (asked !== undefined && compare(asked, left) > 0) {
    return { resultCode: row.exceeded, why: `At most ${printMoney(left)} is left.` };
  }
  return { amount: asked ?? left };
};

/** Why this payment cannot be followed by this type at all. */
const unfitness = (type: FollowUp, payment: Payment): Verdict | undefined => {
  const row = followUps[type];
  if (!row.of.includes(payment.paymentType)) {
    return { resultCode: row.missing, why: `A ${payment.paymentType} cannot be followed by ${type}.` };
  }
  if (payment.state === 'processing') return { resultCode: PENDING, why: 'The payment has no result yet.' };
  const means = meaningOf(payment.resultCode);
  if (means === 'approved') return undefined;
  // What may have been charged must stay reversible.
  if (means === 'unknown' && type === 'RV') return undefined;
  if (means === 'pending' || means === 'unknown')
    return { resultCode: PENDING, why: 'The payment has no final result.' };
  return { resultCode: row.missing, why: 'The payment was not successful.' };
};

/** Why no more of this type may follow, whatever amount is left. */
const closedTo = (type: FollowUp, { payment, followers }: Standing): string | undefined => {
  const counted = followers.filter(counts);
  if (type === 'RV') {
    const taken = counted.find(({ paymentType }) => paymentType !== 'RV');
    return taken === undefined ? undefined : `It was followed by a ${taken.paymentType}.`;
  }
  const same = counted.filter(({ paymentType }) => paymentType === type);
  if (same.some(({ facts }) => facts.echo['sequence'] === 'FINAL')) return `The final ${type} was done.`;
  const most = payment.facts.echo['numberOfCaptures'];
  if (type === 'CP' && most !== undefined && same.length >= Number(most)) return `All ${most} captures were done.`;
  return undefined;
};

/** What is left of a payment, follow-ups under way or in doubt taken as done. */
export const leftOf = ({ payment, followers }: Standing): Money =>
  subtract(
    payment.amount,
    followers.filter(counts).reduce((sum, { amount }) => add(sum, amount), money(0n, payment.amount.currency)),
  );

/** Only a follow-up that certainly did not happen gives its amount back. */
const counts = (follower: Payment): boolean =>
  follower.state === 'processing' || !['declined', 'refused', 'later'].includes(meaningOf(follower.resultCode));
