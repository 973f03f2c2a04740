/** What the gateway told: up to where it was listed, payments of nobody here, and which lines of the books agree. */
import type { Sql } from '../journal/sql.ts';
import type { Batch } from '../reconciliation/batches.ts';
import { gatewayTime } from '../till/gateway/learned.ts';
import type { AuditRow } from './audit.ts';
import type { ListedPayment } from './gateway-listing.ts';

const schema = `CREATE TABLE IF NOT EXISTS gateway_stranger (payment TEXT PRIMARY KEY, terminal_id TEXT NOT NULL,
  body TEXT NOT NULL) STRICT`;

/** What till and gateway have of one brand, of sales that were compared before: minor units. */
export type Agreed = { readonly brand: string; readonly currency: string; readonly minor: bigint };

/** The newest payment of the last list: the next one has to show it again. */
export type LastListed = { readonly at: number; readonly payment: string };

/** A list and what came since, in memory. */
export type ListedSpan = {
  /** Sales that were begun after this entry are in it whole; none where it is undefined. */
  readonly whole: number | undefined;
  /** Its payments, as `markOf` has them. */
  readonly marks: Set<string>;
  /** The payments of each sale that it has whole. */
  readonly bySale: Map<string, readonly ListedPayment[]>;
  /** Which sale each payment is about. */
  readonly saleOf: Map<string, string>;
};

/** `seen`: what was listed before, as `markOf` has it. */
type Taken = { span: ListedSpan; seen: ReadonlySet<string> };

/** A payment and what is said of it. */
export const markOf = ({ payment, code, amount }: ListedPayment): string => `${payment} ${code} ${amount?.minor ?? ''}`;

/** Lists of this gateway, and what they told of sales and of nobody here. */
export const keptLists = (sql: Sql, gateway: string) => {
  sql.run(schema);
  const lines = keptLines(sql);

  const take = (payments: readonly ListedPayment[], { span, seen }: Taken): LastListed | undefined => {
    const { about, strangers } = sorted(sql, payments, span.saleOf);
    for (const one of strangers) keepUnknownPayment(sql, one);
    for (const [sale, some] of about) {
      const { receipt, began } = lineOf(sql, sale);
      if (span.whole !== undefined && began > span.whole) addTo(span.bySale, sale, some);
      if (some.some((one) => !seen.has(markOf(one)))) lines.doubt(receipt);
    }
    for (const one of payments) span.marks.add(markOf(one));
    return newestOf(payments);
  };

  return {
    /** Undefined where this gateway was not listed yet, or another one since. */
    last(): LastListed | undefined {
      const row = sql.get('SELECT gateway, at, payment FROM gateway_listed ORDER BY entry DESC LIMIT 1');
      if (row === undefined || row['gateway'] !== gateway) return undefined;
      return { at: Number(row['at']), payment: String(row['payment']) };
    },
    /** Sales begun after this entry have no payment before `at`, the gateway's time; undefined where nothing tells. */
    wholeSince(at: number): number | undefined {
      const entry = sql.get('SELECT min(entry) AS n FROM gateway_listed WHERE at >= ?', at)?.['n'] ?? null;
      return entry === null ? undefined : Number(entry);
    },
    /** Nothing that was told counts any more. */
    forget: (batches: readonly Batch[]): void =>
      sql.atomically(() => {
        sql.run('DELETE FROM gateway_listed');
        sql.run('DELETE FROM gateway_stranger');
        for (const batch of batches) lines.doubtAll(batch);
      }),
    /** Adds payments to the span: what nobody has seen yet about a sale that agreed ends that. Gives the newest one. */
    take: (payments: readonly ListedPayment[], taken: Taken): LastListed | undefined =>
      sql.atomically(() => take(payments, taken)),
    /** The next list begins there. `entry`: entries of the journal after this one was answered. `since`: ms. */
    remember: ({ at, payment }: LastListed, { entry, since }: { entry: number; since: number }): void =>
      sql.atomically(() => {
        sql.run('DELETE FROM gateway_listed WHERE at < ?', since);
        const row = [entry, gateway, at, payment];
        sql.run('INSERT OR REPLACE INTO gateway_listed (entry, gateway, at, payment) VALUES (?, ?, ?, ?)', ...row);
      }),
    /** Payments under this terminal's id that belong to no sale of the journal. */
    strangers: (terminalId: string): ListedPayment[] =>
      sql
        .all('SELECT body FROM gateway_stranger WHERE terminal_id = ? ORDER BY rowid', terminalId)
        .map(({ body }) => unknownPaymentIn(String(body)))
        .filter(({ saleId }) => !isKnown(sql, saleId)),
  };
};

