/** Parses an acquirer's list of chargebacks, CSV or JSON, into notices. Nothing in it is trusted. */
import { parse } from 'csv-parse/sync';
import { removeGuard } from '../../base/csv.ts';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import { printable, withoutNumbers } from '../../base/mask.ts';
import { isCurrency, parseAmount } from '../../base/money.ts';
import { safeText } from '../../emv/card-text.ts';
import { isDate } from '../spec/parameters/formats.ts';
import type { ChargebackFacts } from '../store/settlement-store.ts';

export type ListedChargeback = { readonly id: string; readonly facts: Omit<ChargebackFacts, 'matched'> };

/** The columns of spec 2.36 by both of their names. */
const names = {
  id: ['SettlementTxId', 'settlement.id', 'id'],
  recordType: ['ReconciliationType', 'recordType'],
  payment: ['UniqueID', 'payment.id'],
  reference: ['ConnectorTxId1', 'clearingInstitute.txId1'],
  last4: ['AccountNumberLast4', 'card.last4Digits'],
  amount: ['Amount', 'amount'],
  currency: ['Currency', 'currency'],
  brand: ['Brand', 'paymentBrand'],
  presented: ['TxRequestTime', 'presentmentDate'],
  code: ['ReasonCode', 'result.code'],
  reason: ['ReasonDesc', 'result.description'],
} as const;

type Cells = Readonly<Record<string, string>>;

/** The maximum number of notices in one import. */
const MOST = 100_000;

/** The whole list, or `chargebacks.unreadable` with the first invalid record. `file` is for error texts. */
export const parseChargebacks = (text: string, file: string): readonly ListedChargeback[] => {
  const refuse = (reason: string): Fault => new Fault('chargebacks.unreadable', { file, why: reason });
  let records: readonly Cells[];
  try {
    records = /^\s*[[{]/.test(text) ? cellsFromJson(text) : cellsFromCsv(text);
  } catch (error) {
    // The parser's message would quote the list.
    throw refuse(error instanceof SyntaxError ? 'it is not JSON' : printable(errorText(error), 120));
  }
  if (records.length > MOST) throw refuse(`it has more than ${MOST} records`);
  const ids = new Set<string>();
  return records.map((record, i) => {
    const where = `record ${i + 1}`;
    try {
      const chargeback = parseChargeback(record);
      if (ids.has(chargeback.id)) throw new InvalidRow('its id occurs more than once');
      ids.add(chargeback.id);
      return chargeback;
    } catch (error) {
      if (error instanceof InvalidRow || isFault(error)) throw refuse(`${where}: ${error.message}`);
      throw error;
    }
  });
};

class InvalidRow extends Error {}

const cellsFromCsv = (text: string): Cells[] => {
  const [header = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  const delimiter = header.includes(';') ? ';' : ',';
  return parse(text, { bom: true, columns: true, delimiter, skip_empty_lines: true, trim: true }) as Cells[];
};

const cellsFromJson = (text: string): Cells[] => {
  const read = JSON.parse(text) as unknown;
  const list = Array.isArray(read) ? read : (read as { chargebacks?: unknown }).chargebacks;
  if (!Array.isArray(list)) throw new InvalidRow('it is neither a list nor an object with a list named chargebacks');
  return list.map((chargeback) => flatten(chargeback));
};

/** Nested objects by dotted names; a value that is neither a text nor a number is invalid. */
const flatten = (value: unknown, prefix = '', depth = 0): Record<string, string> => {
  if (typeof value !== 'object' || value === null || depth > 4) throw new InvalidRow('a record is not an object');
  const cells: Record<string, string> = {};
  for (const [name, chargeback] of Object.entries(value)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (typeof chargeback === 'string' || typeof chargeback === 'number') cells[path] = String(chargeback);
    else if (chargeback !== null && !Array.isArray(chargeback) && typeof chargeback === 'object')
      Object.assign(cells, flatten(chargeback, path, depth + 1));
  }
  return cells;
};

const parseChargeback = (cells: Cells): ListedChargeback => {
  const textOf = (name: keyof typeof names): string | undefined => {
    const value = names[name]
      .map((chargeback) => cells[chargeback]?.trim())
      .find((chargeback) => chargeback !== undefined && chargeback !== '');
    return value === undefined ? undefined : removeGuard(value);
  };
  const id = requireText(textOf('id'), 'SettlementTxId');
  if (!/^[\x21-\x7e]{1,64}$/.test(id)) throw new InvalidRow('SettlementTxId must be 1 to 64 visible characters');
  const recordType = textOf('recordType') ?? 'CHARGEBACK';
  if (recordType !== 'CHARGEBACK' && recordType !== 'CHARGEBACK REVERSAL')
    throw new InvalidRow('ReconciliationType must be CHARGEBACK or CHARGEBACK REVERSAL');
  const currency = requireText(textOf('currency'), 'Currency');
  if (!isCurrency(currency)) throw new InvalidRow(`Currency is "${printable(currency, 8)}", not an ISO 4217 currency`);
  const amount = requireText(textOf('amount'), 'Amount');
  if (parseAmount(amount, currency).minor === 0n) throw new InvalidRow('Amount is zero');
  const last4 = textOf('last4');
  if (last4 !== undefined && !/^\d{4}$/.test(last4)) throw new InvalidRow('AccountNumberLast4 must be four digits');
  const presentedOn = textOf('presented')?.slice(0, 10);
  if (presentedOn !== undefined && !isDate(presentedOn))
    throw new InvalidRow('TxRequestTime must be a date such as 2026-01-31');
  const reasonCode = textOf('code');
  if (reasonCode !== undefined && !/^[\d.]{2,11}$/.test(reasonCode))
    throw new InvalidRow('ReasonCode must be 2 to 11 digits and dots');
  const facts = {
    recordType,
    amount,
    currency,
    paymentId: textOf('payment'),
    acquirerReference: textOf('reference'),
    last4,
    presentedOn,
    reasonCode,
    brand: textOf('brand')?.slice(0, 16),
    reason: textOf('reason') === undefined ? undefined : withoutNumbers(safeText(textOf('reason') ?? '', 128)),
  } as const;
  return { id, facts };
};

const requireText = (text: string | undefined, name: string): string => {
  if (text === undefined) throw new InvalidRow(`${name} is missing`);
  return text;
};
