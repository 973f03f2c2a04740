/**
 * Converts the cells of a line to a record, or to the reason for refusing it. The file comes from outside: nothing in
 * it is trusted.
 */
import { DAY_MS } from '../base/clock.ts';
import { removeGuard } from '../base/csv.ts';
import { isFault } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import { isCurrency, type Money, parseAmount } from '../base/money.ts';
import { settlementColumns } from '../gateway/spec/settlement-columns.ts';
import {
  type Cells,
  type Column,
  type LineRefusal,
  paymentTypes,
  type RefusedLine,
  recordTypes,
  type SettlementRecord,
} from './settlement-columns.ts';

class RefusedRecord extends Error {
  readonly why: LineRefusal;
  constructor(reason: LineRefusal, text: string) {
    super(text);
    this.why = reason;
  }
}

/** `suspect`: a cell may begin like a formula. */
type Line = { readonly line: number; readonly cells: Cells; readonly suspect: boolean };

/** The store whose file it is, and the day on which it is read; without one, no date is too late. */
export type ReadFor = { readonly merchantId: string; readonly today: string | undefined };

/** Refuses a line of another store. */
export const recordIn = ({ line, cells, suspect }: Line, of: ReadFor): SettlementRecord | RefusedLine => {
  try {
    if (suspect) refuseFormulas(cells);
    return record(line, cells, of);
  } catch (error) {
    if (error instanceof RefusedRecord) return { line, why: error.why, says: error.message };
    throw error;
  }
};

export const isRefused = (one: SettlementRecord | RefusedLine): one is RefusedLine => 'why' in one;

const record = (line: number, cells: Cells, { merchantId, today }: ReadFor): SettlementRecord => {
  const text = (column: Column): string => cells[column] ?? '';
  // A channel of a merchant's entity is an account of that merchant.
  if (text('MerchantId') !== merchantId && text('MerchantAccountId') !== merchantId)
    throw new RefusedRecord('otherStore', `MerchantId is ${quote(text('MerchantId'))}, another store’s`);
  const currency = currencyIn(cells, 'Currency');
  const settlementCurrency = currencyIn(cells, 'SettlementCurrency');
  const fee = text('SettlementFee') === '' ? undefined : amountIn(cells, 'SettlementFee', settlementCurrency);
  const date = settledOn(text('SettlementDate'), today);
  const requestedOn = requestDayIn(text('TxRequestTime'), date);
  const merchantTransactionId = removeGuard(text('TransactionId'));
  const optional = { payment: text('UniqueID'), merchantTransactionId, brand: text('Brand') };
  return {
    line,
    recordType: oneOf(recordTypes, text('ReconciliationType'), 'unknownReconciliationType'),
    paymentType: oneOf(paymentTypes, text('PaymentType'), 'unknownPaymentType'),
    cashflow: oneOf(['POS', 'NEG'], text('Cashflow'), 'unknownCashflow'),
    amount: amountIn(cells, 'Amount', currency),
    settled: amountIn(cells, 'SettlementAmount', settlementCurrency),
    fee,
    rateMillionths: rateIn(text('SettlementFxRate')),
    date,
    requestedOn,
    ok: oneOf(['SUCCESS', 'FAILED'], text('SettlementStatus'), 'unknownStatus') === 'SUCCESS',
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== '')),
    ...(/^\d{4}$/.test(text('AccountNumberLast4')) && { last4: text('AccountNumberLast4') }),
    cells,
  };
};

/**
 * A spreadsheet would execute such a cell. No valid field begins like a formula, since numbers are unsigned here.
 * Full-width signs are accepted, because a shop's name can begin with one; the copy of the file guards them.
 */
const refuseFormulas = (cells: Cells): void => {
  const column = settlementColumns.find((name) => isFormula(cells[name] ?? ''));
  if (column !== undefined) throw new RefusedRecord('formula', `${column} begins like a spreadsheet formula`);
};

export const isFormula = (text: string): boolean => /^\s*[=+\-@]/.test(text) || /^[\t\r\n]/.test(text);

const oneOf = <T extends string>(known: readonly T[], text: string, reason: LineRefusal): T => {
  const value = known.find((one) => one === text);
  if (value === undefined) throw new RefusedRecord(reason, `${quote(text)} is none of ${known.join(', ')}`);
  return value;
};

const currencyIn = (cells: Cells, column: Column): string => {
  const text = cells[column] ?? '';
  if (!isCurrency(text))
    throw new RefusedRecord('unknownCurrency', `${column} is ${quote(text)}, no ISO 4217 currency`);
  return text;
};

const amountIn = (cells: Cells, column: Column, currency: string): Money => {
  const text = cells[column] ?? '';
  try {
    return parseAmount(text, currency);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new RefusedRecord('malformedAmount', `${column} is ${quote(text)}, no amount such as 12.50`);
  }
};

const rateIn = (text: string): bigint => {
  const [, whole = '', decimals = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === '')
    throw new RefusedRecord('malformedRate', `SettlementFxRate is ${quote(text)}, no rate such as 1.00`);
  return BigInt(whole + decimals.padEnd(6, '0'));
};

/** `YYYY-MM-DD`, optionally followed by a time. Undefined for anything but a calendar day. */
const dayIn = (text: string): string | undefined => {
  const date = /^(\d{4}-\d\d-\d\d)(?:[ T].*)?$/.exec(text)?.[1] ?? '';
  const at = new Date(`${date}T00:00:00Z`);
  return date !== '' && !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === date ? date : undefined;
};

/** One wrong date would make every sale of the file late or early. */
const settledOn = (text: string, today: string | undefined): string => {
  const date = dayIn(text);
  if (date === undefined)
    throw new RefusedRecord('malformedDate', `SettlementDate is ${quote(text)}, no date such as 2026-01-31`);
  if (date < EARLIEST)
    throw new RefusedRecord('implausibleDate', `SettlementDate is ${date}, long before there were such files`);
  if (today !== undefined && Date.parse(date) > Date.parse(today) + MONTH_MS)
    throw new RefusedRecord('implausibleDate', `SettlementDate is ${date}, more than a month after today`);
  return date;
};

/** The request's date if possible: no payment is requested after its settlement. One day of leeway for time zones. */
const requestDayIn = (text: string, settled: string): string | undefined => {
  const day = dayIn(text);
  return day === undefined || day < EARLIEST || Date.parse(day) > Date.parse(settled) + DAY_MS ? undefined : day;
};

const EARLIEST = '2000-01-01';
const MONTH_MS = 31 * DAY_MS;

const quote = (text: string): string => (text === '' ? 'empty' : `"${printable(text, 40)}"`);
