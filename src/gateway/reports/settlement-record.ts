/** Turns the gateway's payments into the reconciliation records of spec 2.36, as an acquirer pays them out. Pure. */
import { createHash } from 'node:crypto';
import { type Money, parseAmount, printAmount } from '../../base/money.ts';
import { describe, meaningOf } from '../spec/results.ts';
import type { Payment, PaymentFacts } from '../store/records.ts';
import type { ChargebackNotice, RecordType } from '../store/settlement-store.ts';
import { MEMO, type SettlementRow } from './settlement-csv.ts';
import { localTimeOf } from './settlement-day.ts';
import { exchange, settlementFee, type Terms } from './terms.ts';

/** A payment with its predecessors in the chain, the nearest first. */
export type PaymentChain = { readonly payment: Payment; readonly before: readonly Payment[] };

type Kind = { readonly recordType: RecordType; readonly paymentType: string };

/** Payment types that are paid out or taken back. A preauthorisation moves nothing. */
const kinds: Readonly<Record<string, Kind>> = {
  DB: { recordType: 'SETTLED', paymentType: 'DEBIT' },
  CP: { recordType: 'SETTLED', paymentType: 'DEBIT' },
  'PA.CP': { recordType: 'SETTLED', paymentType: 'DEBIT' },
  RB: { recordType: 'SETTLED', paymentType: 'DEBIT' },
  RC: { recordType: 'SETTLED', paymentType: 'DEBIT' },
  CD: { recordType: 'SETTLED', paymentType: 'CREDIT' },
  RF: { recordType: 'SETTLED', paymentType: 'REFUND' },
  RV: { recordType: 'SETTLED', paymentType: 'REFUND' },
  CB: { recordType: 'CHARGEBACK', paymentType: 'DEBIT' },
  CR: { recordType: 'CHARGEBACK REVERSAL', paymentType: 'DEBIT' },
};

/** Types that undo the payment they refer to: their money goes in the opposite direction. */
const REVERSING_TYPES: ReadonlySet<string> = new Set(['RF', 'RV', 'CB', 'CR']);

export const isApproved = (payment: Payment): boolean =>
  payment.state === 'done' && meaningOf(payment.resultCode) === 'approved' && payment.amount.minor > 0n;

/**
 * The payment's kind in a settlement; undefined if it moves no money: a preauthorisation, its release, a receipt for
 * money already taken.
 */
export const kindOf = ({ payment, before: [parent] }: PaymentChain): Kind | undefined => {
  if (payment.paymentType === 'RV' && (parent === undefined || parent.paymentType === 'PA')) return undefined;
  if (payment.facts.confirms === true) return undefined;
  return kinds[payment.paymentType];
};

/** POS: to the merchant. NEG: from the merchant. */
export const cashflowOf = ({ payment, before: [parent, ...earlier] }: PaymentChain): 'POS' | 'NEG' => {
  const { paymentType } = payment;
  if (paymentType === 'CD') return 'NEG';
  if (!REVERSING_TYPES.has(paymentType)) return 'POS';
  if (parent === undefined) return paymentType === 'CR' ? 'POS' : 'NEG';
  return cashflowOf({ payment: parent, before: earlier }) === 'POS' ? 'NEG' : 'POS';
};

/** The payment that a chargeback, or its reversal, refers to. */
const disputedPaymentIn = (before: readonly Payment[]): Payment | undefined =>
  before.find(({ paymentType }) => paymentType !== 'CB' && paymentType !== 'CR');

export const brandOf = ({ payment, before }: PaymentChain): string => {
  for (const { facts } of [payment, ...before]) {
    const brand = facts.paymentBrand ?? facts.brandResult;
    if (brand !== undefined) return brand;
  }
  return '';
};

export type RecordedRow = {
  readonly row: SettlementRow;
  readonly recordType: RecordType;
  readonly settled: Money;
  readonly fee: Money;
  readonly cashflow: 'POS' | 'NEG';
};

/** The record of one payment, settled on `day`; undefined if it moves no money. */
export const recordOf = (chained: PaymentChain, day: string, terms: Terms): RecordedRow | undefined => {
  const kind = kindOf(chained);
  if (kind === undefined) return undefined;
  const { payment, before } = chained;
  const cashflow = cashflowOf(chained);
  const { settled: gross, rate } = exchange(payment.amount, terms);
  const fee = settlementFee(gross, { ...payment, brand: brandOf(chained) }, terms.fees);
  const settled = { ...gross, minor: cashflow === 'POS' ? gross.minor - fee.minor : gross.minor + fee.minor };
  const disputed = kind.recordType === 'SETTLED' ? undefined : disputedPaymentIn(before);
  const { last4Digits = '', bankCode = '', holder = '' } = accountOf(chained);
  const row = {
    ...frameOf(day, terms),
    ReconciliationType: kind.recordType,
    PaymentType: kind.paymentType,
    Cashflow: cashflow,
    SettlementTxId: settlementTxId(keyOf(payment)),
    UniqueID: disputed?.id ?? payment.id,
    ShortId: (disputed ?? payment).shortId,
    ConnectorTxId1: payment.facts.acquirerId,
    TransactionId: referenceIn([payment, ...before]),
    InvoiceId: payment.facts.echo['merchantInvoiceId'] ?? '',
    [MEMO]: memoOf(payment) ?? '',
    Amount: printAmount(payment.amount),
    Currency: payment.amount.currency,
    Brand: brandOf(chained).slice(0, 16),
    TxRequestTime: localTimeOf(payment.at, terms.timeZone),
    SettlementAmount: printAmount(settled),
    SettlementCurrency: settled.currency,
    SettlementFee: printAmount(fee),
    SettlementFxRate: rate,
    Descriptor: payment.facts.descriptor.slice(0, 128),
    AccountNumberLast4: last4Digits,
    BankCode: bankCode,
    AccountHolder: holder,
    ...(kind.recordType === 'SETTLED' ? {} : disputeOf(payment, disputed)),
  };
  return { row, recordType: kind.recordType, settled, fee, cashflow };
};

