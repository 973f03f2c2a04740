/**
 * GET /reports/v1|v2/reconciliations/aggregations (spec 2.25, 2.36): the settled payments, by day and record by record.
 */
import { removeGuard } from '../../../base/csv.ts';
import { printAmount } from '../../../base/money.ts';
import { codes } from '../../../base/result-codes.ts';
import type { Channel } from '../../channel.ts';
import { type Call, endOf, endpoint, type Gateway } from '../../payments/endpoint.ts';
import { listAnswer } from '../../payments/query.ts';
import { type Answer, type Body, refuseWith } from '../../payments/response.ts';
import { brandOf } from '../../spec/brands.ts';
import { nestedOf } from '../../spec/json.ts';
import { authentication, payment } from '../../spec/parameters/payment.ts';
import { reporting, reportPages } from '../../spec/parameters/queries.ts';
import { reportRules } from '../../spec/rules/query.ts';
import type { RecordPage, SettlementSum } from '../../store/settlement-store.ts';
import { MEMO, parseRows, type SettlementRow } from '../settlement-csv.ts';

// Settlement under the API's names (spec 2.36, second column): records, and the sums of a day.

/** ShortId has no name there. Holder and last digits are fields of the account they belong to. */
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

/** One record, without fields that are empty in the file. */
export const apiRecord = (row: SettlementRow): Body => {
  const flat: Record<string, string> = {};
  const account = isOfBank(row) ? 'bankAccount.' : 'card.';
  for (const [column, name] of apiNames) {
    const value = row[column];
    if (value) flat[name.replace(/^card\./, account)] = removeGuard(value);
  }
  const matched = row['MatchedTransactions'] ?? '';
  if (matched !== '')
    for (const [index, id] of matched.split(',').entries()) flat[`matchedTransactions.payment[${index}].id`] = id;
  return nestedOf(flat) as Body;
};

const isOfBank = ({ BankCode, Brand = '' }: SettlementRow): boolean =>
  Boolean(BankCode) || brandOf(Brand)?.account === 'bankAccount';

/** A day's sum in one currency. Amounts have no sign: settlement.cashflow gives the direction. */
const apiSum = (sum: SettlementSum & { readonly day: string }): Body => {
  const { id, currency, settlementCurrency, testMode, records, paidMinor, takenMinor, feeMinor, day } = sum;
  const net = paidMinor - takenMinor;
  const format = (minor: bigint): string => printAmount({ minor, currency: settlementCurrency });
  return {
    id,
    currency,
    testMode: testMode === 'LIVE' ? undefined : testMode,
    records,
    settlement: {
      date: day,
      cashflow: net < 0n ? 'NEG' : 'POS',
      amount: format(net < 0n ? -net : net),
      currency: settlementCurrency,
      fee: format(feeMinor),
    },
  };
};

const PATH = 'reconciliations/aggregations';
/** Records on one page of the newer report. */
const PAGE = 100;
/** Records in one answer of the older report, which has no pages. */
const RECORDS_MAX = 5_000;

const { 'date.from': from, 'date.to': to, sortValue, sortOrder } = reporting;
const { currency, testMode } = payment;
/** Selects sums. The records endpoint accepts these too, and returns nothing if they select other sums. */
const sumFilter = { 'date.from': from, 'date.to': to, currency, testMode };

/** One sum for each day, currency and test mode, oldest first; its id leads to its records. */
export const aggregations = endpoint(
  {
    method: 'GET',
    path: `/reports/v1/${PATH}`,
    summary:
      'The settled payments of these days: a sum for each day, currency and test mode, with an id for its records.',
    accepts: { ...authentication, ...sumFilter },
    needs: ['entityId', 'date.from', 'date.to'],
    rules: reportRules,
  },
  async ({ store }, call) => {
    const { request, channel } = call;
    const days = { from: request['date.from'], to: request['date.to'] };
    const { dispatch } = channel;
    if (dispatch === undefined) {
      const sums = await store.settlements.sums({ entityId: channel.entityId, ...days });
      return listAnswer(call, { aggregations: sums.filter((sum) => isOf(request, sum)).map(apiSum) });
    }
    const allSums = [];
    for (const each of dispatch.channels) {
      const sums = await store.settlements.sums({ entityId: each.entityId, ...days });
      for (const sum of sums)
        if (isOf(request, sum)) allSums.push({ ...apiSum(sum), merchantAccount: accountOf(each) });
    }
    return listAnswer(call, { aggregations: allSums.sort(compareDays) });
  },
);

