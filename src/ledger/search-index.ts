/** Finds sales by what a customer or a bank statement shows: receipt, amount, last four digits, day, approval code. */
import { DAY_MS } from '../base/clock.ts';
import { isFault } from '../base/fault.ts';
import { parseAmount } from '../base/money.ts';
import { momentAt } from '../base/wall-time.ts';
import type { Sql } from '../journal/sql.ts';
import type { Sale } from '../till/machine/sale.ts';
import type { LedgerIndex } from './ledger-index.ts';

const schema = [
  `CREATE TABLE IF NOT EXISTS sale_search (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL, at INTEGER NOT NULL,
   minor TEXT NOT NULL, last4 TEXT NOT NULL, code TEXT NOT NULL, payment TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS sale_search_receipt ON sale_search (receipt)',
  'CREATE INDEX IF NOT EXISTS sale_search_at ON sale_search (at, receipt)',
  'CREATE INDEX IF NOT EXISTS sale_search_minor ON sale_search (minor, receipt)',
  "CREATE INDEX IF NOT EXISTS sale_search_last4 ON sale_search (last4, receipt) WHERE last4 <> ''",
  "CREATE INDEX IF NOT EXISTS sale_search_code ON sale_search (code, receipt) WHERE code <> ''",
  "CREATE INDEX IF NOT EXISTS sale_search_payment ON sale_search (payment, receipt) WHERE payment <> ''",
];

type Row = { minor: string; last4: string; code: string; payment: string };

export const searchIndex = (sql: Sql): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'search-1',
    isWhole: (sales) => Number(sql.get('SELECT count(*) AS n FROM sale_search')?.['n']) === sales,
    clear: () => sql.run('DELETE FROM sale_search'),
    apply({ before, after }) {
      const { sale, receipt, at } = after.intent;
      const { minor, last4, code, payment } = rowOf(after);
      if (before === undefined)
        sql.run(
          'INSERT INTO sale_search (sale, receipt, at, minor, last4, code, payment) VALUES (?, ?, ?, ?, ?, ?, ?)',
          sale,
          receipt,
          at,
          minor,
          last4,
          code,
          payment,
        );
      else if (!isSameRow(rowOf(before), { minor, last4, code, payment }))
        sql.run(
          'UPDATE sale_search SET minor = ?, last4 = ?, code = ?, payment = ? WHERE sale = ?',
          minor,
          last4,
          code,
          payment,
          sale,
        );
    },
  };
};

const rowOf = ({ intent, card, answer, terminal }: Sale): Row => ({
  minor: intent.amount.minor.toString(),
  last4: /(\d{4})$/.exec(card?.maskedPan ?? terminal?.payment?.maskedPan ?? '')?.[1] ?? '',
  code: (answer?.authorisationCode ?? '').toUpperCase(),
  payment: (answer?.payment ?? '').toLowerCase(),
});

const isSameRow = (one: Row, other: Row): boolean =>
  one.minor === other.minor && one.last4 === other.last4 && one.code === other.code && one.payment === other.payment;

/** `currency` is the currency of a searched amount. With a cashier, only their sales are found. */
type SearchWords = {
  words: string;
  currency: string;
  /** How many of the newest are passed over. */
  from?: number;
  most: number;
  cashier?: string;
  /** The time zone of a searched day, an IANA name; UTC if absent. */
  timeZone?: string;
};

/**
 * Ids of the sales that match the words, newest first, and how many match in all: `12.50` is an amount, `2026-01-31` a
 * day, digits are a receipt or a card's last four, 32 characters a reference or payment id, anything else is an
 * approval code.
 */
export const searchSales = (sql: Sql, search: SearchWords): { sales: string[]; total: number } => {
  const { words, currency, from = 0, most, cashier, timeZone = 'UTC' } = search;
  const conditions = conditionsOf(words.trim(), currency, timeZone).map((one) => madeBy(cashier, one));
  const found = conditions.flatMap(({ where, values, order = 'receipt' }) =>
    sql.all(
      `SELECT sale, receipt FROM sale_search WHERE ${where} ORDER BY ${order} DESC LIMIT ?`,
      ...values,
      from + most,
    ),
  );
  const receipts = new Map(found.map(({ sale, receipt }) => [String(sale), Number(receipt)]));
  const newest = [...receipts].sort(([, one], [, other]) => other - one);
  return { sales: newest.slice(from, from + most).map(([sale]) => sale), total: countOf(sql, conditions) };
};

/** Matches beyond this number are not counted: only somebody who asks for page after page would notice. */
const COUNTED_MOST = 100_000;

const countOf = (sql: Sql, conditions: readonly Condition[]): number => {
  if (conditions.length === 0) return 0;
  const all = conditions.map(({ where }) => `SELECT sale FROM sale_search WHERE ${where}`).join(' UNION ');
  const values = conditions.flatMap((one) => one.values);
  return Number(sql.get(`SELECT count(*) AS n FROM (${all} LIMIT ?)`, ...values, COUNTED_MOST)?.['n']);
};

const madeBy = (cashier: string | undefined, { where, values, ...more }: Condition): Condition => {
  if (cashier === undefined) return { where, values, ...more };
  const own = 'EXISTS (SELECT 1 FROM sale_asked a WHERE a.sale = sale_search.sale AND a.cashier = ?)';
  return { where: `${where} AND ${own}`, values: [...values, cashier], ...more };
};

type Condition = { where: string; values: (string | number)[]; order?: string };

/** Each condition is answered from one index: one over several indexes would read all rows. */
const conditionsOf = (text: string, currency: string, timeZone: string): Condition[] => {
  const noon = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T12:00:00Z`) : Number.NaN;
  if (!Number.isNaN(noon)) return [{ where: 'at >= ? AND at < ?', values: dayOf(noon, timeZone), order: 'at' }];
  const minor = /^\d{1,10}[.,]\d{1,3}$/.test(text) ? minorOf(text.replace(',', '.'), currency) : undefined;
  if (minor !== undefined) return [{ where: 'minor = ?', values: [minor] }];
  const conditions: Condition[] = [];
  if (/^\d{1,9}$/.test(text)) conditions.push({ where: 'receipt = ?', values: [Number(text)] });
  if (/^\d{4}$/.test(text)) conditions.push({ where: "last4 = ? AND last4 <> ''", values: [text] });
  if (/^[0-9A-Za-z]{32}$/.test(text)) {
    conditions.push({ where: 'sale = ?', values: [text.toLowerCase()] });
    conditions.push({ where: "payment = ? AND payment <> ''", values: [text.toLowerCase()] });
  }
  if (text !== '') conditions.push({ where: "code = ? AND code <> ''", values: [text.toUpperCase()] });
  return conditions;
};

