/** A bill that several payments pay: what is paid, by which of them, and what is left. Pure. */
import { add, compare, type Money, money, subtract } from '../base/money.ts';
import type { BillPart } from './machine/facts.ts';
import type { Sale } from './machine/states.ts';
import { type PaymentWithFollowers, undone } from './payment.ts';
import { chargedOn, mayHaveGone } from './refund.ts';

export type Leg = {
  readonly sale: Sale;
  /** `unknown`: it may have been charged. `taken back`: it was charged, and is not any more. */
  readonly state: 'paid' | 'unknown' | 'taken back' | 'not paid';
  /** What it pays of the bill, or may have paid. */
  readonly amount: Money;
};

export type Bill = {
  readonly id: string;
  readonly total: Money;
  /** In the order in which they were begun. */
  readonly legs: readonly Leg[];
  readonly paid: Money;
  /** Of payments whose ending is not known: nobody may charge it again before it is. */
  readonly unknown: Money;
  /** What may be asked for now; never below zero. */
  readonly left: Money;
};

/**
 * The bill as its payments tell it. One that was taken back pays nothing; money that was given back for goods does not
 * open the bill again. What was taken offline counts: its goods are gone.
 */
export const billOf = ({ id, total }: BillPart, payments: readonly PaymentWithFollowers[]): Bill => {
  const legs = payments.map(legOf);
  const nothing = money(0n, total.currency);
  const sum = (state: Leg['state']): Money =>
    legs.filter((leg) => leg.state === state).reduce((all, leg) => add(all, leg.amount), nothing);
  const [paid, unknown] = [sum('paid'), sum('unknown')];
  const rest = subtract(subtract(total, paid), unknown);
  return { id, total, legs, paid, unknown, left: compare(rest, nothing) < 0 ? nothing : rest };
};

/**
 * The bill that this sale pays a part of. One that stands for itself makes a bill when the issuer approved less than
 * was asked for; undefined otherwise.
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
  const back = undone(payment);
  return { sale, state: back === 'no' ? 'paid' : back === 'yes' ? 'taken back' : 'unknown', amount };
};

/** A tip pays nothing of a bill, and comes after the goods; a sale that became a bill by itself has it in its total. */
const ofTheBill = ({ intent }: Sale, charged: Money): Money => {
  const { bill, tip, amount } = intent;
  if (bill === undefined || tip === undefined) return charged;
  const goods = subtract(amount, tip);
  return compare(charged, goods) < 0 ? charged : goods;
};
