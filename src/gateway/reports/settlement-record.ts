/** The gateway's payments → reconciliation records of spec 2.36, as an acquirer pays them out. Pure. */
import { createHash } from 'node:crypto';
import { dateTime } from '../../base/clock.ts';
import { type Money, printAmount } from '../../base/money.ts';
import { meaningOf } from '../results.ts';
import type { Payment } from '../store/store.ts';

/** The header in the specification's order; TransactionId and InvoiceId stand in its table, after ConnectorTxId3. */
export const settlementColumns = [
  ...['ReconciliationType', 'PaymentType', 'Cashflow', 'ClearingInstituteMerchantId', 'MerchantAccountId'],
  ...['MerchantAccountName', 'PspId', 'DivisionId', 'MerchantId', 'SettlementTxId', 'UniqueID', 'ShortId'],
  ...['ConnectorTxId1', 'ConnectorTxId2', 'ConnectorTxId3', 'TransactionId', 'InvoiceId', 'Amount', 'Currency'],
  ...['Brand', 'TxRequestTime', 'SettlementAmount', 'SettlementCurrency', 'SettlementFee', 'SettlementFxRate'],
  ...['SettlementDate', 'SettlementStatus', 'Descriptor', 'AccountNumberLast4', 'BankCode', 'AccountHolder'],
  ...['ReasonCode', 'ReasonDesc', 'SettlementFileFormat', 'ClearingInsitituteName', 'MatchingStatus'],
  ...['MatchedTransactions', 'ChargebackId'],
] as const;

export type SettlementRow = Readonly<Record<string, string>>;

/** What the acquirer keeps of each amount that it pays out: a share in hundredths of a percent, and so much more. */
export type FeeSchedule = { readonly basisPoints: bigint; readonly fixedMinor: bigint };

export const usualFees: FeeSchedule = { basisPoints: 120n, fixedMinor: 5n };

export type Settling = {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly fees: FeeSchedule;
  readonly acquirer: { readonly name: string; readonly merchantId: string };
};

type Kind = { readonly recordType: string; readonly paymentType: string; readonly cashflow: 'POS' | 'NEG' };

/** What is paid out or taken back. Preauthorisations move nothing, and a reversal only undoes what was not paid out. */
const kinds: Readonly<Record<string, Kind>> = {
  DB: { recordType: 'SETTLED', paymentType: 'DEBIT', cashflow: 'POS' },
  CP: { recordType: 'SETTLED', paymentType: 'DEBIT', cashflow: 'POS' },
  'PA.CP': { recordType: 'SETTLED', paymentType: 'DEBIT', cashflow: 'POS' },
  RB: { recordType: 'SETTLED', paymentType: 'DEBIT', cashflow: 'POS' },
  RC: { recordType: 'SETTLED', paymentType: 'DEBIT', cashflow: 'POS' },
  CD: { recordType: 'SETTLED', paymentType: 'CREDIT', cashflow: 'NEG' },
  RF: { recordType: 'SETTLED', paymentType: 'REFUND', cashflow: 'NEG' },
  CB: { recordType: 'CHARGEBACK', paymentType: 'DEBIT', cashflow: 'NEG' },
  CR: { recordType: 'CHARGEBACK REVERSAL', paymentType: 'DEBIT', cashflow: 'POS' },
};

/** A record for each payment that is paid out or taken back; those that were reversed are left out. */
export const settlementRows = (payments: readonly Payment[], settling: Settling): SettlementRow[] => {
  const done = payments.filter(isApproved);
  const reversed = new Set(
    done.flatMap(({ paymentType, referencedId }) => (paymentType === 'RV' ? [referencedId] : [])),
  );
  return done.flatMap((payment) => {
    const kind = kinds[payment.paymentType];
    return kind === undefined || reversed.has(payment.id) ? [] : [row(payment, kind, settling)];
  });
};

const isApproved = (payment: Payment): boolean =>
  payment.state === 'done' && meaningOf(payment.resultCode) === 'approved' && payment.amount.minor > 0n;

const row = (payment: Payment, kind: Kind, { date, fees, acquirer }: Settling): SettlementRow => {
  const { id, entityId, amount, at, shortId, merchantTransactionId = '', facts } = payment;
  const fee = kind.paymentType === 'DEBIT' && kind.recordType === 'SETTLED' ? feeOf(amount, fees) : nothing(amount);
  const isChargeback = kind.recordType === 'CHARGEBACK';
  const reference = kind.recordType === 'SETTLED' ? id : (payment.referencedId ?? id);
  return {
    ReconciliationType: kind.recordType,
    PaymentType: kind.paymentType,
    Cashflow: kind.cashflow,
    ClearingInstituteMerchantId: acquirer.merchantId,
    MerchantAccountId: idFor('account', entityId),
    PspId: idFor('psp', acquirer.name),
    MerchantId: entityId,
    SettlementTxId: idFor('settlement', `${date} ${id}`),
    UniqueID: reference,
    ShortId: shortId,
    ConnectorTxId1: facts.acquirerId,
    TransactionId: merchantTransactionId,
    InvoiceId: facts.echo['merchantInvoiceId'] ?? '',
    Amount: printAmount(amount),
    Currency: amount.currency,
    Brand: facts.paymentBrand ?? facts.brandResult ?? '',
    TxRequestTime: dateTime(at),
    SettlementAmount: printAmount({ ...amount, minor: amount.minor - fee.minor }),
    SettlementCurrency: amount.currency,
    SettlementFee: printAmount(fee),
    SettlementFxRate: '1.00',
    SettlementDate: date,
    SettlementStatus: 'SUCCESS',
    Descriptor: facts.descriptor.slice(0, 128),
    AccountNumberLast4: facts.card?.last4Digits ?? '',
    AccountHolder: facts.card?.holder ?? '',
    ...(isChargeback && { ReasonCode: '10.4', ReasonDesc: 'Fraud, card absent' }),
    SettlementFileFormat: 'TILLGATE-2.36',
    ClearingInsitituteName: acquirer.name,
    ...(kind.recordType !== 'SETTLED' && { ChargebackId: id }),
  };
};

/** Never more than the amount itself; in the currencies' own steps, a third decimal rounded away. */
const feeOf = ({ minor, currency }: Money, { basisPoints, fixedMinor }: FeeSchedule): Money => {
  const exact = (minor * basisPoints + 5_000n) / 10_000n + fixedMinor;
  const step = minor % 10n === 0n && THREE_DECIMALS.has(currency) ? 10n : 1n;
  const fee = exact - (exact % step);
  return { minor: fee < minor ? fee : 0n, currency };
};

const THREE_DECIMALS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

const nothing = ({ currency }: Money): Money => ({ minor: 0n, currency });

/** 32 hex digits that are the same each time. */
const idFor = (what: string, of: string): string =>
  createHash('sha256').update(`${what} ${of}`).digest('hex').slice(0, 32);
