/** Payments and what followed them, as pure functions: first what a sale charged, and how a terminal refunds it. */
import { DAY_MS } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { add, compare, type Money, money, subtract } from '../base/money.ts';
import { startOfDay } from '../base/wall-time.ts';
import type { BillPart, FollowedSale, Intent } from './machine/facts.ts';
import type { Sale } from './machine/sale.ts';
import type { TillParts } from './ports.ts';
import { isUsedOnce } from './terminal/device-numbers.ts';

/** What the customer was charged: possibly a part, or another amount that a terminal would not reverse. */
export const chargedOn = ({ intent, terminal, answer }: Sale): Money =>
  terminal?.payment?.amount ?? answer?.approved ?? intent.amount;

/** Whether the operation happened, or can have happened. */
export const mayHaveGone = (sale: Sale): boolean =>
  sale.at !== 'ended' || sale.ending === 'approved' || sale.ending === 'unknown';

type ReturnRequest = { operation: 'refund' | 'void'; requested: Money; followers: readonly Sale[] };

/**
 * A terminal reverses a whole payment of the same day by its number; any other refund needs the customer's card. So
 * does a payment whose reversal was refused once, one taken by another counter's terminal, and one whose number the
 * terminal gave twice. Throws `terminal.unready` when this till has no such terminal now, and `till.cannotFollow` for a
 * void that is no longer possible.
 */
export const terminalReturn = (
  { integrated, clock, ledger, terminalId, timeZone }: TillParts,
  sale: Sale,
  { operation, requested, followers }: ReturnRequest,
): Pick<Intent, 'operation' | 'amount' | 'by' | 'follows'> => {
  const { intent } = sale;
  const { receipt } = intent;
  if (integrated === undefined) {
    const reason = `receipt ${receipt} was paid at a terminal that authorises by itself, and this till has none now`;
    throw new Fault('terminal.unready', { why: reason });
  }
  const { receiptNumber: payment, traceNumber, maskedPan } = sale.terminal?.payment ?? {};
  const device = sale.terminal?.device ?? '';
  const isWhole = compare(requested, chargedOn(sale)) === 0 && !followers.some(mayHaveGone);
  const wasRefused = followers.some((follower) => follower.intent.follows?.at?.how === 'reverse' && isNo(follower));
  // A terminal reverses payments by their receipt numbers of the day, so only those of today.
  const startedAt = startOfDay(intent.at, timeZone);
  const today = startOfDay(clock.now(), timeZone) === startedAt;
  const isHere = intent.terminalId === terminalId;
  const isOne =
    payment !== undefined &&
    isUsedOnce(payment, ledger.salesOfNumber({ device, terminalId: intent.terminalId, number: payment }, startedAt));
  const how = isOne && isHere && isWhole && today && !wasRefused ? 'reverse' : 'refund';
  if (operation === 'void' && how === 'refund') {
    const reason =
      payment !== undefined && !isOne
        ? `its terminal gave receipt number ${payment} more than once today; a refund needs the customer’s card`
        : !isHere
          ? 'only the terminal of its own counter can take it back; a refund needs the customer’s card'
          : 'its terminal takes back whole payments of the same day only; a refund needs the customer’s card';
    throw new Fault('till.cannotFollow', { receipt, operation: 'a void', why: reason });
  }
  const reported = { traceNumber, maskedPan };
  const at = { device, how, ...(how === 'reverse' && reported) } as const;
  const follows: FollowedSale = { sale: intent.sale, payment: payment ?? '', receipt, at };
  return { operation, by: 'terminal', amount: requested, follows };
};

/** Whether the terminal refused this reversal or cannot make it: a refund then needs the card. */
const isNo = (refund: Sale): boolean =>
  refund.at === 'ended' && ['reversalDeclined', 'otherTerminal', 'notBegunAtTerminal'].includes(refund.reason);

/** A payment with everything that followed it, and which of that may have happened. Pure. */
export type PaymentWithFollowers = {
  readonly sale: Sale;
  /** Refunds, a void, a completion …; oldest first. */
  readonly followers: readonly Sale[];
};

/** Whether a void reversed the whole payment; `perhaps` while that is unknown. */
const sumOfReturns = ({ followers }: PaymentWithFollowers): 'yes' | 'no' | 'perhaps' => {
  const voids = followers.filter(({ intent }) => intent.operation === 'void').filter(mayHaveGone);
  if (voids.length === 0) return 'no';
  return voids.some((sale) => sale.at === 'ended' && sale.ending === 'approved') ? 'yes' : 'perhaps';
};

// An open pre-authorisation: what is held, what of it was charged, and how long the bank keeps it. Pure.

