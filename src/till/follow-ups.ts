/** Which operation may follow which payment in which state, how much is left for it, and the text of a refusal. */
import { Fault, isFault } from '../base/fault.ts';
import { add, compare, type Money, money, printMoney, subtract } from '../base/money.ts';
import { type IntentInput, sellerOf, withTip } from './intend.ts';
import type { Operation, ProgramKey, RequestFingerprint } from './machine/facts.ts';
import { operations } from './machine/operations.ts';
import { type EndedSale, refuseUnread, replay, type Sale } from './machine/sale.ts';
import { chargedOn, mayHaveGone, terminalReturn } from './payments.ts';
import type { TillParts } from './ports.ts';

export type FollowUp = 'refund' | 'void' | 'increment' | 'completion' | 'release';

/**
 * Without an amount the operation takes all that is left; an increment needs an amount. The tip of a completion is
 * added to the amount. `keepRest`: more will be charged on the hold; without it a smaller completion releases the rest.
 */
export type FollowRequest = {
  receipt: number;
  operation: FollowUp;
  amount?: Money;
  tip?: Money;
  keepRest?: boolean;
  /** The operation was requested as a tip, and a refusal calls it a tip. */
  asTip?: true;
  cashier?: string;
  program?: ProgramKey;
  asked?: RequestFingerprint;
  again?: readonly number[];
};

/** A payment and everything that followed it. */
type ApprovedPayment = { sale: EndedSale; followers: readonly Sale[] };

type Row = {
  /** The operations that this one may follow. */
  of: readonly Operation[];
  /** The reason why it cannot follow any other payment. */
  unlike: string;
  /** After one of these follow-ups, certain or possible, this one is no longer allowed. */
  closedBy: readonly FollowUp[];
  /** The maximum; undefined where only the bank decides. */
  left(payment: ApprovedPayment): Money | undefined;
  /** Allowed only for all that is left, not for a part of it. */
  whole?: true;
  /** While the payment itself waits to be sent. `asked`: stored behind it only if the store allows that. */
  unsent: 'stored' | 'asked' | 'refused';
};

const wentOf = ({ followers }: ApprovedPayment, operation: FollowUp): Sale[] =>
  followers.filter((follower) => follower.intent.operation === operation && mayHaveGone(follower));

/** Amounts that may have been returned count as returned. */
const without = (whole: Money, takenAway: readonly Sale[]): Money =>
  takenAway.reduce((left, each) => subtract(left, each.intent.amount), whole);

/** What is certainly held: an increment counts only when the bank has confirmed it. */
const heldOf = ({ sale, followers }: ApprovedPayment): Money =>
  followers
    .filter(({ intent }) => intent.operation === 'increment')
    .filter((more) => more.at === 'ended' && more.ending === 'approved')
    .reduce((held, more) => add(held, more.intent.amount), chargedOn(sale));

/** What is held and neither charged nor released; zero after the last completion. */
const restOf = (payment: ApprovedPayment): Money => {
  const whole = heldOf(payment);
  return isEnded(payment) ? money(0n, whole.currency) : without(whole, wentOf(payment, 'completion'));
};

const isEnded = (payment: ApprovedPayment): boolean => wentOf(payment, 'completion').some(({ intent }) => intent.final);

export const followUps: Readonly<Record<FollowUp, Row>> = {
  refund: {
    of: ['sale', 'completion'],
    unlike: 'only a sale or a completion can be given back',
    closedBy: ['void'],
    left: (payment) => without(chargedOn(payment.sale), wentOf(payment, 'refund')),
    unsent: 'asked',
  },
  void: {
    of: ['sale', 'credit'],
    unlike: 'only a whole sale or credit can be voided',
    closedBy: ['void', 'refund'],
    left: ({ sale }) => chargedOn(sale),
    whole: true,
    unsent: 'stored',
  },
  increment: {
    of: ['preauthorisation'],
    unlike: 'only of a preauthorisation is an amount held',
    closedBy: ['release'],
    left: () => undefined,
    unsent: 'refused',
  },
  completion: {
    of: ['preauthorisation'],
    unlike: 'it was charged as it stood; a tip afterwards needs a preauthorisation',
    closedBy: ['release'],
    left: restOf,
    unsent: 'stored',
  },
  release: {
    of: ['preauthorisation'],
    unlike: 'only of a preauthorisation is an amount held',
    closedBy: ['release'],
    left: restOf,
    whole: true,
    unsent: 'stored',
  },
};

/**
 * The intent of the follow-up. Throws `till.nothingLeft` and `till.refundTooHigh` for a refund, `till.cannotFollow` and
 * `till.heldTooLittle` for the others, `sale.newer`, and if a terminal authorises by itself `terminal.cannot` and
 * `terminal.unready`.
 */
