/** Which operation may follow which, and how much of a payment is left for it. */
import { add, compare, exponentOf, type Money, printMoney, subtract } from '../../base/money.ts';
import { codes } from '../../base/result-codes.ts';
import { meaningOf, movedNoMoney } from '../spec/results.ts';
import type { FollowUpType, Payment } from '../store/records.ts';
import { TOO_EARLY } from './repeats.ts';

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
 * reversal is of what is held and was not captured, or taken at once and not yet refunded; of a credit too, because a
 * till must be able to undo one whose answer never came. A receipt books the shopper's transfer on its authorisation;
 * of money that was taken already it confirms that it came, and moves nothing. A chargeback is of money that moved;
 * what a chargeback took, its reversal gives again, and so on.
 */
export const followUps: Readonly<Record<FollowUpType, Row>> = {
  PA: { of: ['PA'], missing: codes.nothingToCapture, exceeded: codes.cannotCapture },
  CP: { of: ['PA'], missing: codes.nothingToCapture, exceeded: codes.cannotCapture },
  RC: { of: ['PA', 'CP', 'DB', 'PA.CP', 'RB'], missing: codes.nothingToReceipt, exceeded: codes.cannotCapture },
  RV: { of: ['PA', 'DB', 'PA.CP', 'CP', 'RB', 'CD'], missing: codes.nothingToReverse, exceeded: codes.cannotReverse },
  RF: { of: ['DB', 'PA.CP', 'CP', 'RC', 'RB', 'CD'], missing: codes.nothingToRefund, exceeded: codes.cannotRefund },
  RB: { of: ['DB', 'PA.CP', 'CP', 'RB'], missing: codes.typeUnfit, exceeded: codes.amountTooLarge },
  CB: {
    of: ['DB', 'PA.CP', 'CP', 'RB', 'RF', 'CR'],
    missing: codes.nothingToChargeBack,
    exceeded: codes.cannotChargeBack,
  },
  CR: { of: ['CB'], missing: codes.chargebackMissing, exceeded: codes.chargebackReversed },
};

const CURRENCY_DIFFERS = codes.currencyDiffers;

type Verdict = { amount: Money } | { resultCode: string; why: string };

/** A payment with all that refers to it, and in turn to that; what is under way among it. */
export type PaymentTree = { payment: Payment; followers: readonly PaymentTree[] };

/** What is asked: so much, or all that is left. `rebillUpTo`: the channel's bound for a rebill. */
export type Wish = { type: FollowUpType; asked: Money | undefined; rebillUpTo?: Money };

/** Whether the follow-up may be done, and of how much. */
export const mayFollow = ({ type, asked, rebillUpTo }: Wish, standing: PaymentTree): Verdict => {
  const row = followUps[type];
  const { payment } = standing;
  const unfit = unfitness(type, payment);
  if (unfit !== undefined) return unfit;
  if (asked !== undefined && asked.currency !== payment.amount.currency) {
    return { resultCode: CURRENCY_DIFFERS, why: `The payment is in ${payment.amount.currency}.` };
  }
  const closed = closedTo(type, standing);
  if (closed !== undefined) return { resultCode: row.exceeded, why: closed };
  // More is held, nothing is taken: the issuer decides how much.
  if (type === 'PA') {
    const amount = asked ?? payment.amount;
    if (isTooLong(add(grownOf(standing), amount))) {
      return { resultCode: row.exceeded, why: 'No amount has more than 10 digits before its decimals.' };
    }
    return { amount };
  }
  const left = type === 'RB' ? boundOf(payment, rebillUpTo) : leftFor(type, standing);
  if (left.minor <= 0n) return { resultCode: row.exceeded, why: 'Nothing of the payment is left.' };
  if (asked !== undefined && compare(asked, left) > 0) {
    return { resultCode: row.exceeded, why: `At most ${printMoney(left)} is left.` };
  }
  return { amount: asked ?? left };
};

/** What was taken already can be confirmed whatever became of it since, each part of it once. */
const leftFor = (type: FollowUpType, standing: PaymentTree): Money => {
  const { payment, followers } = standing;
  if (type !== 'RC' || payment.paymentType === 'PA') return leftOf(standing);
  return followers
    .map((each) => each.payment)
    .filter((each) => each.paymentType === 'RC' && counts(each))
    .reduce((left, { amount }) => subtract(left, amount), payment.amount);
};

/** Whether this receipt is of money that was taken before it, so that nothing moves with it. */
export const isConfirmation = ({ facts }: Payment): boolean => facts.confirms === true;

/** An authorisation with all that was, or may have been, added to it. */
const grownOf = ({ payment, followers }: PaymentTree): Money =>
  followers
    .map((each) => each.payment)
    .filter((each) => each.paymentType === 'PA' && counts(each))
    .reduce((sum, { amount }) => add(sum, amount), payment.amount);

/** Whether the host API cannot write it (spec 2.2): all of it may be captured or reversed at once. */
const isTooLong = ({ minor, currency }: Money): boolean => minor >= 10n ** BigInt(10 + exponentOf(currency));

