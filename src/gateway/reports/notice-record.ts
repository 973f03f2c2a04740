/** A chargeback that is of no payment for certain: the acquirer has taken the money all the same. */
import { parseAmount, printAmount } from '../../base/money.ts';
import { exchange } from './fees.ts';
import { frameOf, type Recorded, settlementTxId } from './settlement-record.ts';
import type { ChargebackNotice } from './store/settlement-store.ts';
import type { Terms } from './terms.ts';

/** Its record, with the payments that it may be of. */
export const noticeRecord = (notice: ChargebackNotice, day: string, terms: Terms): Recorded => {
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
