/** Which operation may follow which, and how much of a payment is left for it. */
import { add, compare, exponentOf, type Money, printMoney, subtract } from '../../base/money.ts';
import { codes } from '../../base/result-codes.ts';
import { meaningOf, movedNoMoney } from '../spec/results.ts';
import type { FollowUpType, Payment } from '../store/records.ts';
import { TOO_EARLY } from './repeats.ts';

type Row = {
  /** The payment types that it may refer to. */
  of: readonly Payment['paymentType'][];
  /** The code if there is no such successful payment. */
  missingCode: string;
  /** The code if there is one, but nothing or too little of it is left. */
  exceededCode: string;
};

/**
 * A refund returns captured money: it refers to the capture, not to its authorisation; for a credit it takes money
 * back. A reversal releases money that is held and not captured, or undoes a debit not yet refunded; or a credit,
 * because a till must be able to undo one whose answer never came. A receipt books the shopper's transfer on its
 * authorisation; for money already taken it only confirms the arrival. A chargeback takes back money that moved; its
 * reversal returns that money, and so on.
 */
export const followUps: Readonly<Record<FollowUpType, Row>> = {
  PA: { of: ['PA'], missingCode: codes.nothingToCapture, exceededCode: codes.cannotCapture },
  CP: { of: ['PA'], missingCode: codes.nothingToCapture, exceededCode: codes.cannotCapture },
  RC: { of: ['PA', 'CP', 'DB', 'PA.CP', 'RB'], missingCode: codes.nothingToReceipt, exceededCode: codes.cannotCapture },
  RV: {
    of: ['PA', 'DB', 'PA.CP', 'CP', 'RB', 'CD'],
    missingCode: codes.nothingToReverse,
    exceededCode: codes.cannotReverse,
  },
  RF: {
    of: ['DB', 'PA.CP', 'CP', 'RC', 'RB', 'CD'],
    missingCode: codes.nothingToRefund,
    exceededCode: codes.cannotRefund,
  },
  RB: { of: ['DB', 'PA.CP', 'CP', 'RB'], missingCode: codes.typeUnfit, exceededCode: codes.amountTooLarge },
  CB: {
    of: ['DB', 'PA.CP', 'CP', 'RB', 'RF', 'CR'],
    missingCode: codes.nothingToChargeBack,
    exceededCode: codes.cannotChargeBack,
  },
  CR: { of: ['CB'], missingCode: codes.chargebackMissing, exceededCode: codes.chargebackReversed },
};

const CURRENCY_DIFFERS = codes.currencyDiffers;

type Verdict = { amount: Money } | { resultCode: string; why: string };

/** A payment with all its follow-ups and theirs in turn, including those in progress. */
export type PaymentTree = { payment: Payment; followers: readonly PaymentTree[] };

/** The requested follow-up: this amount, or all that is left. `rebillUpTo`: the channel's limit for a rebill. */
export type FollowUpParams = { type: FollowUpType; requested: Money | undefined; rebillUpTo?: Money };

/** Whether the follow-up is allowed, and its amount. */
export const judgeFollowUp = ({ type, requested: asked, rebillUpTo }: FollowUpParams, tree: PaymentTree): Verdict => {
  const row = followUps[type];
  const { payment } = tree;
  const refusal = refuseUnfit(type, payment);
  if (refusal !== undefined) return refusal;
  if (asked !== undefined && asked.currency !== payment.amount.currency) {
    return { resultCode: CURRENCY_DIFFERS, why: `The payment is in ${payment.amount.currency}.` };
  }
  const closed = closedReason(type, tree);
  if (closed !== undefined) return { resultCode: row.exceededCode, why: closed };
  // More is held, nothing is taken: the issuer decides how much.
  if (type === 'PA') {
    const amount = asked ?? payment.amount;
    if (isTooLong(add(increasedAmountOf(tree), amount))) {
      return { resultCode: row.exceededCode, why: 'An amount cannot have more than 10 digits before its decimals.' };
    }
    return { amount };
  }
  const amountLeft = type === 'RB' ? rebillLimitOf(payment, rebillUpTo) : amountLeftFor(type, tree);
  if (amountLeft.minor <= 0n) return { resultCode: row.exceededCode, why: 'Nothing of the payment is left.' };
  if (asked !== undefined && compare(asked, amountLeft) > 0) {
    return { resultCode: row.exceededCode, why: `At most ${printMoney(amountLeft)} is left.` };
  }
  return { amount: asked ?? amountLeft };
};

/** Money that was taken can be confirmed whatever happened to it since, each part of it once. */
const amountLeftFor = (type: FollowUpType, tree: PaymentTree): Money => {
  const { payment, followers } = tree;
  if (type !== 'RC' || payment.paymentType === 'PA') return amountLeftOf(tree);
  return followers
    .map((each) => each.payment)
    .filter((each) => each.paymentType === 'RC' && isCounted(each))
    .reduce((amountLeft, { amount }) => subtract(amountLeft, amount), payment.amount);
};

/** Whether this receipt confirms money that was taken before, so that nothing moves. */
export const isConfirmation = ({ facts }: Payment): boolean => facts.confirms === true;

/** An authorisation with everything that was, or may have been, added to it. */
const increasedAmountOf = ({ payment, followers }: PaymentTree): Money =>
  followers
    .map((each) => each.payment)
    .filter((each) => each.paymentType === 'PA' && isCounted(each))
    .reduce((sum, { amount }) => add(sum, amount), payment.amount);

