/** Whether money can be given back on a sale, how much, and by whom: the gateway, or the terminal that has it. */
import { Fault } from '../base/fault.ts';
import { compare, type Money, money, printMoney, subtract } from '../base/money.ts';
import type { Followed, Intent } from './facts.ts';
import type { TillParts } from './ports.ts';
import { replay, type Sale } from './sale.ts';

/** What an intent is made from. */
export type Wanted = Pick<Intent, 'operation' | 'amount' | 'by' | 'follows'>;
type Request = { receipt: number; amount: Money | undefined };

/** Throws `till.nothingLeft`, `till.refundTooHigh`, and `terminal.unready` when another kind of terminal has it. */
export const refundOf = (parts: TillParts, sale: Sale, { receipt, amount }: Request): Wanted => {
  const refunds = refundsOf(parts, sale);
  const left = refundable(refunds, sale);
  if (left.minor <= 0n) throw new Fault('till.nothingLeft', { receipt, why: whyNothing(sale) });
  const wanted = amount ?? left;
  if (compare(wanted, left) > 0) throw new Fault('till.refundTooHigh', { left: printMoney(left), receipt });
  if (sale.intent.by === 'terminal') return atTerminal(parts, sale, { wanted, refunds });
  const payment = sale.answer?.payment;
  if (payment === undefined) throw new Fault('till.nothingLeft', { receipt, why: 'the gateway named no payment' });
  return { operation: 'refund', amount: wanted, follows: { sale: sale.intent.sale, payment, receipt } };
};

/**
 * Of the day's own payments a terminal takes back a whole one by its number; everything else needs the customer's card.
 * So does what it would not take back when it was asked once.
 */
const atTerminal = (
  { integrated, clock }: TillParts,
  sale: Sale,
  { wanted, refunds }: { wanted: Money; refunds: readonly Sale[] },
): Wanted => {
  const { intent, terminal } = sale;
  const { receipt } = intent;
  if (integrated === undefined) {
    const why = `receipt ${receipt} was paid at a terminal that authorises by itself, and this till has none now`;
    throw new Fault('terminal.unready', { why });
  }
  const payment = terminal?.payment?.receiptNumber;
  const device = terminal?.device ?? '';
  const isWhole = compare(wanted, chargedOn(sale)) === 0 && !refunds.some(mayHaveGone);
  const wasRefused = refunds.some((refund) => refund.intent.follows?.at?.how === 'reverse' && isNo(refund));
  const today = dayOf(clock.now()) === dayOf(intent.at);
  const how = payment !== undefined && isWhole && today && !wasRefused ? 'reverse' : 'refund';
  const back: Followed = { sale: intent.sale, payment: payment ?? '', receipt, at: { device, how } };
  return { operation: 'refund', by: 'terminal', amount: wanted, follows: back };
};

/** The terminal will not take it back: not now, and not on this device. */
const isNo = (refund: Sale): boolean =>
  refund.at === 'ended' && ['reversalDeclined', 'otherTerminal', 'notBegunAtTerminal'].includes(refund.reason);

/** The till's own day; a terminal that closed its day since says so by refusing. */
const dayOf = (ms: number): string => {
  const date = new Date(ms);
  return [date.getFullYear(), date.getMonth(), date.getDate()].join('-');
};

const whyNothing = (sale: Sale): string => {
  if (sale.intent.operation === 'refund') return 'it is a refund itself';
  if (sale.at !== 'ended' || sale.ending === 'unknown') return 'what became of it is not known yet';
  if (sale.ending !== 'approved') return 'it was not charged';
  return sale.offline !== undefined && sale.forwarded === undefined
    ? 'it has not been sent to the bank yet'
    : 'all of it was given back';
};

/** What the customer was charged: perhaps another amount, by a terminal that would not take it back. */
export const chargedOn = ({ intent, terminal }: Sale): Money => terminal?.payment?.amount ?? intent.amount;

const refundsOf = ({ ledger }: TillParts, { intent }: Sale): Sale[] =>
  ledger.followersOf(intent.sale).flatMap((id) => replay(ledger.events(id)) ?? []);

/** What is left to give back: refunds that may have happened count as happened. */
const refundable = (refunds: readonly Sale[], sale: Sale): Money => {
  const isCharged =
    sale.at === 'ended' &&
    sale.intent.operation === 'sale' &&
    sale.ending === 'approved' &&
    (sale.offline === undefined || sale.forwarded?.approved === true);
  if (!isCharged) return money(0n, sale.intent.amount.currency);
  return refunds.filter(mayHaveGone).reduce((left, refund) => subtract(left, refund.intent.amount), chargedOn(sale));
};

const mayHaveGone = (refund: Sale): boolean =>
  refund.at !== 'ended' || refund.ending === 'approved' || refund.ending === 'unknown';
