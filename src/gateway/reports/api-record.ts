/** Settlement under the API's names (spec 2.36, second column): records, and the sums of a day. */
import { unguarded } from '../../base/csv.ts';
import { printAmount } from '../../base/money.ts';
import type { Body } from '../payments/response.ts';
import { brandOf } from '../spec/brands.ts';
import { nestedOf } from '../spec/json.ts';
import { MEMO, type SettlementRow } from './settlement-csv.ts';
import type { SettlementSum } from './store/settlement-store.ts';

/** ShortId has no name there. Holder and last digits stand under the account that they are of. */
const apiNames: readonly (readonly [column: string, name: string])[] = [
  ['ReconciliationType', 'recordType'],
  ['PaymentType', 'transactionType'],
  ['Cashflow', 'settlement.cashflow'],
  ['ClearingInstituteMerchantId', 'clearingInstitute.merchantId'],
  ['MerchantAccountId', 'merchantAccount.id'],
  ['MerchantAccountName', 'merchantAccount.name'],
  ['PspId', 'pspEntityId'],
  ['DivisionId', 'divisionEntityId'],
  ['MerchantId', 'merchantEntityId'],
  ['SettlementTxId', 'settlement.id'],
  ['UniqueID', 'payment.id'],
  ['ConnectorTxId1', 'clearingInstitute.txId1'],
  ['ConnectorTxId2', 'clearingInstitute.txId2'],
  ['ConnectorTxId3', 'clearingInstitute.txId3'],
  ['TransactionId', 'merchantTransactionId'],
  ['InvoiceId', 'merchantInvoiceId'],
  [MEMO, 'merchantMemo'],
  ['Amount', 'amount'],
  ['Currency', 'currency'],
  ['Brand', 'paymentBrand'],
  ['TxRequestTime', 'presentmentDate'],
  ['SettlementAmount', 'settlement.amount'],
  ['SettlementCurrency', 'settlement.currency'],
  ['SettlementFee', 'settlement.fee'],
  ['SettlementFxRate', 'settlement.fxRate'],
  ['SettlementDate', 'settlement.date'],
  ['SettlementStatus', 'settlement.status'],
  ['Descriptor', 'descriptor'],
  ['AccountNumberLast4', 'card.last4Digits'],
  ['BankCode', 'bankAccount.bankCode'],
  ['AccountHolder', 'card.holder'],
  ['ReasonCode', 'result.code'],
  ['ReasonDesc', 'result.description'],
  ['SettlementFileFormat', 'settlement.format'],
  ['ClearingInsitituteName', 'clearingInstitute.name'],
  ['MatchingStatus', 'matchedTransactions.status'],
  ['ChargebackId', 'chargebackTransaction.id'],
];

/** One record; what is empty in the file is left out. */
export const apiRecord = (row: SettlementRow): Body => {
  const flat: Record<string, string> = {};
  const account = isOfBank(row) ? 'bankAccount.' : 'card.';
  for (const [column, name] of apiNames) {
    const value = row[column];
    if (value) flat[name.replace(/^card\./, account)] = unguarded(value);
  }
  const matched = row['MatchedTransactions'] ?? '';
  if (matched !== '')
    for (const [at, id] of matched.split(',').entries()) flat[`matchedTransactions.payment[${at}].id`] = id;
  return nestedOf(flat) as Body;
};

const isOfBank = ({ BankCode, Brand = '' }: SettlementRow): boolean =>
  Boolean(BankCode) || brandOf(Brand)?.account === 'bankAccount';

/** A day's sum in one currency. Amounts have no sign: the direction stands in settlement.cashflow. */
export const apiSum = (sum: SettlementSum & { readonly day: string }): Body => {
  const { id, currency, settlementCurrency, testMode, records, paidMinor, takenMinor, feeMinor, day } = sum;
  const net = paidMinor - takenMinor;
  const shown = (minor: bigint): string => printAmount({ minor, currency: settlementCurrency });
  return {
    id,
    currency,
    ...(testMode === 'LIVE' ? {} : { testMode }),
    records,
    settlement: {
      date: day,
      cashflow: net < 0n ? 'NEG' : 'POS',
      amount: shown(net < 0n ? -net : net),
      currency: settlementCurrency,
      fee: shown(feeMinor),
    },
  };
};