/** The card or bank account that pays, from the payment or from a predecessor in its chain. */
const accountOf = ({ payment, before }: PaymentChain): NonNullable<PaymentFacts['bankAccount']> => {
  for (const { facts } of [payment, ...before]) {
    const { card, bankAccount } = facts;
    if (card !== undefined) return { last4Digits: card.last4Digits, holder: card.holder || undefined };
    if (bankAccount !== undefined) return bankAccount;
  }
  return {};
};

const disputeOf = (payment: Payment, disputed: Payment | undefined): SettlementRow => {
  const code = payment.facts.echo['chargebackResultCode'];
  return {
    ReasonCode: code,
    ReasonDesc: code === undefined ? undefined : describe(code).slice(0, 128),
    MatchingStatus: disputed && 'MATCHED',
    MatchedTransactions: disputed?.id,
    ChargebackId: payment.id,
  };
};

/** The payment's own memo; older payments have it in the echo. */
export const memoOf = ({ facts }: Payment): string | undefined => facts.memo ?? facts.echo['merchantMemo'];

const referenceIn = (chain: readonly Payment[]): string =>
  chain.find(({ merchantTransactionId }) => merchantTransactionId !== undefined)?.merchantTransactionId ?? '';

/** The fields common to all records of a day. */
const frameOf = (day: string, { entityId, merchant, name, acquirer, live }: Terms): SettlementRow => ({
  ClearingInstituteMerchantId: acquirer.merchantId,
  // Each channel of a merchant is an account of its own.
  MerchantAccountId: merchant === undefined ? derivedIdOf('account', entityId) : entityId,
  MerchantAccountName: name,
  PspId: derivedIdOf('psp', acquirer.name),
  MerchantId: merchant ?? entityId,
  SettlementDate: day,
  SettlementStatus: 'SUCCESS',
  // The interface has no column for it: this one marks in each record that no money was moved.
  SettlementFileFormat: live ? 'TILLGATE-2.36' : 'TEST TILLGATE-2.36',
  ClearingInsitituteName: acquirer.name,
});

export type FeeRecord = {
  readonly key: string;
  readonly type: string;
  readonly fee: Money;
  readonly at: number;
  readonly of?: PaymentChain;
};

/** A fee that is a record of its own: for a payment, a month, a batch. */
export const feeRecord = ({ key, type, fee, at, of }: FeeRecord, day: string, terms: Terms): RecordedRow => {
  const row = {
    ...frameOf(day, terms),
    ReconciliationType: 'FEE',
    PaymentType: type,
    Cashflow: 'NEG',
    SettlementTxId: settlementTxId(key),
    ...(of && namesOf(of)),
    Amount: printAmount(fee),
    Currency: fee.currency,
    TxRequestTime: localTimeOf(at, terms.timeZone),
    SettlementAmount: printAmount(fee),
    SettlementCurrency: fee.currency,
    SettlementFxRate: '1.00',
  };
  return { row, recordType: 'FEE', settled: fee, fee, cashflow: 'NEG' };
};

const namesOf = ({ payment, before }: PaymentChain): SettlementRow => ({
  UniqueID: payment.id,
  ShortId: payment.shortId,
  TransactionId: referenceIn([payment, ...before]),
  Brand: brandOf({ payment, before }).slice(0, 16),
});

/** Identifies a payment among all records of all batches. */
export const keyOf = ({ id }: Pick<Payment, 'id'>): string => `payment ${id}`;

/** The same id each time for the same key. */
const settlementTxId = (key: string): string => derivedIdOf('settlement', key);

/** 32 hex digits, the same each time for the same input. */
export const derivedIdOf = (purpose: string, of: string): string =>
  createHash('sha256').update(`${purpose} ${of}`).digest('hex').slice(0, 32);

// A chargeback without a certain match: the acquirer has taken the money all the same.

/** Its record, with the payments that it may belong to. */
export const noticeRecord = (notice: ChargebackNotice, day: string, terms: Terms): RecordedRow => {
  const { recordType, amount: text, currency, matched, acquirerReference, last4, brand } = notice.facts;
  const { presentedOn, reasonCode, reason } = notice.facts;
  const amount = parseAmount(text, currency);
  const { settled, rate } = exchange(amount, terms);
  const cashflow = recordType === 'CHARGEBACK' ? 'NEG' : 'POS';
  const row = {
    ...frameOf(day, terms),
    ReconciliationType: recordType,
    PaymentType: 'DEBIT',
    Cashflow: cashflow,
    SettlementTxId: settlementTxId(`notice ${notice.entityId} ${notice.id}`),
    ConnectorTxId1: acquirerReference ?? '',
    ConnectorTxId2: notice.id.slice(0, 64),
    Amount: printAmount(amount),
    Currency: currency,
    Brand: brand ?? '',
    TxRequestTime: presentedOn === undefined ? '' : `${presentedOn} 00:00:00`,
    SettlementAmount: printAmount(settled),
    SettlementCurrency: settled.currency,
    SettlementFxRate: rate,
    AccountNumberLast4: last4 ?? '',
    ReasonCode: reasonCode ?? '',
    ReasonDesc: (reason ?? '').slice(0, 128),
    MatchingStatus: notice.status,
    MatchedTransactions: matched.join(','),
  };
  return { row, recordType, settled, fee: { minor: 0n, currency: settled.currency }, cashflow };
};