export type Hold = {
  readonly sale: Sale;
  /** The amount held at first. */
  readonly approved: Money;
  /** The pre-authorisation and its increments. */
  readonly held: Money;
  readonly completed: Money;
  /** Held, and neither charged nor released. What may have been charged or released counts as such. */
  readonly left: Money;
  /** `unknown`: one of its steps has no known ending. `none`: nothing was ever held. */
  readonly state: 'open' | 'completed' | 'released' | 'unknown' | 'none';
  /** When the bank releases it by itself, ms. */
  readonly expiresAt: number;
};

/** `days`: how long banks keep an amount for this store. */
export const holdOf = ({ sale, followers }: PaymentWithFollowers, days: number): Hold => {
  const zero = money(0n, sale.intent.amount.currency);
  const sum = (operation: Sale['intent']['operation'], counts: (each: Sale) => boolean): Money =>
    followers
      .filter((each) => each.intent.operation === operation && counts(each))
      .reduce((all, each) => add(all, chargedOn(each)), zero);
  const isHeld = isApproved(sale) && sale.intent.operation === 'preauthorisation';
  const approved = isHeld ? chargedOn(sale) : zero;
  const held = add(approved, sum('increment', isApproved));
  const completed = sum('completion', isApproved);
  const isGone = followers.some((each) => endsHold(each.intent) && mayHaveGone(each));
  const rest = subtract(held, sum('completion', mayHaveGone));
  const left = isGone || compare(rest, zero) < 0 ? zero : rest;
  const expiresAt = sale.intent.at + days * DAY_MS;
  return {
    sale,
    approved,
    held,
    completed,
    left,
    state: stateOf({ sale, followers }, { completed, isGone, left }),
    expiresAt,
  };
};

const endsHold = ({ operation, final }: Sale['intent']): boolean =>
  operation === 'release' || operation === 'void' || final === true;

type Sums = { completed: Money; isGone: boolean; left: Money };

const stateOf = ({ sale, followers }: PaymentWithFollowers, { completed, isGone, left }: Sums): Hold['state'] => {
  if (!mayHaveGone(sale)) return 'none';
  if ([sale, ...followers].some((each) => mayHaveGone(each) && !isApproved(each))) return 'unknown';
  if (left.minor > 0n) return 'open';
  return isGone && completed.minor === 0n ? 'released' : 'completed';
};

const isApproved = (sale: Sale): boolean => sale.at === 'ended' && sale.ending === 'approved';

// A bill that several payments pay: what is paid, by which of them, and what is left. Pure.

export type Leg = {
  readonly sale: Sale;
  /** `unknown`: it may have been charged. `taken back`: it was charged, and then reversed. */
  readonly state: 'paid' | 'unknown' | 'taken back' | 'not paid';
  /** What it pays of the bill, or may have paid. */
  readonly amount: Money;
};

export type Bill = {
  readonly id: string;
  readonly total: Money;
  /** In the order in which they began. */
  readonly legs: readonly Leg[];
  readonly paid: Money;
  /** The amount of payments with an unknown ending, not to be charged again until that is known. */
  readonly unknown: Money;
  /** What can be charged now; never below zero. */
  readonly left: Money;
};

/**
 * The bill according to its payments. A reversed payment pays nothing; a refund for goods does not open the bill again.
 * An offline payment counts: its goods are gone.
 */
export const billOf = ({ id, total }: BillPart, payments: readonly PaymentWithFollowers[]): Bill => {
  const legs = payments.map(legOf);
  const zero = money(0n, total.currency);
  const sum = (state: Leg['state']): Money =>
    legs.filter((leg) => leg.state === state).reduce((all, leg) => add(all, leg.amount), zero);
  const [paid, unknown] = [sum('paid'), sum('unknown')];
  const rest = subtract(subtract(total, paid), unknown);
  return { id, total, legs, paid, unknown, left: compare(rest, zero) < 0 ? zero : rest };
};

/**
 * The bill that this sale is a part of; also a single payment of which the issuer approved only a part. Else undefined.
 */
export const billPartOf = (sale: Sale): BillPart | undefined => {
  const { bill, sale: id, amount } = sale.intent;
  if (bill !== undefined) return bill;
  return sale.answer?.approved === undefined ? undefined : { id, total: amount };
};

const legOf = (payment: PaymentWithFollowers): Leg => {
  const { sale } = payment;
  const amount = ofTheBill(sale, chargedOn(sale));
  if (!mayHaveGone(sale)) return { sale, state: 'not paid', amount };
  if (sale.at !== 'ended' || sale.ending === 'unknown') return { sale, state: 'unknown', amount };
  const returned = sumOfReturns(payment);
  return { sale, state: returned === 'no' ? 'paid' : returned === 'yes' ? 'taken back' : 'unknown', amount };
};

/** A tip pays no part of a bill and is added to the goods; a sale that became a bill itself has it in its total. */
const ofTheBill = ({ intent }: Sale, charged: Money): Money => {
  const { bill, tip, amount } = intent;
  if (bill === undefined || tip === undefined) return charged;
  const goods = subtract(amount, tip);
  return compare(charged, goods) < 0 ? charged : goods;
};
