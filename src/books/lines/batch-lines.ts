/** What the books read of a batch: sums and lines as they were kept, and the sales under way by their entries. */
import type { Sql } from '../../journal/sql.ts';
import type { Batch } from '../../reconciliation/batches.ts';
import { type OpenMoney, openMoneyOf } from '../../reconciliation/open-money.ts';
import { type BookLine, type LineSum, type ReceiptRange, sumOfLine } from '../../reconciliation/report.ts';
import { lineIn, lineNow, saleIn, UNDER_WAY } from './line-index.ts';
import { type LineTotal, sumsKept, totalsKept } from './line-sums.ts';

export interface BatchLines {
  /** All lines of the batch, added up. */
  sums(batch: Batch): LineSum[];
  /** The same by currency alone. */
  totals(batch: Batch): LineTotal[];
  /** Undefined for a batch without a sale. */
  receipts(batch: Batch): ReceiptRange | undefined;
  /** In the order of their receipts. */
  open(batch: Batch): OpenMoney[];
  /** Every line, in the order of their receipts: read a page at a time, for tables. */
  each(batch: Batch): Generator<BookLine>;
  has(batch: Batch, receipt: number): boolean;
  /** That of the first sale that a terminal authorised by itself; undefined where there is none. */
  currencyAtTerminal(batch: Batch): string | undefined;
}

/** So many lines are read at once: nothing could be written while a query is under way. */
const PAGE = 500;

export const batchLines = (sql: Sql): BatchLines => {
  const underWay = ({ terminalId, batch }: Batch): BookLine[] =>
    sql
      .all(
        // Named, as the planner takes the order of the table for cheaper, and so reads every line of the journal.
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
    sums: (batch) => [...sumsKept(sql, batch), ...underWay(batch).map(sumOfLine)],
    totals: (batch) => [...totalsKept(sql, batch), ...underWay(batch).map(sumOfLine)],
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
  return sale === undefined ? [] : [lineNow(sql, sale)];
};
