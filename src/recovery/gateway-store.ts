/**
 * Stores what the gateway has answered: how far it was listed, payments that belong to no sale here, and which lines
 * agree.
 */
import type { Sql } from '../journal/sql.ts';
import type { Batch } from '../reconciliation/batches.ts';
import { gatewayTime } from '../till/gateway/learned.ts';
import type { AuditRow } from './audit.ts';
import type { ListedPayment } from './gateway-listing.ts';

const schema = `CREATE TABLE IF NOT EXISTS gateway_stranger (payment TEXT PRIMARY KEY, terminal_id TEXT NOT NULL,
  body TEXT NOT NULL) STRICT`;

/** The totals of sales that were compared before, for one brand: minor units. */
export type AgreedTotal = { readonly brand: string; readonly currency: string; readonly minor: bigint };

/** The newest payment of the last list: the next list must contain it again. */
export type LastListed = { readonly at: number; readonly payment: string };

/** A list and what was added since, in memory. */
export type ListedSpan = {
  /** Sales that began after this entry are covered completely. Undefined: none are. */
  readonly whole: number | undefined;
  /** The marks of its payments, made by `markOf`. */
  readonly marks: Set<string>;
  /** The payments of each sale that it covers completely. */
  readonly bySale: Map<string, readonly ListedPayment[]>;
  /** The sale that each payment concerns. */
  readonly saleOf: Map<string, string>;
};

/** `seenMarks`: the marks of what was listed before. */
type ListedMarks = { span: ListedSpan; seenMarks: ReadonlySet<string> };

/** Identifies a payment together with its result and amount. */
export const markOf = ({ payment, code, amount }: ListedPayment): string => `${payment} ${code} ${amount?.minor ?? ''}`;

/** The lists of this gateway, and what they contained about sales and about unknown payments. */
export const openListStore = (sql: Sql, gateway: string) => {
  sql.run(schema);
  const lines = openAgreementStore(sql);

  const takePayments = (
    payments: readonly ListedPayment[],
    { span, seenMarks }: ListedMarks,
  ): LastListed | undefined => {
    const { about: paymentsBySale, strangers: unknownPayments } = sorted(sql, payments, span.saleOf);
    for (const one of unknownPayments) keepUnknownPayment(sql, one);
    for (const [sale, group] of paymentsBySale) {
      const { receipt, began } = lineOf(sql, sale);
      if (span.whole !== undefined && began > span.whole) addTo(span.bySale, sale, group);
      if (group.some((one) => !seenMarks.has(markOf(one)))) lines.doubt(receipt);
    }
    for (const one of payments) span.marks.add(markOf(one));
    return newestOf(payments);
  };

  return {
    /** Undefined when this gateway was not listed yet, or another one was listed since. */
    last(): LastListed | undefined {
      const row = sql.get('SELECT gateway, at, payment FROM gateway_listed ORDER BY entry DESC LIMIT 1');
      if (row === undefined || row['gateway'] !== gateway) return undefined;
      return { at: Number(row['at']), payment: String(row['payment']) };
    },
    /** Sales that began after this entry have no payment before `at`, gateway time. Undefined when unknown. */
    wholeSince(at: number): number | undefined {
      const entry = sql.get('SELECT min(entry) AS n FROM gateway_listed WHERE at >= ?', at)?.['n'] ?? null;
      return entry === null ? undefined : Number(entry);
    },
    /** Discards everything that the gateway has answered. */
    forget: (batches: readonly Batch[]): void =>
      sql.atomically(() => {
        sql.run('DELETE FROM gateway_listed');
        sql.run('DELETE FROM gateway_stranger');
        for (const batch of batches) lines.doubtAll(batch);
      }),
    /** Adds payments to the span; news of a sale that agreed makes it due again. Returns the newest payment. */
    take: (payments: readonly ListedPayment[], taken: ListedMarks): LastListed | undefined =>
      sql.atomically(() => takePayments(payments, taken)),
    /** Sets where the next list begins. `entry`: the journal's length at the answer. Deletes records before `since`. */
    remember: ({ at, payment }: LastListed, { entry, since }: { entry: number; since: number }): void =>
      sql.atomically(() => {
        sql.run('DELETE FROM gateway_listed WHERE at < ?', since);
        const row = [entry, gateway, at, payment];
        sql.run('INSERT OR REPLACE INTO gateway_listed (entry, gateway, at, payment) VALUES (?, ?, ?, ?)', ...row);
      }),
    /** Payments under this terminal's id that belong to no sale in the journal. */
    unknownPaymentsAt: (terminalId: string): ListedPayment[] =>
      sql
        .all('SELECT body FROM gateway_stranger WHERE terminal_id = ? ORDER BY rowid', terminalId)
        .map(({ body }) => unknownPaymentIn(String(body)))
        .filter(({ saleId }) => !isKnown(sql, saleId)),
  };
};

