/** The effect of an approved authorisation on its account, and the limits of each follow-up. Pure. */
import { exponentOf, type Money, money, parseAmount, printAmount } from '../../../base/money.ts';
import { codes } from '../../../base/result-codes.ts';
import { type Authorisation, acceptsPartialAmount, type ReferenceOperation } from '../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import { claimedOffline } from './responses.ts';
import { unitWorth, worthOf } from './worth.ts';

/**
 * The state of one approved authorisation, credit or rebill, in minor units of its own currency. At any time
 * 0 <= refunded + chargedBack <= captured <= authorised - reversed.
 */
export type PurseMove = {
  readonly type: 'PA' | 'DB' | 'CD';
  readonly currency: string;
  /** Including all increases. */
  readonly authorised: bigint;
  readonly captured: bigint;
  readonly reversed: bigint;
  readonly refunded: bigint;
  /** Charged back by the shopper's bank and not reversed. */
  readonly chargedBack: bigint;
  /** Sum of all chargeback reversals. */
  readonly chargebackReversed: bigint;
};

/** A preauthorisation holds money; a debit is captured at once, and so is a credit, in the other direction. */
export const createPurseMove = (type: PurseMove['type'], { minor, currency }: Money): PurseMove => ({
  type,
  currency,
  authorised: minor,
  captured: type === 'PA' ? 0n : minor,
  reversed: 0n,
  refunded: 0n,
  chargedBack: 0n,
  chargebackReversed: 0n,
});

/** What the account has lost through it, in grains; negative for a credit. */
export const takenAmount = ({ type, currency, authorised, reversed, refunded, chargedBack }: PurseMove): bigint => {
  const minor = authorised - reversed - refunded - chargedBack;
  return worthOf({ minor: type === 'CD' ? -minor : minor, currency });
};

/** The amount that is held but not captured. */
const heldAmount = (move: PurseMove): bigint =>
  move.type === 'PA' ? move.authorised - move.captured - move.reversed : 0n;

/** The amount that is captured, and neither refunded nor charged back. */
const netCapturedAmount = (move: PurseMove): bigint => move.captured - move.refunded - move.chargedBack;

export const refusals = {
  amount: codes.amountMissing,
  currency: codes.currencyDiffers,
  /** "Referenced transaction is of inappropriate type." */
  type: codes.typeUnfit,
  /** Also for a receipt or an increase: the amount is too high, or nothing is held any more. */
  capture: codes.cannotCapture,
  refund: codes.cannotRefund,
  reverse: codes.cannotReverse,
  chargeback: codes.cannotChargeBack,
  chargebackReversedAlready: codes.chargebackReversed,
  neverChargedBack: codes.chargebackMissing,
  nothingToChargeBack: codes.nothingToChargeBack,
} as const;

export type ReferenceResult = { ok: true; moved: PurseMove } | { ok: false; resultCode: string };

/**
 * The authorisation after one more operation, or the result code that refuses it. Does not check the account's funds
 * and limits. A rebill leaves the payment unchanged: it starts a new debit.
 */
export const applyOperation = (
  move: PurseMove,
  operation: ReferenceOperation | 'confirmation',
  { minor, currency }: Money,
): ReferenceResult => {
  if (currency !== move.currency) return refuse(refusals.currency);
  if (minor <= 0n) return refuse(refusals.amount);
  return rules[operation](move, minor);
};

/** After the last capture: releases the rest of the held amount. */
export const releaseRest = (move: PurseMove): PurseMove => ({ ...move, reversed: move.reversed + heldAmount(move) });

type Rule = (move: PurseMove, minor: bigint) => ReferenceResult;

const refuse = (resultCode: string): ReferenceResult => ({ ok: false, resultCode });
const accept = (move: PurseMove, changes: Partial<PurseMove>): ReferenceResult => ({
  ok: true,
  moved: { ...move, ...changes },
});

/** Captures from the held amount. */
const capture: Rule = (move, minor) =>
  minor > heldAmount(move) ? refuse(refusals.capture) : accept(move, { captured: move.captured + minor });

