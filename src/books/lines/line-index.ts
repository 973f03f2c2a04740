/**
 * A line for each sale, and the sums of each batch, updated with each step of a sale in its own transaction. Reports,
 * lists and tables read these, and replay only sales in progress.
 */
import type { Sql, SqlRow } from '../../journal/sql.ts';
import type { LedgerIndex } from '../../ledger/ledger-index.ts';
import type { Batch } from '../../reconciliation/batches.ts';
import { type OpenMoney, openMoneyOf } from '../../reconciliation/open-money.ts';
import { type BookLine, type LineSum, type ReceiptRange, sumOfLine } from '../../reconciliation/report.ts';
import { type Buckets, buckets, countsAtParent, intentMoneyOf } from '../../reconciliation/whereabouts.ts';
import { eventIn } from '../../till/machine/event-text.ts';
import { replay, type Sale } from '../../till/machine/sale.ts';
import { addLine, type BatchKey, type LineTotal, readSums, readTotals, removeLine, sumsSchema } from './line-sums.ts';
import { bookLine, brandOf, entryModeOf, type SaleCells, saleCells } from './lines.ts';

/**
 * `open`: 0 for a finished line, 1 for one whose money is open, 2 for a sale in progress, whose line and cells are
 * empty. `changed`: the last entry of the sale, or of an operation that follows it. `agreed`: the gateway has confirmed
 * the sale since then, with the amount `told` in minor units.
 */
const schema = [
  `CREATE TABLE IF NOT EXISTS book_line (receipt INTEGER PRIMARY KEY, sale TEXT NOT NULL, terminal_id TEXT NOT NULL,
   batch INTEGER NOT NULL, by_terminal INTEGER NOT NULL, began INTEGER NOT NULL, changed INTEGER NOT NULL,
   open INTEGER NOT NULL, agreed INTEGER NOT NULL DEFAULT 0, told INTEGER, line TEXT NOT NULL, cells TEXT NOT NULL)
   STRICT`,
  'CREATE INDEX IF NOT EXISTS book_line_open ON book_line (terminal_id, batch, open) WHERE open > 0',
  `CREATE INDEX IF NOT EXISTS book_line_uncompared ON book_line (terminal_id, batch)
   WHERE agreed = 0 AND by_terminal = 0`,
  `CREATE TABLE IF NOT EXISTS book_batch (terminal_id TEXT NOT NULL, batch INTEGER NOT NULL, first INTEGER NOT NULL,
   last INTEGER NOT NULL, PRIMARY KEY (terminal_id, batch)) STRICT, WITHOUT ROWID`,
  // `entry`: the number of journal entries after the gateway's payments were listed. `at`: the time of its newest
  // payment, ms.
  `CREATE TABLE IF NOT EXISTS gateway_listed (entry INTEGER PRIMARY KEY, gateway TEXT NOT NULL, at INTEGER NOT NULL,
   payment TEXT NOT NULL) STRICT`,
  sumsSchema,
];

const UNDER_WAY = 2;

export const lineVersion = 'line-1';

export const lineIndex = (sql: Sql, { batches }: { batches(): readonly Batch[] }): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  const batchAt = batchesByEntry(batches);
  return {
    version: lineVersion,
    isWhole: (sales) => Number(sql.get('SELECT count(*) AS n FROM book_line')?.['n']) === sales,
    clear() {
      for (const table of ['book_line', 'book_batch', 'book_sum']) sql.run(`DELETE FROM ${table}`);
      // When no line agrees, the gateway's payments are listed from the beginning.
      sql.run('DELETE FROM gateway_listed');
    },
    apply({ entry, before, after }) {
      if (before === undefined) begin(sql, after, { batch: batchAt(after.intent.terminalId, entry), entry });
      if (after.at === 'ended' || before?.at === 'ended') writeLine(sql, after, entry);
      if (before !== undefined && !isSameCard(before, after)) putFollowers(sql, after, entry);
      const parent = after.intent.follows && saleIn(sql, after.intent.follows.sale);
      if (parent === undefined) return;
      if (before === undefined || !isSameMoney(before, after)) writeLine(sql, parent, entry);
      else markChanged(sql, parent, entry);
    },
  };
};

const begin = (sql: Sql, { intent }: Sale, { batch, entry }: { batch: number; entry: number }): void => {
  const { receipt, sale, terminalId, by } = intent;
  const row = [receipt, sale, terminalId, batch, Number(by === 'terminal'), entry, entry, UNDER_WAY];
  sql.run(
    `INSERT INTO book_line (receipt, sale, terminal_id, batch, by_terminal, began, changed, open, line, cells)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', '')`,
    ...row,
  );
  const newRow = [terminalId, batch, receipt, receipt];
  sql.run(
    `INSERT INTO book_batch (terminal_id, batch, first, last) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`,
    ...newRow,
  );
};