/** Which lines of the books agree with the gateway. */
export const openAgreementStore = (sql: Sql) => {
  const receiptsOf = ({ terminalId, batch }: Batch): [first: number, last: number] => {
    const row = sql.get('SELECT first, last FROM book_batch WHERE terminal_id = ? AND batch = ?', terminalId, batch);
    return [Number(row?.['first'] ?? 1), Number(row?.['last'] ?? 0)];
  };
  const markChanged = (where: string, ...values: (string | number)[]): void =>
    sql.run(`UPDATE book_line SET agreed = 0 WHERE agreed = 1 AND ${where}`, ...values);

  return {
    doubt: (receipt: number): void => markChanged('receipt = ?', receipt),
    /** Marks the sales of the batch and all holds as due for another inquiry. */
    doubtAll(batch: Batch): void {
      const { terminalId, batch: number } = batch;
      markChanged(
        'receipt BETWEEN ? AND ? AND terminal_id = ? AND batch = ?',
        ...receiptsOf(batch),
        terminalId,
        number,
      );
      markChanged("receipt IN (SELECT receipt FROM sale_operation WHERE operation = 'preauthorisation')");
    },
    /** Marks the newest sale of the batch that the gateway knows as due for another inquiry. */
    doubtNewest(batch: Batch): void {
      const { terminalId, batch: number } = batch;
      const values = [...receiptsOf(batch), terminalId, number];
      markChanged(
        `receipt = (SELECT receipt FROM book_line WHERE receipt BETWEEN ? AND ? AND terminal_id = ? AND batch = ?
         AND by_terminal = 0 ORDER BY receipt DESC LIMIT 1)`,
        ...values,
      );
    },
    /** Marks these sales as agreeing, unless they changed after this entry. */
    agree(rows: readonly AuditRow[], entry: number): void {
      if (rows.length === 0) return;
      sql.atomically(() => {
        for (const { sale, till } of rows)
          sql.run(
            'UPDATE book_line SET agreed = 1, told = ? WHERE receipt = ? AND sale = ? AND changed <= ?',
            till.minor,
            sale.intent.receipt,
            sale.intent.sale,
            entry,
          );
      });
    },
    agreed: (batch: Batch): AgreedTotal[] =>
      sql
        .all(
          `SELECT line ->> '$.brand' AS brand, line ->> '$.currency' AS currency, sum(told) AS told FROM book_line
           WHERE receipt BETWEEN ? AND ? AND terminal_id = ? AND batch = ? AND agreed = 1 GROUP BY 1, 2`,
          ...receiptsOf(batch),
          batch.terminalId,
          batch.batch,
        )
        .map(({ brand, currency, told: agreedMinor }) => ({
          brand: String(brand),
          currency: String(currency),
          minor: BigInt(Number(agreedMinor)),
        })),
    ...uncompared(sql),
  };
};

/** Sales that have not agreed since their last change, oldest first, without those of a terminal of its own. */
const uncompared = (sql: Sql) => {
  const ids = (statement: string, ...values: (string | number)[]): string[] =>
    sql.all(statement, ...values).map(({ sale }) => String(sale));
  return {
    rest: ({ terminalId, batch }: Batch): string[] =>
      ids(
        `SELECT sale FROM book_line WHERE terminal_id = ? AND batch = ? AND agreed = 0 AND by_terminal = 0
         ORDER BY receipt`,
        terminalId,
        batch,
      ),
    /** Up to `most` finished sales of the batch, in any order. */
    due: ({ terminalId, batch }: Batch, most: number): string[] =>
      ids(
        `SELECT sale FROM book_line WHERE terminal_id = ? AND batch = ? AND agreed = 0 AND by_terminal = 0
         AND open = 0 LIMIT ?`,
        terminalId,
        batch,
        most,
      ),
    /** Pre-authorisations of the terminal's other batches that began at `from` or later. */
    holds: ({ terminalId, batch }: Batch, from: number): string[] =>
      ids(
        `SELECT l.sale FROM sale_operation o JOIN book_line l ON l.receipt = o.receipt
         WHERE o.operation = 'preauthorisation' AND o.at >= ? AND l.terminal_id = ? AND l.batch <> ?
         AND l.agreed = 0 AND l.by_terminal = 0 ORDER BY l.receipt`,
        from,
        terminalId,
        batch,
      ),
  };
};

