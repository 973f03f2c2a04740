/** Sales from the books as list rows, and a single sale with all its details. */
import type { HoldRow, Result, SaleDetail, SaleRow, State } from '../api/contract/sales.ts';
import { type Fault, isFault } from '../base/fault.ts';
import type { DisplayMode, Mode } from '../base/mode.ts';
import { subtract } from '../base/money.ts';
import type { Config } from '../folder/config.ts';
import type { Journal } from '../journal/journal.ts';
import { billOfSale, type Hold, holdOfSale } from '../ledger/bills.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { declineOf, isSigned, localizedEnding, localizedEndingIn } from '../ledger/outcome.ts';
import { amountOf } from '../ledger/wire-money.ts';
import { type UnpaidSales, unpaidViewOf } from '../offline/unpaid-sales.ts';
import { operations } from '../till/machine/operations.ts';
import type { EndedSale, Sale } from '../till/machine/sale.ts';
import { chainOf } from './books.ts';
import { cardOf, isWaiting } from './lines/lines.ts';

// How a sale ended, for the screens: one state, the text, and what is left to do.

/** The state that every screen shows with the same colour, icon and word. */
export const stateOf = (sale: Sale): State => {
  if (sale.at !== 'ended') return 'busy';
  if (sale.differs !== undefined || sale.forPerson === true) return 'person';
  if (sale.ending === 'unknown') return 'unknown';
  if (sale.ending !== 'approved') return 'declined';
  return isWaiting(sale) ? 'offline' : 'approved';
};

/** What an ending needs besides the sale. */
export type SaleContext = { mode: DisplayMode; unpaid: Pick<UnpaidSales, 'of' | 'mayCharge' | 'otherCard'> };

export const resultOf = (sale: EndedSale, { mode, unpaid }: SaleContext): Result => {
  const { ending, reason, why, answer, intent } = sale;
  const { again, ...told } = localizedEndingIn(mode, sale);
  const { says, money, next } = told;
  const decline = declineOf(sale);
  const part = ending === 'approved' ? answer?.approved : undefined;
  const otherCard = unpaid.otherCard(sale);
  return {
    ending,
    state: stateOf(sale),
    reason,
    again,
    told,
    says: says.says,
    money: money.says,
    next: next.says,
    why,
    ...unpaidViewOf(unpaid, sale),
    otherCard,
    decline,
    statusText: isAnswerForEnding(sale) ? answer?.statusText : undefined,
    ...(part && { approved: amountOf(part), left: amountOf(subtract(intent.amount, part)) }),
    signature: (ending === 'approved' && isSigned(sale)) || undefined,
  };
};

/** Whether the gateway's answer fits the ending: its APPROVED is not shown beside a sale that ended otherwise. */
const isAnswerForEnding = ({ reason, intent }: EndedSale): boolean =>
  reason === operations[intent.operation].done || reason === 'declinedByHost';

/** The result of a sale whose journal could not be written: only what the fault says is certain. */
export const resultOfFault = (fault: Fault): Result => {
  const isProved = isFault(fault, 'journal.unwritable');
  return {
    ending: isProved ? 'notSent' : 'unknown',
    state: isProved ? 'declined' : 'unknown',
    reason: isProved ? 'restarted' : 'unanswered',
    says: fault.message,
    money: fault.money,
    next: fault.next,
    again: false,
  };
};

/** What a sale's row needs from a running till. */
export type SaleRowParts = {
  readonly ledger: FullLedger;
  readonly journal: Journal;
  readonly config: Config;
  readonly counters: readonly { readonly name: string; readonly terminalId: string }[];
  readonly mode: Mode;
  readonly unpaid: UnpaidSales;
};

/** Operations that follow a payment show the card of the first sale in the chain. */
export const rowOf = ({ ledger, counters, unpaid }: SaleRowParts, sale: Sale): SaleRow => {
  const { intent } = sale;
  const { origin } = intent.follows === undefined ? { origin: undefined } : chainOf(ledger, sale);
  const counter = counters.find(({ terminalId }) => terminalId === intent.terminalId)?.name;
  return {
    id: intent.sale,
    receipt: intent.receipt,
    at: intent.at,
    operation: intent.operation,
    amount: amountOf(intent.amount),
    approved: sale.answer?.approved && amountOf(sale.answer.approved),
    billTotal: intent.bill && amountOf(intent.bill.total),
    tip: intent.tip && amountOf(intent.tip),
    asTip: intent.asTip,
    state: stateOf(sale),
    ending: sale.at === 'ended' ? sale.ending : 'open',
    ...(sale.at === 'ended' && {
      reason: sale.reason,
      says: localizedEnding(sale).says.says,
      told: localizedEnding(sale).says,
    }),
    ...(cardOf(sale) ?? (origin && cardOf(origin))),
    cashier: intent.cashier,
    followsReceipt: intent.follows?.receipt,
    counter,
    waiting: isWaiting(sale) || undefined,
    ...unpaidViewOf(unpaid, sale),
    chargesAgain: intent.chargesAgain?.receipt,
    learned: intent.learned && true,
  };
};

/** Rows of these sales in their order. Ids without a sale are left out. */
export const rowsOf = (parts: SaleRowParts, ids: readonly string[]): SaleRow[] =>
  ids.flatMap((id) => {
    const sale = parts.ledger.sale(id);
    return sale === undefined ? [] : [rowOf(parts, sale)];
  });

/** `may`: the follow-ups that the till would not refuse now. */
export const detailOf = (parts: SaleRowParts, sale: Sale, allowed: SaleDetail['may']): SaleDetail => {
  const { intent, answer, terminal } = sale;
  const bill = intent.operation === 'sale' ? billOfSale(parts, sale) : undefined;
  const authorisationCode = answer?.authorisationCode ?? terminal?.payment?.authorisationCode;
  return {
    ...rowOf(parts, sale),
    result: sale.at === 'ended' ? resultOf(sale, parts) : undefined,
    authorisationCode,
    payment: answer?.payment,
    registrationId: answer?.registrationId,
    terminalId: intent.terminalId,
    sequence: intent.sequence,
    followers: rowsOf(parts, parts.ledger.followersOf(intent.sale)),
    bill: bill && {
      total: amountOf(bill.total),
      paid: amountOf(bill.paid),
      left: amountOf(bill.left),
      unknown: amountOf(bill.unknown),
      receipts: bill.legs.map((leg) => leg.sale.intent.receipt),
    },
    hold: intent.operation === 'preauthorisation' ? heldOf(holdOfSale(parts, sale)) : undefined,
    may: allowed,
  };
};

const heldOf = ({ held, completed, left, expiresAt: until }: Hold) => ({
  held: amountOf(held),
  completed: amountOf(completed),
  left: amountOf(left),
  until,
});

/** `now`: wall time, ms. */
export const holdRowOf = (parts: SaleRowParts, hold: Hold, now: number): HoldRow => ({
  ...rowOf(parts, hold.sale),
  ...heldOf(hold),
  expired: hold.expiresAt <= now,
  holdUnknown: hold.state === 'unknown' || undefined,
  maskedPan: hold.sale.card?.maskedPan,
});