export const followUpOf = (parts: TillParts, sale: Sale, request: FollowRequest): IntentInput => {
  refuseUnread(sale);
  const { operation, receipt } = request;
  const approved = approvedPaymentOf(parts, sale);
  const reason = approved === undefined ? notYetReason(sale) : refusalReason(operation, approved);
  if (approved === undefined || reason !== undefined) throw refused(request, reason ?? '');
  const row = followUps[operation];
  const { amount, tip } = amountFor(request, row.left(approved));
  if (sale.intent.by === 'terminal') {
    if (operation !== 'refund' && operation !== 'void')
      throw new Fault('terminal.cannot', { operation: nounOf(request) });
    const { followers } = approved;
    return { ...terminalReturn(parts, sale, { operation, requested: amount, followers }), ...sellerOf(request) };
  }
  const isWaiting = isUnsent(approved.sale);
  if (isWaiting && !mayWait(parts, row, { operation, amount, ...sellerOf(request) }))
    throw refused(request, 'it has not been sent to the bank yet');
  const payment = isWaiting ? '' : sale.answer?.payment;
  if (payment === undefined) throw refused(request, 'the gateway named no payment');
  const follows = { sale: sale.intent.sale, payment, receipt };
  const final = isFinal(request, amount, row.left(approved));
  const asTip = request.asTip && { asTip: true as const };
  return { operation, amount, tip, follows, final, ...asTip, ...sellerOf(request) };
};

/** A smaller completion is the last one unless `keepRest` is set: the bank then releases the rest. */
const isFinal = ({ operation, keepRest }: FollowRequest, amount: Money, left: Money | undefined): true | undefined =>
  operation === 'completion' && keepRest !== true && left !== undefined && compare(amount, left) < 0 ? true : undefined;

/** What may follow now, and the maximum; for an increment only the bank decides. */
export type PossibleFollowUp = { operation: FollowUp; most?: Money };

/** The follow-ups that are possible now, found by trying the rules that refuse them. */
export const possibleAfter = (parts: TillParts, sale: Sale): PossibleFollowUp[] =>
  (Object.keys(followUps) as FollowUp[]).flatMap((operation): PossibleFollowUp[] => {
    const { receipt, amount } = sale.intent;
    const isOpenEnded = operation === 'increment';
    try {
      const request = followUpOf(parts, sale, { receipt, operation, amount: isOpenEnded ? amount : undefined });
      return [{ operation, most: isOpenEnded ? undefined : request.amount }];
    } catch (error) {
      if (isFault(error)) return [];
      throw error;
    }
  });

/** Whether the sale was taken offline and is not yet sent to the bank. */
export const isUnsent = (sale: Sale): boolean =>
  sale.at === 'ended' && sale.ending === 'approved' && sale.offline !== undefined && sale.forwarded === undefined;

const mayWait = (
  parts: TillParts,
  { unsent }: Row,
  offlineRequest: { operation: FollowUp; amount: Money; cashier?: string },
): boolean => {
  if (unsent !== 'asked') return unsent === 'stored';
  const verdict = parts.offline(offlineRequest);
  return verdict.kind === 'allowed' && verdict.stored === true;
};

const approvedPaymentOf = ({ ledger }: TillParts, sale: Sale): ApprovedPayment | undefined =>
  sale.at === 'ended' && sale.ending === 'approved'
    ? { sale, followers: ledger.followersOf(sale.intent.sale).flatMap((id) => replay(ledger.events(id)) ?? []) }
    : undefined;

const notYetReason = (sale: Sale): string =>
  sale.at !== 'ended' || sale.ending === 'unknown' ? 'what became of it is not known yet' : neverMadeReason(sale);

const neverMadeReason = ({ intent }: Sale): string =>
  operations[intent.operation].begins === 'card' ? 'it was not charged' : 'it did not happen';

const refusalReason = (operation: FollowUp, payment: ApprovedPayment): string | undefined => {
  const { of, unlike, closedBy, left } = followUps[operation];
  const { operation: done } = payment.sale.intent;
  if (!of.includes(done)) return done === operation ? `it is ${operations[done].noun} itself` : unlike;
  const closing = closedBy.find((each) => wentOf(payment, each).length > 0);
  if (closing !== undefined) return `${operations[closing].noun} followed it already`;
  if (operation === 'increment' && isEnded(payment)) return 'its last completion followed it already';
  if ((left(payment)?.minor ?? 1n) > 0n) return undefined;
  return operation === 'refund' ? 'all of it was given back' : 'all of it was completed';
};

const nounOf = ({ operation, asTip }: FollowRequest): string => (asTip ? 'a tip' : operations[operation].noun);

const refused = (request: FollowRequest, reason: string): Fault => {
  const { operation, receipt } = request;
  return operation === 'refund'
    ? new Fault('till.nothingLeft', { receipt, why: reason })
    : new Fault('till.cannotFollow', { receipt, operation: nounOf(request), why: reason });
};

/** The amount including its tip, checked against what is left. */
const amountFor = (request: FollowRequest, left: Money | undefined): { amount: Money; tip?: Money } => {
  const { operation, receipt, amount = left } = request;
  if (amount === undefined) throw refused(request, 'the amount is missing');
  if (request.tip !== undefined && operation !== 'completion') throw refused(request, 'a tip comes with a completion');
  const requested = withTip(amount, request.tip);
  if (left === undefined) return requested;
  const excess = compare(requested.amount, left);
  if (followUps[operation].whole && excess !== 0) throw refused(request, `it is of the whole ${printMoney(left)}`);
  if (excess <= 0) return requested;
  if (operation === 'refund') throw new Fault('till.refundTooHigh', { left: printMoney(left), receipt });
  const more = printMoney(subtract(requested.amount, left));
  throw new Fault('till.heldTooLittle', {
    receipt,
    left: printMoney(left),
    wanted: printMoney(requested.amount),
    more,
  });
};