/** Whether the amount exceeds what the host API can write (spec 2.2): all of it may be captured or reversed at once. */
const isTooLong = ({ minor, currency }: Money): boolean => minor >= 10n ** BigInt(10 + exponentOf(currency));

/** A rebill does not reduce the payment it repeats: each has its own limit. */
const rebillLimitOf = ({ amount }: Payment, rebillUpTo: Money | undefined): Money =>
  rebillUpTo?.currency === amount.currency ? rebillUpTo : amount;

/** Why this payment cannot be followed by this type at all. */
const refuseUnfit = (type: FollowUpType, payment: Payment): Verdict | undefined => {
  const row = followUps[type];
  if (!row.of.includes(payment.paymentType)) {
    return { resultCode: row.missingCode, why: `A ${payment.paymentType} cannot be followed by ${type}.` };
  }
  if (payment.paymentType === 'PA' && payment.referencedId !== undefined) {
    return { resultCode: row.missingCode, why: 'Follow-ups of an increase must name the original authorisation.' };
  }
  if (isConfirmation(payment))
    return { resultCode: row.missingCode, why: 'This receipt moved nothing. Name the payment that it confirms.' };
  if (payment.state === 'processing') return { resultCode: TOO_EARLY, why: 'The payment has no result yet.' };
  const meaning = meaningOf(payment.resultCode);
  if (meaning === 'approved') return undefined;
  // A payment that may have been charged must stay reversible.
  if (meaning === 'unknown' && type === 'RV') return undefined;
  if (meaning === 'pending' || meaning === 'unknown')
    return { resultCode: TOO_EARLY, why: 'The payment has no final result.' };
  return { resultCode: row.missingCode, why: 'The payment was not successful.' };
};

/** Whether the follow-up leaves all other follow-ups of the payment possible. */
const isHarmless = (follower: Payment): boolean =>
  follower.paymentType === 'PA' || follower.paymentType === 'RB' || isConfirmation(follower);

/** Why no further follow-up of this type is allowed, whatever amount is left. */
const closedReason = (type: FollowUpType, { payment, followers }: PaymentTree): string | undefined => {
  const countedFollowers = followers.map((each) => each.payment).filter(isCounted);
  const isOfHold = payment.paymentType === 'PA';
  if ((type === 'RV' || type === 'PA') && countedFollowers.some(({ facts }) => facts.endsHold))
    return 'The last capture was made: nothing is held any more.';
  if (type === 'RV') {
    // Money that is held and not captured can be released at any time.
    const blocking = countedFollowers.find((each) => each.paymentType !== 'RV' && !isHarmless(each));
    if (blocking !== undefined && !isOfHold) return `It was followed by a ${blocking.paymentType}.`;
  }
  const sameType = countedFollowers.filter(({ paymentType }) => paymentType === type);
  if ((type === 'CB' || type === 'CR') && sameType.length > 0) return `It was already followed by a ${type}.`;
  if (sameType.some(({ facts }) => facts.echo['sequence'] === 'FINAL')) return `The final ${type} was made.`;
  const maxCaptures = payment.facts.echo['numberOfCaptures'];
  if (type === 'CP' && maxCaptures !== undefined && sameType.length >= Number(maxCaptures))
    return `All ${maxCaptures} captures were made.`;
  return undefined;
};

/**
 * Whether nothing stays held after this capture: it is the final one, or the last that the authorisation allows.
 * Captures in progress or uncertain count.
 */
export const endsHold = ({ payment, followers }: PaymentTree, sequence: string | undefined): boolean => {
  const maxCaptures = payment.facts.echo['numberOfCaptures'];
  const earlierCaptures = followers.filter((each) => each.payment.paymentType === 'CP' && isCounted(each.payment));
  return sequence === 'FINAL' || (maxCaptures !== undefined && earlierCaptures.length + 1 >= Number(maxCaptures));
};

/**
 * The amount left of a payment, counting follow-ups in progress or uncertain as done: each deducts its amount less what
 * was returned of it (by a chargeback's reversal); an increase that certainly succeeded adds to it; after a last
 * capture nothing is left.
 */
export const amountLeftOf = ({ payment, followers }: PaymentTree): Money => {
  if (followers.some(({ payment: each }) => each.facts.endsHold && isCounted(each)))
    return { ...payment.amount, minor: 0n };
  return followers.reduce((amountLeft, follower) => {
    const { paymentType } = follower.payment;
    if (paymentType === 'RB' || isConfirmation(follower.payment) || !isCounted(follower.payment)) return amountLeft;
    if (paymentType === 'PA')
      return isApproved(follower.payment) ? add(amountLeft, follower.payment.amount) : amountLeft;
    if (paymentType === 'CB') return subtract(amountLeft, netAmountOf(follower));
    return subtract(amountLeft, follower.payment.amount);
  }, payment.amount);
};

/**
 * The amount that a chargeback or its reversal still moves after its own follow-ups. As everywhere, deductions count
 * when uncertain, and additions only when certain.
 */
const netAmountOf = ({ payment, followers }: PaymentTree): Money =>
  followers
    .filter((follower) => (follower.payment.paymentType === 'CR' ? isApproved : isCounted)(follower.payment))
    .reduce((net, follower) => subtract(net, netAmountOf(follower)), payment.amount);

const isApproved = (payment: Payment): boolean =>
  payment.state === 'done' && meaningOf(payment.resultCode) === 'approved';

/** Only a follow-up that certainly did not happen leaves its amount available. */
const isCounted = (follower: Payment): boolean => follower.state === 'processing' || !movedNoMoney(follower.resultCode);