/** A receipt of money that was already captured moves nothing. */
const confirm: Rule = (move, minor) => {
  if (move.type === 'CD') return refuse(refusals.type);
  return minor > move.captured ? refuse(refusals.capture) : accept(move, {});
};

const rules: Readonly<Record<ReferenceOperation | 'confirmation', Rule>> = {
  capture,
  // The shopper's transfer of the agreed amount, never more. Money taken earlier is only confirmed.
  receipt: (move, minor) => (move.type === 'PA' ? capture(move, minor) : confirm(move, minor)),
  confirmation: confirm,
  increase: (move, minor) => {
    if (move.type !== 'PA') return refuse(refusals.type);
    // A payment that is fully captured or reversed is no longer open.
    return heldAmount(move) === 0n ? refuse(refusals.capture) : accept(move, { authorised: move.authorised + minor });
  },
  // Releases the held amount, or undoes a debit or credit of which nothing has been refunded yet.
  reverse: (move, minor) => {
    const reversed = move.reversed + minor;
    if (move.type === 'PA') return minor > heldAmount(move) ? refuse(refusals.reverse) : accept(move, { reversed });
    const undone = move.refunded === 0n && move.chargedBack === 0n && minor <= move.captured;
    return undone ? accept(move, { reversed, captured: move.captured - minor }) : refuse(refusals.reverse);
  },
  refund: (move, minor) =>
    minor > netCapturedAmount(move) ? refuse(refusals.refund) : accept(move, { refunded: move.refunded + minor }),
  rebill: (move) => (move.type === 'CD' || move.captured === 0n ? refuse(refusals.type) : accept(move, {})),
  chargeback: (move, minor) => {
    if (move.type === 'CD' || move.captured === 0n) return refuse(refusals.nothingToChargeBack);
    if (minor > netCapturedAmount(move)) return refuse(refusals.chargeback);
    return accept(move, { chargedBack: move.chargedBack + minor });
  },
  chargebackReversal: (move, minor) => {
    const { chargedBack, chargebackReversed } = move;
    if (chargedBack === 0n && chargebackReversed === 0n) return refuse(refusals.neverChargedBack);
    if (minor > chargedBack) return refuse(refusals.chargebackReversedAlready);
    return accept(move, { chargedBack: chargedBack - minor, chargebackReversed: chargebackReversed + minor });
  },
};

// Partial approvals, where the request accepts them: the rest of the bill is paid by other means.

/** ISO 8583 DE 39 of a partial approval. The chip is told 00, because not every chip knows 10. */
const PARTIAL_APPROVAL = '10';

type PartialRequest = Pick<Authorisation, 'paymentType' | 'amount' | 'customParameters'>;

/**
 * The part that an account with too little money can pay: all it has, rounded down to the currency's unit. Undefined if
 * the request accepts no part, if there is no money, and for a payment kept offline, whose goods are gone.
 */
export const partialAmountOf = (request: PartialRequest, available: bigint): Money | undefined => {
  const { paymentType, amount } = request;
  if (paymentType === 'CD' || !acceptsPartialAmount(request) || claimedOffline(request) !== 'no') return undefined;
  const step = unitWorth(amount.currency);
  const minor = wholeUnits(available / step, amount.currency);
  if (minor <= 0n || minor * step >= worthOf(amount)) return undefined;
  return money(minor, amount.currency);
};

/** Amounts of the host API have two decimals: the third of a currency with three is always zero. */
const wholeUnits = (minor: bigint, currency: string): bigint =>
  exponentOf(currency) === 3 ? minor - (minor % 10n) : minor;

export const partialAnswer = (answer: AcquirerAnswer, requested: Money, approved: Money): AcquirerAnswer => ({
  ...answer,
  approvedAmount: printAmount(approved),
  details: { ...answer.details, AcquirerResponse: PARTIAL_APPROVAL, RequestedAmount: printAmount(requested) },
});

export const approvedAmountOf = (requested: Money, { approvedAmount }: AcquirerAnswer): Money =>
  approvedAmount === undefined ? requested : parseAmount(approvedAmount, requested.currency);