/**
 * Groups payments by the sale they concern; those of no sale here, including follow-ups of such payments, are separate.
 */
const sorted = (sql: Sql, payments: readonly ListedPayment[], saleOf: Map<string, string>) => {
  const own = payments.filter(({ saleId }) => isKnown(sql, saleId));
  for (const { payment, saleId = '' } of own) saleOf.set(payment, saleId);
  const saleAbout = ({ payment, referencedId = '' }: ListedPayment): string | undefined =>
    saleOf.get(payment) ?? saleOf.get(referencedId) ?? saleOfPayment(sql, referencedId);
  const paymentsBySale = new Map<string, ListedPayment[]>();
  for (const one of payments) {
    const sale = saleAbout(one);
    if (sale !== undefined) paymentsBySale.set(sale, [...(paymentsBySale.get(sale) ?? []), one]);
  }
  const isOwn = new Set(own);
  return { about: paymentsBySale, strangers: payments.filter((one) => !isOwn.has(one)) };
};

/** A payment that is listed again replaces its earlier version. */
const addTo = (bySale: ListedSpan['bySale'], sale: string, group: readonly ListedPayment[]): void => {
  const listedAgain = new Set(group.map(({ payment }) => payment));
  bySale.set(sale, [...(bySale.get(sale) ?? []).filter(({ payment }) => !listedAgain.has(payment)), ...group]);
};

const keepUnknownPayment = (sql: Sql, one: ListedPayment): void => {
  if (one.terminalId !== undefined && isOwnTerminal(sql, one.terminalId))
    sql.run(
      'INSERT OR REPLACE INTO gateway_stranger (payment, terminal_id, body) VALUES (?, ?, ?)',
      one.payment,
      one.terminalId,
      textOf(one),
    );
};

const isKnown = (sql: Sql, sale: string | undefined): sale is string =>
  sale !== undefined && sql.get('SELECT 1 FROM sale WHERE sale = ?', sale) !== undefined;

const isOwnTerminal = (sql: Sql, terminalId: string): boolean =>
  sql.get('SELECT 1 FROM book_batch WHERE terminal_id = ? LIMIT 1', terminalId) !== undefined;

const saleOfPayment = (sql: Sql, payment: string): string | undefined => {
  const row =
    payment === ''
      ? undefined
      : sql.get("SELECT sale FROM sale_search WHERE payment = ? AND payment <> ''", payment.toLowerCase());
  return row && String(row['sale']);
};

const lineOf = (sql: Sql, sale: string): { receipt: number; began: number } => {
  const row = sql.get(
    'SELECT l.receipt, l.began FROM sale s JOIN book_line l ON l.receipt = s.receipt WHERE s.sale = ?',
    sale,
  );
  return { receipt: Number(row?.['receipt'] ?? 0), began: Number(row?.['began'] ?? 0) };
};

const newestOf = (payments: readonly ListedPayment[]): LastListed | undefined =>
  payments.reduce<LastListed | undefined>((newest, { payment, timestamp }) => {
    const at = gatewayTime(timestamp);
    return at === undefined || (newest !== undefined && newest.at >= at) ? newest : { at, payment };
  }, undefined);

/** As JSON, with minor units as digits. */
const textOf = ({ amount, ...one }: ListedPayment): string =>
  JSON.stringify({ ...one, amount: amount && { ...amount, minor: String(amount.minor) } });

const unknownPaymentIn = (text: string): ListedPayment => {
  const { amount, ...one } = JSON.parse(text) as Omit<ListedPayment, 'amount'> & {
    amount?: { minor: string; currency: string };
  };
  return { ...one, amount: amount && { ...amount, minor: BigInt(amount.minor) } };
};