/** When this date begins and ends on the shop's clock. */
const dayOf = (noonUtc: number, timeZone: string): [from: number, to: number] => {
  const wallTimeOf = (at: number): number => {
    const day = new Date(at);
    const date = { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() };
    return momentAt({ ...date, hour: 0, minute: 0, second: 0 }, timeZone);
  };
  return [wallTimeOf(noonUtc), wallTimeOf(noonUtc + DAY_MS)];
};

const minorOf = (text: string, currency: string): string | undefined => {
  try {
    return parseAmount(text, currency).minor.toString();
  } catch (error) {
    if (isFault(error, 'amount.malformed')) return undefined;
    throw error;
  }
};

// Finds a sale by the key of its request, and the sales of one cashier, without reading all of them.

const requestSchema = [
  `CREATE TABLE IF NOT EXISTS sale_asked (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL, cashier TEXT NOT NULL,
   asked TEXT, asked_of TEXT) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS sale_asked_key ON sale_asked (asked) WHERE asked IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS sale_asked_cashier ON sale_asked (cashier, receipt)',
  'CREATE INDEX IF NOT EXISTS sale_asked_receipt ON sale_asked (receipt)',
  'CREATE TABLE IF NOT EXISTS sale_count (cashier TEXT PRIMARY KEY, sales INTEGER NOT NULL) STRICT, WITHOUT ROWID',
];

export const requestKeyIndex = (sql: Sql): LedgerIndex => {
  for (const statement of requestSchema) sql.run(statement);
  return {
    version: 'asked-2',
    isWhole: (sales) =>
      Number(sql.get('SELECT count(*) AS n FROM sale_asked')?.['n']) === sales && salesOf(sql, undefined) === sales,
    clear() {
      for (const table of ['sale_asked', 'sale_count']) sql.run(`DELETE FROM ${table}`);
    },
    apply({ before, after }) {
      if (before !== undefined) return;
      const { sale, receipt, cashier = '', asked: requestKey } = after.intent;
      sql.run(
        'INSERT INTO sale_asked (sale, receipt, cashier, asked, asked_of) VALUES (?, ?, ?, ?, ?)',
        sale,
        receipt,
        cashier,
        requestKey?.key ?? null,
        requestKey?.of ?? null,
      );
      sql.run(
        'INSERT INTO sale_count (cashier, sales) VALUES (?, 1) ON CONFLICT DO UPDATE SET sales = sales + 1',
        cashier,
      );
    },
  };
};

/** The sale that the request with this key began, and the fingerprint of that request. */
export const saleByRequestKey = (sql: Sql, key: string): { sale: string; of: string } | undefined => {
  const row = sql.get('SELECT sale, asked_of FROM sale_asked WHERE asked = ?', key);
  return row && { sale: String(row['sale']), of: String(row['asked_of']) };
};

export type Slice = { from: number; most: number; cashier?: string };

/** Ids, newest first; `total` is the number of all. Without a cashier, sales of all cashiers. */
export const slicedSales = (sql: Sql, { from, most, cashier }: Slice): { sales: string[]; total: number } => {
  const [where, values] = cashier === undefined ? ['', []] : ['WHERE cashier = ?', [cashier]];
  const bound = [...values, most, from];
  const rows = sql.all(`SELECT sale FROM sale_asked ${where} ORDER BY receipt DESC LIMIT ? OFFSET ?`, ...bound);
  return { sales: rows.map(({ sale }) => String(sale)), total: salesOf(sql, cashier) };
};

/** The number of sales of one cashier, or of all. */
const salesOf = (sql: Sql, cashier: string | undefined): number => {
  const [where, values] = cashier === undefined ? ['', []] : ['WHERE cashier = ?', [cashier]];
  return Number(sql.get(`SELECT sum(sales) AS n FROM sale_count ${where}`, ...values)?.['n'] ?? 0);
};

/** The cashier of a sale, and the key of its request. Undefined if there is no such sale. */
export const makerOf = (sql: Sql, sale: string): { cashier: string; requestKey: string } | undefined => {
  const row = sql.get('SELECT cashier, asked FROM sale_asked WHERE sale = ?', sale);
  return row && { cashier: String(row['cashier']), requestKey: String(row['asked'] ?? '') };
};
