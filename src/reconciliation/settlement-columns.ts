/** The reconciliation record of spec 2.36: what a line of a settlement file says. */
import type { Money } from '../base/money.ts';
import type { settlementColumns } from '../gateway/spec/settlement-columns.ts';

export type Column = (typeof settlementColumns)[number];
export type Cells = Readonly<Partial<Record<Column, string>>>;

/** Without these a file cannot be read; TransactionId is required of a record, and many files leave the column out. */
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

/** One record that is as it must be. */
export type SettlementRecord = {
  /** Of the file, from 1: the header is line 1. */
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
  /** Settlement currency for one of the payment's: millionths, so that no float takes part. */
  readonly rateMillionths: bigint;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly requestedOn?: string;
  readonly ok: boolean;
  readonly brand?: string;
  readonly last4?: string;
  readonly cells: Cells;
};

/** Why a line is not taken, by name. */
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
