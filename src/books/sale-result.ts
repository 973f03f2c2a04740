/** How a sale ended, for the screens: one state, the words, and what is left to do. */
import type { Result, State } from '../api/ports/selling.ts';
import type { UnpaidView } from '../api/ports/unpaid.ts';
import { type Fault, isFault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { subtract } from '../base/money.ts';
import { declineOf, isSigned, toldIn } from '../ledger/outcome.ts';
import { amountOf } from '../ledger/wire-money.ts';
import { otherCardsOf } from '../offline/other-card.ts';
import type { UnpaidSales } from '../offline/unpaid-sales.ts';
import { operations } from '../till/machine/operations.ts';
import type { EndedSale, Sale } from '../till/machine/sale.ts';
import { isWaiting } from './lines/sale-cells.ts';

/** The state that everything shows with one colour, icon and word. */
export const stateOf = (sale: Sale): State => {
  if (sale.at !== 'ended') return 'busy';
  if (sale.differs !== undefined || sale.forPerson === true) return 'person';
  if (sale.ending === 'unknown') return 'unknown';
  if (sale.ending !== 'approved') return 'declined';
  return isWaiting(sale) ? 'offline' : 'approved';
};

/** What is known of an ending beside the sale. */
export type Beside = { mode: DisplayMode; unpaid: Pick<UnpaidSales, 'of' | 'mayCharge' | 'otherCard'> };

export const resultOf = (sale: EndedSale, { mode, unpaid }: Beside): Result => {
  const { ending, reason, why, answer, intent } = sale;
  const { again, ...told } = toldIn(mode, sale);
  const { says, money, next } = told;
  const decline = declineOf(sale);
  const part = ending === 'approved' ? answer?.approved : undefined;
  const otherCard = unpaid.otherCard(sale);
  return {
    ...{ ending, state: stateOf(sale), reason, again, told },
    ...{ says: says.says, money: money.says, next: next.says },
    ...(why !== undefined && { why }),
    ...unpaidShown(unpaid, sale),
    ...(otherCard && { otherCard }),
    ...(decline && { decline }),
    ...(answer?.statusText !== undefined && speaksForIt(sale) && { statusText: answer.statusText }),
    ...(part && { approved: amountOf(part), left: amountOf(subtract(intent.amount, part)) }),
    ...(ending === 'approved' && isSigned(sale) && { signature: true as const }),
  };
};

/** Nothing for a sale of which nothing is missing. */
export const unpaidShown = (unpaid: Beside['unpaid'], sale: Sale): { unpaid?: UnpaidView } => {
  const one = unpaid.of(sale);
  if (one === undefined) return {};
  const again = one.tries.map(({ intent }) => intent.receipt);
  const otherCards = otherCardsOf(one);
  const { who, role, reason } = one.sale.unpaidEnd ?? {};
  return {
    unpaid: {
      ...{ state: one.state, missing: amountOf(one.missing) },
      ...(again.length > 0 && { again }),
      ...(otherCards.length > 0 && { otherCards }),
      ...(one.state === 'open' && unpaid.mayCharge(one).kind === 'now' && { mayCharge: true as const }),
      ...(who !== undefined && { by: { name: who, role: role ?? '', reason: reason ?? '' } }),
    },
  };
};

/** The gateway's APPROVED does not stand beside a sale that ended otherwise after it. */
const speaksForIt = ({ reason, intent }: EndedSale): boolean =>
  reason === operations[intent.operation].done || reason === 'declinedByHost';

/** Of a sale whose journal could not be written: what is proved of it is that, and no more. */
export const resultOfFault = (fault: Fault): Result => {
  const isProved = isFault(fault, 'journal.unwritable');
  return {
    ending: isProved ? 'notSent' : 'unknown',
    state: isProved ? 'declined' : 'unknown',
    reason: isProved ? 'restarted' : 'unanswered',
    ...{ says: fault.message, money: fault.money, next: fault.next, again: false },
  };
};
