/** What an approved authorisation did to its account, and what each follow-up may still do. Pure. */
import { exponentOf, type Money, money, parseAmount, printAmount } from '../../../base/money.ts';
import { codes } from '../../../base/result-codes.ts';
import { type Authorisation, type ReferenceOperation, takesPart } from '../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import { claimedOffline } from './responses.ts';
import { unitWorth, worthOf } from './worth.ts';

/**
 * The state of one approved authorisation, credit or rebill, in minor units of its own currency. At any time
 * 0 <= refunded + chargedBack <= captured <= authorised - reversed.
 */
export type Moved = {
  readonly type: 'PA' | 'DB' | 'CD';
  readonly currency: string;
  /** All increases included. */
  readonly authorised: bigint;
  readonly captured: bigint;
  readonly reversed: bigint;
  readonly refunded: bigint;
  /** Taken back by the shopper's bank and not given again. */
  readonly chargedBack: bigint;
  /** Given again, of all that was ever charged back. */
  readonly chargebackReversed: bigint;
};

/** A preauthorisation holds; a debit is captured at once, a credit is too, the other way. */
export const opened = (type: Moved['type'], { minor, currency }: Money): Moved => ({
  type,
  currency,
  authorised: minor,
  captured: type === 'PA' ? 0n : minor,
  reversed: 0n,
  refunded: 0n,
  chargedBack: 0n,
  chargebackReversed: 0n,
});

/** What the account loses by it, in grains; negative for a credit. */
export const taken = ({ type, currency, authorised, reversed, refunded, chargedBack }: Moved): bigint => {
  const minor = authorised - reversed - refunded - chargedBack;
  return worthOf({ minor: type === 'CD' ? -minor : minor, currency });
};

/** Held but not captured. */
const held = (moved: Moved): bigint => (moved.type === 'PA' ? moved.authorised - moved.captured - moved.reversed : 0n);

/** Captured, and neither given nor taken back. */
const kept = (moved: Moved): bigint => moved.captured - moved.refunded - moved.chargedBack;

export const refusals = {
  amount: codes.amountMissing,
  currency: codes.currencyDiffers,
  /** "Referenced transaction is of inappropriate type." */
  type: codes.typeUnfit,
  /** Also of a receipt or an increase: too much, or nothing is held any more. */
  capture: codes.cannotCapture,
  refund: codes.cannotRefund,
  reverse: codes.cannotReverse,
  chargeback: codes.cannotChargeBack,
  chargebackReversedAlready: codes.chargebackReversed,
  neverChargedBack: codes.chargebackMissing,
  nothingToChargeBack: codes.nothingToChargeBack,
} as const;

export type Referred = { ok: true; moved: Moved } | { ok: false; resultCode: string };

/**
 * The authorisation after one more operation on it, or the result code that refuses it. Funds and limits of the account
 * are not looked at. A rebill leaves the payment as it is: the debit it begins is one of its own.
 */
export const refer = (
  moved: Moved,
  operation: ReferenceOperation | 'confirmation',
  { minor, currency }: Money,
): Referred => {
  if (currency !== moved.currency) return refused(refusals.currency);
  if (minor <= 0n) return refused(refusals.amount);
  return rules[operation](moved, minor);
};

/** After its last capture: what is still held is given back. */
export const letGo = (moved: Moved): Moved => ({ ...moved, reversed: moved.reversed + held(moved) });

type Rule = (moved: Moved, minor: bigint) => Referred;

const refused = (resultCode: string): Referred => ({ ok: false, resultCode });
const now = (moved: Moved, changes: Partial<Moved>): Referred => ({ ok: true, moved: { ...moved, ...changes } });

/** Takes from what is held. */
const capture: Rule = (moved, minor) =>
  minor > held(moved) ? refused(refusals.capture) : now(moved, { captured: moved.captured + minor });

/** A receipt of money that was captured before moves nothing. */
const confirm: Rule = (moved, minor) => {
  if (moved.type === 'CD') return refused(refusals.type);
  return minor > moved.captured ? refused(refusals.capture) : now(moved, {});
};