/** A rebill takes nothing from the payment it repeats: each is bounded by itself. */
const boundOf = ({ amount }: Payment, rebillUpTo: Money | undefined): Money =>
  rebillUpTo?.currency === amount.currency ? rebillUpTo : amount;

/** Why this payment cannot be followed by this type at all. */
const unfitness = (type: FollowUpType, payment: Payment): Verdict | undefined => {
  const row = followUps[type];
  if (!row.of.includes(payment.paymentType)) {
    return { resultCode: row.missing, why: `A ${payment.paymentType} cannot be followed by ${type}.` };
  }
  if (payment.paymentType === 'PA' && payment.referencedId !== undefined) {
    return { resultCode: row.missing, why: 'What was added to an authorisation is followed under that one’s id.' };
  }
  if (isConfirmation(payment))
    return { resultCode: row.missing, why: 'This receipt moved nothing: the payment that it confirms is followed.' };
  if (payment.state === 'processing') return { resultCode: TOO_EARLY, why: 'The payment has no result yet.' };
  const means = meaningOf(payment.resultCode);
  if (means === 'approved') return undefined;
  // What may have been charged must stay reversible.
  if (means === 'unknown' && type === 'RV') return undefined;
  if (means === 'pending' || means === 'unknown')
    return { resultCode: TOO_EARLY, why: 'The payment has no final result.' };
  return { resultCode: row.missing, why: 'The payment was not successful.' };
};

/** Whether the follow-up changes nothing about what a payment's own money may still do. */
const isHarmless = (follower: Payment): boolean =>
  follower.paymentType === 'PA' || follower.paymentType === 'RB' || isConfirmation(follower);

/** Why no more of this type may follow, whatever amount is left. */
const closedTo = (type: FollowUpType, { payment, followers }: PaymentTree): string | undefined => {
  const counted = followers.map((each) => each.payment).filter(counts);
  const isOfHold = payment.paymentType === 'PA';
  if ((type === 'RV' || type === 'PA') && counted.some(({ facts }) => facts.endsHold))
    return 'The last capture was done: nothing is held any more.';
  if (type === 'RV') {
    // What is held and was not captured can be given back at any time.
    const taken = counted.find((each) => each.paymentType !== 'RV' && !isHarmless(each));
    if (taken !== undefined && !isOfHold) return `It was followed by a ${taken.paymentType}.`;
  }
  const same = counted.filter(({ paymentType }) => paymentType === type);
  if ((type === 'CB' || type === 'CR') && same.length > 0) return `It already was followed by a ${type}.`;
  if (same.some(({ facts }) => facts.echo['sequence'] === 'FINAL')) return `The final ${type} was done.`;
  const most = payment.facts.echo['numberOfCaptures'];
  if (type === 'CP' && most !== undefined && same.length >= Number(most)) return `All ${most} captures were done.`;
  return undefined;
};

/**
 * Whether nothing stays held after this capture: it is the final one, or the last of as many as the authorisation
 * allows. Captures under way or in doubt count.
 */
export const endsHold = ({ payment, followers }: PaymentTree, sequence: string | undefined): boolean => {
  const most = payment.facts.echo['numberOfCaptures'];
  const earlier = followers.filter((each) => each.payment.paymentType === 'CP' && counts(each.payment));
  return sequence === 'FINAL' || (most !== undefined && earlier.length + 1 >= Number(most));
};

/**
 * What is left of a payment, follow-ups under way or in doubt taken as done: each takes its own amount but for what
 * came back of it (a chargeback's reversal); an increase that certainly came adds to it; behind a last capture nothing.
 */
export const leftOf = ({ payment, followers }: PaymentTree): Money => {
  if (followers.some(({ payment: each }) => each.facts.endsHold && counts(each)))
    return { ...payment.amount, minor: 0n };
  return followers.reduce((left, follower) => {
    const { paymentType } = follower.payment;
    if (paymentType === 'RB' || isConfirmation(follower.payment) || !counts(follower.payment)) return left;
    if (paymentType === 'PA') return isApproved(follower.payment) ? add(left, follower.payment.amount) : left;
    if (paymentType === 'CB') return subtract(left, netOf(follower));
    return subtract(left, follower.payment.amount);
  }, payment.amount);
};

/**
 * What a chargeback, or its reversal, moves after what was done about it. As everywhere, what takes counts when it is
 * in doubt, and what gives only when it is certain.
 */
const netOf = ({ payment, followers }: PaymentTree): Money =>
  followers
    .filter((follower) => (follower.payment.paymentType === 'CR' ? isApproved : counts)(follower.payment))
    .reduce((net, follower) => subtract(net, netOf(follower)), payment.amount);

const isApproved = (payment: Payment): boolean =>
  payment.state === 'done' && meaningOf(payment.resultCode) === 'approved';

/** Only a follow-up that certainly did not happen gives its amount back. */
const counts = (follower: Payment): boolean => follower.state === 'processing' || !movedNoMoney(follower.resultCode);
