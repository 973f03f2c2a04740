/** Sales whose goods have left, and which were then declined, approved for less, or never sent: for a manager. */
import type { Sql } from '../journal/sql.ts';
import type { EndedSale } from '../till/sale.ts';
import type { Change, LedgerIndex } from './ledger-index.ts';

const schema = [
  'CREATE TABLE IF NOT EXISTS forward_loss (sale TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT',
  'CREATE INDEX IF NOT EXISTS forward_loss_at ON forward_loss (at)',
];

export const forwardLosses = (sql: Sql): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'loss-2',
    // Few sales are in it: how many, only the journal knows.
    isWhole: () => true,
    clear: () => sql.run('DELETE FROM forward_loss'),
    moved(change) {
      if (isLoss(change))
        sql.run('INSERT OR REPLACE INTO forward_loss (sale, at) VALUES (?, ?)', change.after.intent.sale, change.at);
    },
  };
};

const isLoss = ({ event, before, after }: Change): boolean =>
  before !== after &&
  after.at === 'ended' &&
  (after.reason === 'cardDataExpired' ||
    (event.on === 'forwarded' && hasLoss(after)) ||
    (event.on === 'personSaid' && !event.charged && isStoredSale(before)));

/** The goods have left, and only the bank's word was missing. */
const isStoredSale = (before: Change['before']): boolean =>
  before?.at === 'ended' &&
  before.offline !== undefined &&
  before.offline !== 'stored' &&
  before.forwarded === undefined;

const hasLoss = ({ offline, forwarded }: EndedSale): boolean =>
  offline !== undefined && offline !== 'stored' && (forwarded?.approved === false || isShort(forwarded?.answer));

const isShort = (answer: { approved?: unknown } | undefined): boolean => answer?.approved !== undefined;

/** Their ids, the oldest first, of what was learnt since then. */
export const lossesSince = (sql: Sql, since: number): string[] =>
  sql.all('SELECT sale FROM forward_loss WHERE at >= ? ORDER BY at', since).map(({ sale }) => String(sale));
