/**
 * Payments that belong together according to the till's own records: the parts of a split bill, and the steps of a
 * hold.
 */
import { DAY_MS } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { compare, type Money, printMoney } from '../base/money.ts';
import type { Config } from '../folder/config.ts';
import type { Journal } from '../journal/journal.ts';
import type { BillPart } from '../till/machine/facts.ts';
import type { Sale } from '../till/machine/sale.ts';
import { type Bill, billOf, billPartOf, type Hold, holdOf, type PaymentWithFollowers } from '../till/payments.ts';
import type { Till } from '../till/till.ts';
import type { FullLedger } from './ledger.ts';
import { openHoldSales, salesOfBill } from './operation-index.ts';

export type { Bill, Hold, Leg } from '../till/payments.ts';

type Books = { readonly ledger: FullLedger; readonly journal: Journal; readonly config: Config };

/** How long banks hold an amount when till.json has no `preauthorisation.days`. */
const DAYS_HELD = 7;

/** Nobody looks for a hold this long after the bank has released it. */
const HOLD_LISTED_DAYS = 30;

/** The bill that this sale pays part of, as it is now. Undefined for a sale that is not part of one. */
export const billOfSale = (books: Books, sale: Sale): Bill | undefined => billWith(books, sale, () => true);

/**
 * The bill that this receipt paid part of, for a payment of another `amount`. Throws `till.notFound`, `bill.none`, and
 * `bill.tooMuch` for more than is left.
 */
export const partOfBill = (books: Books & { till: Pick<Till, 'find'> }, receipt: number, amount: Money): BillPart => {
  const bill = billOfSale(books, books.till.find(receipt));
  if (bill === undefined || bill.total.currency !== amount.currency) throw new Fault('bill.none', { receipt });
  const { id, total, left, unknown } = bill;
  if (compare(amount, left) > 0)
    throw new Fault('bill.tooMuch', { left: printMoney(left), unknown: printMoney(unknown) });
  return { id, total };
};

/** Pre-authorisations that may still hold something, oldest first, and those that expired recently. `now`: wall ms. */
export const openHolds = (books: Books, now: number): Hold[] => {
  const days = daysHeld(books.config);
  const since = now - (days + HOLD_LISTED_DAYS) * DAY_MS;
  return openHoldSales(books.journal.sql, { since, chargedSince: now - days * DAY_MS })
    .map((id) => paymentOf(books.ledger, id))
    .filter((payment) => payment !== undefined)
    .map((payment) => holdOf(payment, days))
    .filter(({ state, completed, expiresAt: until }) => isOpen(state) && (completed.minor === 0n || now < until));
};

/** This pre-authorisation with all that followed it. For any other sale, the result holds nothing. */
export const holdOfSale = ({ ledger, config }: Books, sale: Sale): Hold => {
  const payment = paymentOf(ledger, sale.intent.sale) ?? { sale, followers: [] };
  return holdOf(payment, daysHeld(config));
};

/** What the receipt shows besides the sale's own facts, as it was when the sale was made. */
export type ReceiptContext = {
  /** The payment that this sale follows: both are of the same card. */
  readonly followed?: Sale;
  readonly bill?: Pick<Bill, 'total' | 'left'>;
  readonly heldInAll?: Money;
  /** When the hold of a pre-authorisation expires, ms. */
  readonly heldUntil?: number;
};

export const receiptContextOf = (books: Books, sale: Sale): ReceiptContext => {
  const { operation, receipt, follows } = sale.intent;
  const isNotLater = (other: Sale): boolean => other.intent.receipt <= receipt;
  const bill = operation === 'sale' ? billWith(books, sale, isNotLater) : undefined;
  const followed = follows === undefined ? undefined : paymentOf(books.ledger, follows.sale);
  const of = operation === 'preauthorisation' ? { sale, followers: [] } : followed;
  const days = daysHeld(books.config);
  const hold =
    of === undefined ? undefined : holdOf({ sale: of.sale, followers: of.followers.filter(isNotLater) }, days);
  return {
    followed: followed?.sale,
    bill,
    heldInAll: operation === 'increment' ? hold?.held : undefined,
    heldUntil: operation === 'increment' || operation === 'preauthorisation' ? hold?.expiresAt : undefined,
  };
};

const isOpen = (state: Hold['state']): boolean => state === 'open' || state === 'unknown';

const daysHeld = ({ preauthorisation }: Config): number => preauthorisation?.days ?? DAYS_HELD;

const billWith = ({ ledger, journal }: Books, sale: Sale, counts: (sale: Sale) => boolean): Bill | undefined => {
  const part = billPartOf(sale);
  if (part === undefined) return undefined;
  const payments = [part.id, ...salesOfBill(journal.sql, part.id)]
    .map((id) => paymentOf(ledger, id))
    .filter((payment) => payment !== undefined && counts(payment.sale))
    .map((payment) => ({
      ...(payment as PaymentWithFollowers),
      followers: (payment as PaymentWithFollowers).followers.filter(counts),
    }));
  return billOf(part, payments);
};

const paymentOf = (ledger: FullLedger, id: string): PaymentWithFollowers | undefined => {
  const sale = ledger.sale(id);
  if (sale === undefined) return undefined;
  return { sale, followers: ledger.followersOf(id).flatMap((follower) => ledger.sale(follower) ?? []) };
};