/** Writes the line of a sale in its present state, and moves the sums by the difference. */
const writeLine = (sql: Sql, sale: Sale, entry: number): void => {
  const { receipt, sale: id } = sale.intent;
  const row = rowOf(sql, receipt, id);
  if (row === undefined || (sale.at !== 'ended' && row.line === '')) return;
  const line = sale.at === 'ended' ? currentLine(sql, sale) : undefined;
  const text = line === undefined ? '' : textOf(line);
  if (text !== row.line) {
    if (row.line !== '') removeLine(sql, row, lineIn(row.line));
    if (line !== undefined) addLine(sql, row, line);
  }
  const cells = line === undefined ? '' : JSON.stringify(saleCells(sale, originOf(sql, sale)));
  const open = line === undefined ? UNDER_WAY : Number(line.open !== undefined);
  const values = [text, cells, open, entry, receipt];
  sql.run('UPDATE book_line SET line = ?, cells = ?, open = ?, changed = ?, agreed = 0 WHERE receipt = ?', ...values);
};

/** Operations that follow a sale use its card. */
const putFollowers = (sql: Sql, { intent }: Sale, entry: number): void => {
  for (const follower of followersIn(sql, intent.sale)) {
    writeLine(sql, follower, entry);
    putFollowers(sql, follower, entry);
  }
};

const isSameCard = (one: Sale, other: Sale): boolean =>
  brandOf(one) === brandOf(other) && entryModeOf(one) === entryModeOf(other);

const isSameMoney = (one: Sale, other: Sale): boolean => {
  const [was, is] = [intentMoneyOf(one), intentMoneyOf(other)];
  return was.place === is.place && was.intended === is.intended && was.approved === is.approved;
};

/** Whatever the gateway said of the sale is out of date now. */
const markChanged = (sql: Sql, { intent: { receipt, sale } }: Sale, entry: number): void =>
  sql.run('UPDATE book_line SET changed = ?, agreed = 0 WHERE receipt = ? AND sale = ?', entry, receipt, sale);

type Row = BatchKey & { readonly line: string };

const rowOf = (sql: Sql, receipt: number, sale: string): Row | undefined => {
  const row = sql.get('SELECT terminal_id, batch, line FROM book_line WHERE receipt = ? AND sale = ?', receipt, sale);
  return row && { ...batchIn(row), line: String(row['line']) };
};

const batchIn = (row: SqlRow): BatchKey => ({ terminalId: String(row['terminal_id']), batch: Number(row['batch']) });

/** A sale read from its entries. Undefined when it is not in this journal. */
export const saleIn = (sql: Sql, sale: string): Sale | undefined =>
  replay(
    sql.all('SELECT body FROM entry WHERE subject = ? ORDER BY entry', sale).map(({ body }) => eventIn(String(body))),
  );

const followersIn = (sql: Sql, sale: string): Sale[] =>
  sql
    .all('SELECT sale FROM sale WHERE refunds = ? ORDER BY receipt', sale)
    .flatMap((row) => saleIn(sql, String(row['sale'])) ?? []);

/** The first sale of the chain that this one belongs to. Undefined for a sale that follows none. */
export const originOf = (sql: Sql, { intent: { follows } }: Sale): Sale | undefined => {
  const parent = follows && saleIn(sql, follows.sale);
  return parent && (originOf(sql, parent) ?? parent);
};

/** The line of a sale from its entries. Increments count at a pre-authorisation of the same batch. */
export const currentLine = (sql: Sql, sale: Sale): BookLine => {
  const { intent } = sale;
  const ownRow = rowOf(sql, intent.receipt, intent.sale);
  const isHere = ({ intent: other }: Pick<Sale, 'intent'>): boolean => {
    const row = rowOf(sql, other.receipt, other.sale);
    return row !== undefined && row.terminalId === ownRow?.terminalId && row.batch === ownRow.batch;
  };
  const isIncrement = countsAtParent(intent.operation);
  const parent = intent.follows && saleIn(sql, intent.follows.sale);
  return bookLine(sale, {
    parent,
    origin: parent && originOf(sql, sale),
    followers: followersIn(sql, intent.sale).filter((one) => !countsAtParent(one.intent.operation) || isHere(one)),
    isCountedThere: isIncrement && parent !== undefined && isHere(parent),
  });
};

/** Finds the batch of the sale that began with an entry: 0 for none. */
const batchesByEntry = (batches: () => readonly Batch[]) => {
  let known: readonly Batch[] | undefined;
  let byTerminal = new Map<string, Batch[]>();
  return (terminalId: string, entry: number): number => {
    const all = batches();
    if (all !== known) byTerminal = Map.groupBy(all, (batch) => batch.terminalId);
    known = all;
    const ownRow = byTerminal.get(terminalId);
    // Sales from before there were batches belong to the first one.
    if (ownRow === undefined) return 1;
    return ownRow.findLast(({ from, until }) => from < entry && (until === undefined || entry < until))?.batch ?? 0;
  };
};

type StoredLine = Omit<BookLine, 'asked' | 'moved' | 'tip' | 'intended' | 'beyond' | 'buckets'> & {
  readonly sums: readonly string[];
  readonly buckets: Readonly<Record<string, string>>;
};

