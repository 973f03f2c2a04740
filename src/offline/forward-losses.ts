/**
 * Sales whose goods have left the shop and which were then declined, approved for less, or never sent. They are unpaid
 * until they are charged again or a person closes them.
 */
import type { Sql } from '../journal/sql.ts';
import type { Change, LedgerIndex } from '../ledger/ledger-index.ts';
import { followersInJournal, saleInJournal } from '../ledger/operation-index.ts';
import type { EndedSale } from '../till/machine/states.ts';
import { type SaleSource, unpaidAmong } from './unpaid.ts';

const schema = [
  'CREATE TABLE IF NOT EXISTS forward_loss (sale TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT',
  'CREATE INDEX IF NOT EXISTS forward_loss_at ON forward_loss (at)',
  // `unpaid_try`: sales that charge an unpaid sale again. `unpaid_open`: unpaid sales that are not settled.
  'CREATE TABLE IF NOT EXISTS unpaid_try (sale TEXT PRIMARY KEY, unpaid TEXT NOT NULL) STRICT',
  'CREATE INDEX IF NOT EXISTS unpaid_try_unpaid ON unpaid_try (unpaid)',
  'CREATE TABLE IF NOT EXISTS unpaid_open (sale TEXT PRIMARY KEY) STRICT',
];

export const forwardLosses = (sql: Sql): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'loss-4',
    // Always whole: the table holds only some sales, and only the journal shows which.
    isWhole: () => true,
    clear() {
      for (const table of ['forward_loss', 'unpaid_try', 'unpaid_open']) sql.run(`DELETE FROM ${table}`);
    },
    apply(change) {
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

/** The unpaid sale that this change may have opened or settled. Undefined for nearly every change. */
const unpaidTouchedBy = (sql: Sql, { before, after }: Change): string | undefined => {
  const { sale, chargesAgain, follows } = after.intent;
  if (chargesAgain !== undefined) return chargesAgain.sale;
  // An unpaid sale had already ended before this change.
  if (before?.at === 'ended' && sql.get('SELECT 1 FROM forward_loss WHERE sale = ?', sale) !== undefined) return sale;
  const tried = follows && sql.get('SELECT unpaid FROM unpaid_try WHERE sale = ?', follows.sale);
  return tried && String(tried['unpaid']);
};

/** Decides by the journal entries, which already include this change. */
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

/** Ids of the sales that charge it again, oldest first. */
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

/** Ids of the unpaid sales that nobody has paid or closed, in the order in which the till learned of them. */
export const openLosses = (sql: Sql): string[] =>
  sql
    // Starts from the open ones, which are few: a shop may have had many in the past.
    .all('SELECT l.sale FROM unpaid_open o CROSS JOIN forward_loss l ON l.sale = o.sale ORDER BY l.at, l.rowid')
    .map(({ sale }) => String(sale));

export const openLossesAt = (sql: Sql, terminalId: string): string[] =>
  sql
    .all(
      `SELECT l.sale FROM unpaid_open o CROSS JOIN forward_loss l ON l.sale = o.sale
       CROSS JOIN sale s ON s.sale = o.sale WHERE s.terminal_id = ? ORDER BY l.at, l.rowid`,
      terminalId,
    )
    .map(({ sale }) => String(sale));

/** Ids of all sales that were ever unpaid at one terminal, in the same order. */
export const lossesAt = (sql: Sql, terminalId: string): string[] =>
  sql
    .all(
      `SELECT l.sale FROM forward_loss l CROSS JOIN sale s ON s.sale = l.sale WHERE s.terminal_id = ?
       ORDER BY l.at, l.rowid`,
      terminalId,
    )
    .map(({ sale }) => String(sale));