export const aggregation = endpoint(
  {
    method: 'GET',
    path: `/reports/v1/${PATH}/:id`,
    summary: `The records of a sum, up to ${RECORDS_MAX}. For more of them use version 2, which has pages.`,
    accepts: { ...authentication, ...sumFilter, sortValue, sortOrder },
    needs: ['entityId'],
    rules: reportRules,
  },
  async (gateway, call) => {
    const sum = await findSum(gateway, call);
    if (sum === undefined) return unknownAnswer(call);
    const descending = call.request.sortOrder?.toUpperCase() === 'DESC';
    const { records, total } = await recordsOf(gateway, { sumId: sum.id, limit: RECORDS_MAX, offset: 0, descending });
    const omittedCount = total - records.length;
    const reason = `${omittedCount} more do not fit into one answer: request /reports/v2/${PATH}/${sum.id}, page by page.`;
    const resultDetails = omittedCount > 0 ? { ExtendedDescription: reason } : undefined;
    return listAnswer(call, { id: sum.id, reconciliations: records, resultDetails });
  },
);

export const aggregationPaged = endpoint(
  {
    method: 'GET',
    path: `/reports/v2/${PATH}/:id`,
    summary: `The records of a sum, ${PAGE} a page, of all types or of one.`,
    accepts: { ...authentication, ...sumFilter, ...reportPages },
    needs: ['entityId'],
    rules: reportRules,
  },
  async (gateway, call) => {
    const sum = await findSum(gateway, call);
    if (sum === undefined) return unknownAnswer(call);
    const { reconciliationType: recordType, pageNo = '1' } = call.request;
    const { records, total } = await recordsOf(gateway, {
      sumId: sum.id,
      recordType,
      limit: PAGE,
      offset: (Number(pageNo) - 1) * PAGE,
      descending: false,
    });
    const pages = Math.ceil(total / PAGE);
    return listAnswer(call, { id: sum.id, reconciliations: records, pages, pageNo: Number(pageNo) });
  },
);

/** The channel as named in the records. */
const accountOf = ({ entityId, name = '' }: Channel): Body => ({ id: entityId, name: name || undefined });

const dayOf = ({ settlement }: Body): string => String((settlement as Body | undefined)?.['date'] ?? '');
const compareDays = (one: Body, right: Body): number =>
  dayOf(one) < dayOf(right) ? -1 : dayOf(one) > dayOf(right) ? 1 : 0;

type SumFilter = Readonly<Partial<Record<keyof typeof sumFilter, string>>>;

const isOf = ({ currency, testMode }: SumFilter, sum: SettlementSum): boolean =>
  (currency === undefined || currency === sum.currency) && (testMode === undefined || testMode === sum.testMode);

/**
 * Another channel's sum, and one of a batch still in progress, is as unknown as one that does not exist; so is a sum
 * that contradicts the request's days, currency or test mode.
 */
const findSum = async (
  { store }: Gateway,
  { id = '', channel, request }: Call<SumFilter>,
): Promise<SettlementSum | undefined> => {
  const sum = await store.settlements.sum(id);
  const batch = sum === undefined ? undefined : await store.settlements.byId(sum.settlementId);
  if (sum === undefined || batch?.entityId !== channel.entityId || batch.closedAt === undefined) return undefined;
  const { 'date.from': first = batch.day, 'date.to': last = batch.day } = request;
  return isOf(request, sum) && first <= batch.day && batch.day <= last ? sum : undefined;
};

const recordsOf = async ({ store }: Gateway, page: RecordPage) => {
  const { lines, total } = await store.settlements.recordLines(page);
  return { records: parseRows(lines).map(apiRecord), total };
};

const unknownAnswer = (call: Call<unknown>): Answer =>
  refuseWith({ code: codes.transactionNotFound, status: 404 }, endOf(call));