/** Which lines of the books agree with the gateway. */
export const keptLines = (sql: Sql) => {
  const receiptsOf = ({ terminalId, batch }: Batch): [first: number, last: number] => {
    const row = sql.get('SELECT first, last FROM book_batch WHERE terminal_id = ? AND batch = ?', terminalId, batch);
    return [Number(row?.['first'] ?? 1), Number(row?.['last'] ?? 0)];
  };
  const doubt = (where: string, ...values: (string | number)[]): void =>
    sql.run(`UPDATE book_line SET agreed = 0 WHERE agreed = 1 AND ${where}`, ...values);

  return {
    doubt: (receipt: number): void => doubt('receipt = ?', receipt),
    /** Those of the batch, and all holds. */
    doubtAll(batch: Batch): void {
      const { terminalId, batch: number } = batch;
      doubt('receipt BETWEEN ? AND ? AND terminal_id = ? AND batch = ?', ...receiptsOf(batch), terminalId, number);
      doubt("receipt IN (SELECT receipt FROM sale_operation WHERE operation = 'preauthorisation')");
    },
    /** The newest sale of the batch, of those that the gateway knows. */
    doubtNewest(batch: Batch): void {
      const { terminalId, batch: number } = batch;
      const values = [...receiptsOf(batch), terminalId, number];
      doubt(
        `receipt = (SELECT receipt FROM book_line WHERE receipt BETWEEN ? AND ? AND terminal_id = ? AND batch = ?
         AND by_terminal = 0 ORDER BY receipt DESC LIMIT 1)`,
        ...values,
      );
    },
    /** These agree: unless they changed after this entry. */
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
    agreed: (batch: Batch): Agreed[] =>
      sql
        .all(
          `SELECT line ->> '$.brand' AS brand, line ->> '$.currency' AS currency, sum(told) AS told FROM book_line
           WHERE receipt BETWEEN ? AND ? AND terminal_id = ? AND batch = ? AND agreed = 1 GROUP BY 1, 2`,
          ...receiptsOf(batch),
          batch.terminalId,
          batch.batch,
        )
        .map(({ brand, currency, told }) => ({
          brand: String(brand),
          currency: String(currency),
          minor: BigInt(Number(told)),
        })),
    ...uncompared(sql),
  };
};

/** Sales that did not agree since they changed, oldest first; a terminal's own are none. */
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
    /** Those that are at their end, in whatever order: at most so many. */
    due: ({ terminalId, batch }: Batch, most: number): string[] =>
      ids(
        `SELECT sale FROM book_line WHERE terminal_id = ? AND batch = ? AND agreed = 0 AND by_terminal = 0
         AND open = 0 LIMIT ?`,
        terminalId,
        batch,
        most,
      ),
    /** Pre-authorisations of the terminal's other batches, begun at `from` or later. */
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

/** Payments by the sale that they are about, and those that are of no sale here, of which some follow one. */
const sorted = (sql: Sql, payments: readonly ListedPayment[], saleOf: Map<string, string>) => {
  const own = payments.filter(({ saleId }) => isKnown(sql, saleId));
  for (const { payment, saleId = '' } of own) saleOf.set(payment, saleId);
  const saleAbout = ({ payment, referencedId = '' }: ListedPayment): string | undefined =>
    saleOf.get(payment) ?? saleOf.get(referencedId) ?? saleOfPayment(sql, referencedId);
  const about = new Map<string, ListedPayment[]>();
  for (const one of payments) {
    const sale = saleAbout(one);
    if (sale !== undefined) about.set(sale, [...(about.get(sale) ?? []), one]);
  }
  const isOwn = new Set(own);
  return { about, strangers: payments.filter((one) => !isOwn.has(one)) };
};

/** A payment that is told of again stands there as it was told last. */
const addTo = (bySale: ListedSpan['bySale'], sale: string, some: readonly ListedPayment[]): void => {
  const again = new Set(some.map(({ payment }) => payment));
  bySale.set(sale, [...(bySale.get(sale) ?? []).filter(({ payment }) => !again.has(payment)), ...some]);
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

/** Minor units are digits in JSON. */
const textOf = ({ amount, ...one }: ListedPayment): string =>
  JSON.stringify({ ...one, amount: amount && { ...amount, minor: String(amount.minor) } });

const unknownPaymentIn = (text: string): ListedPayment => {
  const { amount, ...one } = JSON.parse(text) as Omit<ListedPayment, 'amount'> & {
    amount?: { minor: string; currency: string };
  };
  return { ...one, amount: amount && { ...amount, minor: BigInt(amount.minor) } };
};