/** As JSON: amounts as digits, and only the buckets that hold something. */
export const textOf = ({ asked, moved, tip, intended, beyond, buckets: held, ...line }: BookLine): string =>
  JSON.stringify({
    ...line,
    sums: [asked, moved, tip, intended, beyond].map(String),
    buckets: Object.fromEntries(buckets.flatMap((name) => (held[name] === 0n ? [] : [[name, String(held[name])]]))),
  } satisfies StoredLine);

export const lineIn = (text: string): BookLine => {
  const { sums, buckets: held, ...line } = JSON.parse(text) as StoredLine;
  const [asked = 0n, moved = 0n, tip = 0n, intended = 0n, beyond = 0n] = sums.map(BigInt);
  const all = Object.fromEntries(buckets.map((name) => [name, BigInt(held[name] ?? 0)])) as Buckets;
  return { ...line, asked, moved, tip, intended, beyond, buckets: all };
};

export const cellsIn = (text: string): SaleCells => JSON.parse(text) as SaleCells;

// How the books read a batch: stored sums and lines, and the entries of sales in progress.

export interface BatchLines {
  /** All lines of the batch, added up. */
  sums(batch: Batch): LineSum[];
  /** The same by currency only. */
  totals(batch: Batch): LineTotal[];
  /** Undefined for a batch without sales. */
  receipts(batch: Batch): ReceiptRange | undefined;
  /** In receipt order. */
  open(batch: Batch): OpenMoney[];
  /** Every line in receipt order, read a page at a time for tables. */
  each(batch: Batch): Generator<BookLine>;
  has(batch: Batch, receipt: number): boolean;
  /** The currency of the first sale that a terminal authorised by itself. Undefined if there is none. */
  currencyAtTerminal(batch: Batch): string | undefined;
}

/** Lines read at a time: nothing can be written while a query is in progress. */
const PAGE = 500;

export const batchLines = (sql: Sql): BatchLines => {
  const underWay = ({ terminalId, batch }: Batch): BookLine[] =>
    sql
      .all(
        // The index is named because the planner prefers the table's order, which reads every line of the journal.
        `SELECT sale FROM book_line INDEXED BY book_line_open
         WHERE terminal_id = ? AND batch = ? AND open > 0 AND open = ${UNDER_WAY} ORDER BY receipt`,
        terminalId,
        batch,
      )
      .flatMap(({ sale }) => lineOf(sql, String(sale)));

  const receipts = ({ terminalId, batch }: Batch): ReceiptRange | undefined => {
    const row = sql.get('SELECT first, last FROM book_batch WHERE terminal_id = ? AND batch = ?', terminalId, batch);
    return row && { first: Number(row['first']), last: Number(row['last']) };
  };

  return {
    sums: (batch) => [...readSums(sql, batch), ...underWay(batch).map(sumOfLine)],
    totals: (batch) => [...readTotals(sql, batch), ...underWay(batch).map(sumOfLine)],
    receipts,
    open: ({ terminalId, batch }) =>
      openMoneyOf(
        sql
          .all(
            'SELECT sale, line FROM book_line WHERE terminal_id = ? AND batch = ? AND open > 0 ORDER BY receipt',
            terminalId,
            batch,
          )
          .flatMap((row) => lineAt(sql, row)),
      ),
    *each(batch) {
      const { first = 1, last = 0 } = receipts(batch) ?? {};
      for (let from = first; ; ) {
        const values = [from, last, batch.terminalId, batch.batch];
        const page = sql.all(
          `SELECT receipt, sale, line FROM book_line
           WHERE receipt >= ? AND receipt <= ? AND terminal_id = ? AND batch = ? ORDER BY receipt LIMIT ${PAGE}`,
          ...values,
        );
        for (const row of page) yield* lineAt(sql, row);
        if (page.length < PAGE) return;
        from = Number(page.at(-1)?.['receipt']) + 1;
      }
    },
    has: ({ terminalId, batch }, receipt) =>
      sql.get(
        'SELECT 1 FROM book_line WHERE receipt = ? AND terminal_id = ? AND batch = ?',
        receipt,
        terminalId,
        batch,
      ) !== undefined,
    currencyAtTerminal(batch) {
      const { first = 1, last = 0 } = receipts(batch) ?? {};
      const values = [first, last, batch.terminalId, batch.batch];
      const row = sql.get(
        `SELECT sale FROM book_line WHERE receipt BETWEEN ? AND ? AND terminal_id = ? AND batch = ? AND by_terminal = 1
         ORDER BY receipt LIMIT 1`,
        ...values,
      );
      return row && saleIn(sql, String(row['sale']))?.intent.amount.currency;
    },
  };
};

const lineAt = (sql: Sql, { sale, line }: Readonly<Record<string, unknown>>): BookLine[] =>
  line === '' ? lineOf(sql, String(sale)) : [lineIn(String(line))];

const lineOf = (sql: Sql, id: string): BookLine[] => {
  const sale = saleIn(sql, id);
  return sale === undefined ? [] : [currentLine(sql, sale)];
};
