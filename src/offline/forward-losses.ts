/**
 * Sales whose goods have left, and which were then declined, approved for less, or never sent: they are unpaid until
 * they were charged again, or a person has ended them.
 */
import type { Sql } from '../journal/sql.ts';
import type { Change, LedgerIndex } from '../ledger/ledger-index.ts';
import { followersInJournal, saleInJournal } from '../ledger/operation-index.ts';
import type { EndedSale } from '../till/machine/states.ts';
import { type SaleSource, unpaidAmong } from './unpaid.ts';

const schema = [
  'CREATE TABLE IF NOT EXISTS forward_loss (sale TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT',
  'CREATE INDEX IF NOT EXISTS forward_loss_at ON forward_loss (at)',
  // Sales that ask for the money of an unpaid one once more, and unpaid ones that are not at their end.
  'CREATE TABLE IF NOT EXISTS unpaid_try (sale TEXT PRIMARY KEY, unpaid TEXT NOT NULL) STRICT',
  'CREATE INDEX IF NOT EXISTS unpaid_try_unpaid ON unpaid_try (unpaid)',
  'CREATE TABLE IF NOT EXISTS unpaid_open (sale TEXT PRIMARY KEY) STRICT',
];

export const forwardLosses = (sql: Sql): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'loss-4',
    // Few sales are in it: how many, only the journal knows.
    isWhole: () => true,
    clear() {
      for (const table of ['forward_loss', 'unpaid_try', 'unpaid_open']) sql.run(`DELETE FROM ${table}`);
    },
    moved(change) {
      const { event, at, after } = change;
      const { sale, chargesAgain } = after.intent;
      if (isLoss(change)) sql.run('INSERT OR REPLACE INTO forward_loss (sale, at) VALUES (?, ?)', sale, at);
      if (event.on === 'intended' && chargesAgain !== undefined)
        sql.run('INSERT OR REPLACE INTO unpaid_try (sale, unpaid) VALUES (?, ?)', sale, chargesAgain.sale);
      const unpaid = unpaidTouchedBy(sql, change);
      if (unpaid !== undefined) noteWhetherOpen(sql, unpaid);
    },
  };
};

/** The unpaid sale that this may have opened or ended; undefined for nearly every change. */
const unpaidTouchedBy = (sql: Sql, { before, after }: Change): string | undefined => {
  const { sale, chargesAgain, follows } = after.intent;
  if (chargesAgain !== undefined) return chargesAgain.sale;
  // What is unpaid had ended before.
  if (before?.at === 'ended' && sql.get('SELECT 1 FROM forward_loss WHERE sale = ?', sale) !== undefined) return sale;
  const tried = follows && sql.get('SELECT unpaid FROM unpaid_try WHERE sale = ?', follows.sale);
  return tried && String(tried['unpaid']);
};

/** By the entries, which stand already: this one's among them. */
const noteWhetherOpen = (sql: Sql, id: string): void => {
  const source: SaleSource = {
    saleOf: (one) => saleInJournal(sql, one),
    followersOf: (one) => followersInJournal(sql, one),
    triesOf: (one) => triesOf(sql, one),
  };
  const sale = saleInJournal(sql, id);
  const state = sale && unpaidAmong(source, sale)?.state;
  if (state === 'open' || state === 'charging') sql.run('INSERT OR REPLACE INTO unpaid_open (sale) VALUES (?)', id);
  else sql.run('DELETE FROM unpaid_open WHERE sale = ?', id);
};

/** Ids of the sales that ask for its money once more, oldest first. */
export const triesOf = (sql: Sql, sale: string): string[] =>
  sql
    .all('SELECT t.sale FROM unpaid_try t JOIN sale s ON s.sale = t.sale WHERE t.unpaid = ? ORDER BY s.receipt', sale)
    .map((row) => String(row['sale']));

const isLoss = ({ event, before, after }: Change): boolean =>
  before !== after &&
  after.at === 'ended' &&
  after.intent.chargesAgain === undefined &&
  (after.reason === 'cardDataExpired' ||
    (event.on === 'forwarded' && hasLoss(after)) ||
    (event.on === 'personSaid' && after.goodsLeft === true));

const hasLoss = ({ offline, forwarded }: EndedSale): boolean =>
  offline !== undefined && offline !== 'stored' && (forwarded?.approved === false || isShort(forwarded?.answer));

const isShort = (answer: { approved?: unknown } | undefined): boolean => answer?.approved !== undefined;

/** Ids of unpaid sales that nobody has paid or ended, in the order in which it was learnt. */
export const openLosses = (sql: Sql): string[] =>
  sql
    // From those that are open, which are few: a shop may have had many.
    .all('SELECT l.sale FROM unpaid_open o CROSS JOIN forward_loss l ON l.sale = o.sale ORDER BY l.at, l.rowid')
    .map(({ sale }) => String(sale));

/** The same of one terminal. */
export const openLossesAt = (sql: Sql, terminalId: string): string[] =>
  sql
    .all(
      `SELECT l.sale FROM unpaid_open o CROSS JOIN forward_loss l ON l.sale = o.sale
       CROSS JOIN sale s ON s.sale = o.sale WHERE s.terminal_id = ? ORDER BY l.at, l.rowid`,
      terminalId,
    )
    .map(({ sale }) => String(sale));

/** Ids of all that were ever unpaid at one terminal, in the same order. */
export const lossesAt = (sql: Sql, terminalId: string): string[] =>
  sql
    .all(
      `SELECT l.sale FROM forward_loss l CROSS JOIN sale s ON s.sale = l.sale WHERE s.terminal_id = ?
       ORDER BY l.at, l.rowid`,
      terminalId,
    )
    .map(({ sale }) => String(sale));
