/** The reconciliation record of specification 2.36: the columns of a settlement file. */
import type { Money } from '../base/money.ts';
import type { settlementColumns } from '../gateway/spec/settlement-columns.ts';

export type Column = (typeof settlementColumns)[number];
export type Cells = Readonly<Partial<Record<Column, string>>>;

/**
 * Columns without which a file cannot be read. TransactionId is required by the specification, but many files leave it
 * out.
 */
export const needed: readonly Column[] = [
  'ReconciliationType',
  'PaymentType',
  'Cashflow',
  'MerchantId',
  'Amount',
  'Currency',
  'SettlementAmount',
  'SettlementCurrency',
  'SettlementFxRate',
  'SettlementDate',
  'SettlementStatus',
];

export const recordTypes = ['SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE'] as const;
export const paymentTypes = [
  'DEBIT',
  'CREDIT',
  'REFUND',
  'BATCH',
  'MONTHLY',
  'SUBMERCHANT',
  'PAYMENT_FACILITATOR',
  'AUTH_FEE',
  'CAPTURE_FEE',
  'CANCEL_FEE',
  'REFUND_FEE',
] as const;
type RecordType = (typeof recordTypes)[number];
type PaymentType = (typeof paymentTypes)[number];
export const matchingStatuses = ['MATCHED', 'MULTIPLE_MATCHES', 'NOT_MATCHED'] as const;
export type MatchingStatus = (typeof matchingStatuses)[number];

/** A valid record. */
export type SettlementRecord = {
  /** The line in the file, from 1: the header is line 1. */
  readonly line: number;
  readonly recordType: RecordType;
  readonly paymentType: PaymentType;
  readonly cashflow: 'POS' | 'NEG';
  /** payment.id */
  readonly payment?: string;
  readonly merchantTransactionId?: string;
  readonly amount: Money;
  readonly settled: Money;
  readonly fee?: Money;
  /** The rate from the payment's currency to the settlement currency, in millionths to avoid floating point. */
  readonly rateMillionths: bigint;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly requestedOn?: string;
  readonly ok: boolean;
  readonly brand?: string;
  readonly last4?: string;
  readonly cells: Cells;
};

export type LineRefusal =
  | 'malformedAmount'
  | 'malformedDate'
  | 'implausibleDate'
  | 'malformedRate'
  | 'unknownCurrency'
  | 'unknownReconciliationType'
  | 'unknownPaymentType'
  | 'unknownCashflow'
  | 'unknownStatus'
  | 'formula'
  | 'doubled'
  | 'otherStore'
  | 'ragged'
  | 'tooLong'
  | 'openQuote';

export type RefusedLine = { readonly line: number; readonly why: LineRefusal; readonly says: string };
