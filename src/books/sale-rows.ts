/** Sales from the books as rows of a list, and one with all that belongs to it. */
import type { HoldRow, SaleDetail, SaleRow } from '../api/ports/selling.ts';
import type { Mode } from '../base/mode.ts';
import type { Config } from '../folder/config.ts';
import type { Journal } from '../journal/journal.ts';
import { billOfSale, type Hold, holdOfSale } from '../ledger/bills.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { toldOf } from '../ledger/outcome.ts';
import { amountOf } from '../ledger/wire-money.ts';
import type { UnpaidSales } from '../offline/unpaid-sales.ts';
import type { Sale } from '../till/machine/sale.ts';
import { chainOf } from './books.ts';
import { cardOf, isWaiting } from './lines/sale-cells.ts';
import { resultOf, stateOf, unpaidShown } from './sale-result.ts';

/** What of a running till a sale is shown by. */
export type SaleRowParts = {
  readonly ledger: FullLedger;
  readonly journal: Journal;
  readonly config: Config;
  readonly counters: readonly { readonly name: string; readonly terminalId: string }[];
  readonly mode: Mode;
  readonly unpaid: UnpaidSales;
};

/** What follows a payment has the card of the sale at the start of the chain. */
export const rowOf = ({ ledger, counters, unpaid }: SaleRowParts, sale: Sale): SaleRow => {
  const { intent } = sale;
  const { origin } = intent.follows === undefined ? { origin: undefined } : chainOf(ledger, sale);
  const counter = counters.find(({ terminalId }) => terminalId === intent.terminalId)?.name;
  return {
    ...{ id: intent.sale, receipt: intent.receipt, at: intent.at, operation: intent.operation },
    amount: amountOf(intent.amount),
    ...(intent.tip && { tip: amountOf(intent.tip) }),
    ...(intent.asTip && { asTip: true as const }),
    state: stateOf(sale),
    ending: sale.at === 'ended' ? sale.ending : 'open',
    ...(sale.at === 'ended' && { reason: sale.reason, says: toldOf(sale).says.says, told: toldOf(sale).says }),
    ...(cardOf(sale) ?? (origin && cardOf(origin))),
    ...(intent.cashier !== undefined && { cashier: intent.cashier }),
    ...(intent.follows && { followsReceipt: intent.follows.receipt }),
    ...(counter !== undefined && { counter }),
    ...(isWaiting(sale) && { waiting: true as const }),
    ...unpaidShown(unpaid, sale),
    ...(intent.chargesAgain && { chargesAgain: intent.chargesAgain.receipt }),
    ...(intent.learned && { learned: true as const }),
  };
};

/** Rows of these sales, in their order; an id that no sale has is left out. */
export const rowsOf = (shown: SaleRowParts, ids: readonly string[]): SaleRow[] =>
  ids.flatMap((id) => {
    const sale = shown.ledger.sale(id);
    return sale === undefined ? [] : [rowOf(shown, sale)];
  });

/** `may`: what the till would not refuse now. */
export const detailOf = (shown: SaleRowParts, sale: Sale, may: SaleDetail['may']): SaleDetail => {
  const { intent, answer, terminal } = sale;
  const bill = intent.operation === 'sale' ? billOfSale(shown, sale) : undefined;
  const authorisationCode = answer?.authorisationCode ?? terminal?.payment?.authorisationCode;
  return {
    ...rowOf(shown, sale),
    ...(sale.at === 'ended' && { result: resultOf(sale, shown) }),
    ...(authorisationCode !== undefined && { authorisationCode }),
    ...(answer?.payment !== undefined && { payment: answer.payment }),
    ...(answer?.registrationId !== undefined && { registrationId: answer.registrationId }),
    terminalId: intent.terminalId,
    sequence: intent.sequence,
    followers: rowsOf(shown, shown.ledger.followersOf(intent.sale)),
    ...(bill && {
      bill: {
        ...{ total: amountOf(bill.total), paid: amountOf(bill.paid) },
        ...{ left: amountOf(bill.left), unknown: amountOf(bill.unknown) },
        receipts: bill.legs.map((leg) => leg.sale.intent.receipt),
      },
    }),
    ...(intent.operation === 'preauthorisation' && { hold: heldOf(holdOfSale(shown, sale)) }),
    may,
  };
};

const heldOf = ({ held, completed, left, until }: Hold) => ({
  ...{ held: amountOf(held), completed: amountOf(completed), left: amountOf(left), until },
});

/** `now`: wall time, ms. */
export const holdRowOf = (shown: SaleRowParts, hold: Hold, now: number): HoldRow => ({
  ...rowOf(shown, hold.sale),
  ...heldOf(hold),
  expired: hold.until <= now,
});
