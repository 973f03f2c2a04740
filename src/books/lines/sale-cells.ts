/** What a table of sales has of each, apart from its receipt, its time and its counter. */
import { decimal } from '../../reconciliation/report.ts';
import type { Sale } from '../../till/machine/sale.ts';
import { brandOf } from './lines.ts';

export type CardShown = { last4: string; brand?: string; entryMode?: string };

/** What may be shown of the card; undefined where none was read. */
export const cardOf = (sale: Sale): CardShown | undefined => {
  const { card, terminal, intent } = sale;
  const pan = card?.maskedPan ?? terminal?.payment?.maskedPan ?? intent.giftCard?.maskedNumber;
  const last4 = /(\d{4})$/.exec(pan ?? '')?.[1];
  if (last4 === undefined) return undefined;
  const entryMode = card?.entryMode ?? terminal?.payment?.entryMode;
  const brand = brandOf(sale);
  return { last4, ...(brand !== undefined && { brand }), ...(entryMode !== undefined && { entryMode }) };
};

/** Taken without the bank's word, which is still to come. */
export const isWaiting = (sale: Sale): boolean =>
  sale.at === 'ended' && sale.ending === 'approved' && sale.offline !== undefined && sale.forwarded === undefined;

/** The cells before and behind the counter, whose name is configuration. */
export type SaleCells = { readonly before: readonly Cell[]; readonly after: readonly Cell[] };
type Cell = string | number | null;

export const cellNames = {
  before: [
    ...['operation', 'amount', 'tip', 'approved', 'currency', 'ending', 'reason', 'offline'],
    ...['last4', 'brand', 'entryMode', 'cashier'],
  ],
  after: [
    ...['terminalId', 'sequence', 'authorisationCode', 'paymentId', 'merchantTransactionId', 'followsReceipt'],
    ...['keyMadeBy', 'keyApprovedBy'],
  ],
} as const;

/** `origin`: the sale at the start of the chain, whose card is that of what follows it. Amounts are signed decimals. */
export const saleCells = (sale: Sale, origin: Sale | undefined): SaleCells => {
  const { intent, answer, terminal } = sale;
  const { currency } = intent.amount;
  const approved = terminal?.payment?.amount ?? answer?.approved ?? intent.amount;
  const end = sale.at === 'ended' ? sale : undefined;
  const { last4, brand, entryMode } = cardOf(sale) ?? (origin && cardOf(origin)) ?? {};
  const offline = end?.offline;
  return {
    before: [
      ...[intent.operation, decimal(intent.amount.minor, currency)],
      intent.tip === undefined ? null : decimal(intent.tip.minor, currency),
      end?.ending === 'approved' ? decimal(approved.minor, currency) : '',
      ...[currency, end?.ending ?? 'open', end?.reason ?? null],
      offline === undefined ? '' : isWaiting(sale) ? `${offline}, not sent` : offline,
      ...[last4 ?? null, brand ?? null, entryMode ?? null, intent.cashier ?? null],
    ],
    after: [
      ...[
        intent.terminalId,
        intent.sequence,
        answer?.authorisationCode ?? terminal?.payment?.authorisationCode ?? null,
      ],
      ...[answer?.payment ?? null, intent.sale, intent.follows?.receipt ?? null],
      ...[intent.program?.madeBy ?? null, intent.program?.approvedBy ?? null],
    ],
  };
};