const rules: Readonly<Record<ReferenceOperation | 'confirmation', Rule>> = {
  capture,
  // The shopper's transfer for what was agreed: never more than that. What was taken already is only confirmed.
  receipt: (moved, minor) => (moved.type === 'PA' ? capture(moved, minor) : confirm(moved, minor)),
  confirmation: confirm,
  increase: (moved, minor) => {
    if (moved.type !== 'PA') return refused(refusals.type);
    // Captured or reversed to the end, it is not open any more.
    return held(moved) === 0n ? refused(refusals.capture) : now(moved, { authorised: moved.authorised + minor });
  },
  // Gives back what is held, or undoes a debit or credit of which nothing went back yet.
  reverse: (moved, minor) => {
    const reversed = moved.reversed + minor;
    if (moved.type === 'PA') return minor > held(moved) ? refused(refusals.reverse) : now(moved, { reversed });
    const undone = moved.refunded === 0n && moved.chargedBack === 0n && minor <= moved.captured;
    return undone ? now(moved, { reversed, captured: moved.captured - minor }) : refused(refusals.reverse);
  },
  refund: (moved, minor) =>
    minor > kept(moved) ? refused(refusals.refund) : now(moved, { refunded: moved.refunded + minor }),
  rebill: (moved) => (moved.type === 'CD' || moved.captured === 0n ? refused(refusals.type) : now(moved, {})),
  chargeback: (moved, minor) => {
    if (moved.type === 'CD' || moved.captured === 0n) return refused(refusals.nothingToChargeBack);
    if (minor > kept(moved)) return refused(refusals.chargeback);
    return now(moved, { chargedBack: moved.chargedBack + minor });
  },
  chargebackReversal: (moved, minor) => {
    const { chargedBack, chargebackReversed } = moved;
    if (chargedBack === 0n && chargebackReversed === 0n) return refused(refusals.neverChargedBack);
    if (minor > chargedBack) return refused(refusals.chargebackReversedAlready);
    return now(moved, { chargedBack: chargedBack - minor, chargebackReversed: chargebackReversed + minor });
  },
};

// Approvals of less than was asked for, where the request takes them: the rest of the bill is paid otherwise.

/** ISO 8583 DE 39 of a partial approval. The chip is told 00: not every one knows 10. */
const PARTIAL_APPROVAL = '10';

type PartialRequest = Pick<Authorisation, 'paymentType' | 'amount' | 'customParameters'>;

/**
 * What an account with too little in it pays of the request: all it has, as far as the currency can say it. Undefined
 * where the request takes no part, where there is nothing, and for a record kept offline: its goods are gone.
 */
export const partOf = (request: PartialRequest, available: bigint): Money | undefined => {
  const { paymentType, amount } = request;
  if (paymentType === 'CD' || !takesPart(request) || claimedOffline(request) !== 'no') return undefined;
  const step = unitWorth(amount.currency);
  const minor = wholeUnits(available / step, amount.currency);
  if (minor <= 0n || minor * step >= worthOf(amount)) return undefined;
  return money(minor, amount.currency);
};

/** Amounts of the host API have two decimals: the third of a currency with three is always zero. */
const wholeUnits = (minor: bigint, currency: string): bigint =>
  exponentOf(currency) === 3 ? minor - (minor % 10n) : minor;

/** The answer of a partial approval, its amount and what was asked for in it. */
export const inPart = (answer: AcquirerAnswer, asked: Money, approved: Money): AcquirerAnswer => ({
  ...answer,
  approvedAmount: printAmount(approved),
  details: { ...answer.details, AcquirerResponse: PARTIAL_APPROVAL, RequestedAmount: printAmount(asked) },
});

/** What this approval is of. */
export const approvedOf = (asked: Money, { approvedAmount }: AcquirerAnswer): Money =>
  approvedAmount === undefined ? asked : parseAmount(approvedAmount, asked.currency);
