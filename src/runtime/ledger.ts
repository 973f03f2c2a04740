/** The till's ledger over the real journal and queue: each event, its message and its numbers in one durable step. */
import type { Clock } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sql } from '../journal/sql.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { SaleEvent } from '../till/events.ts';
import type { Intent } from '../till/facts.ts';
import type { ForwardBody } from '../till/messages.ts';
import type { Exposure } from '../till/offline.ts';
import type { Ledger } from '../till/ports.ts';
import { begin, isOpen, next, replay, type Sale } from '../till/sale.ts';

export type FullLedger = Ledger & {
  /** Offline sales that the gateway has not answered. All are in the till's own currency. */
  exposure(): Exposure;
  /** Every sale, newest first, at most `most`. */
  sales(most: number): Sale[];
  all(): IterableIterator<Sale>;
};

/** An index over the journal, kept in the same transactions: to find a sale without reading all of them. */
const schema = [
  `CREATE TABLE IF NOT EXISTS sale (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL UNIQUE, terminal_id TEXT NOT NULL,
   sequence INTEGER NOT NULL, refunds TEXT, open INTEGER NOT NULL) STRICT`,
  'CREATE INDEX IF NOT EXISTS sale_open ON sale (receipt) WHERE open = 1',
  'CREATE INDEX IF NOT EXISTS sale_terminal ON sale (terminal_id, sequence)',
  'CREATE INDEX IF NOT EXISTS sale_refunds ON sale (refunds) WHERE refunds IS NOT NULL',
];

export const openLedger = (journal: Journal, outbox: Outbox, clock: Clock): FullLedger => {
  const { sql } = journal;
  for (const statement of schema) sql.run(statement);
  if (!isComplete(journal)) rebuild(journal);
  /** Open sales as they stand; the journal has the rest. */
  const standing = new Map<string, Sale>();

  const events = (sale: string): SaleEvent[] => journal.about(sale).map(({ body }) => eventIn(body));
  const after = (id: string, event: SaleEvent): Sale | undefined => {
    if (event.on === 'intended') return begin(event.intent).sale;
    const sale = standing.get(id) ?? replay(events(id));
    return sale === undefined ? undefined : (next(sale, event)?.sale ?? sale);
  };

  const write = (id: string, event: SaleEvent, also: () => void): void => {
    const sale = after(id, event);
    const open = sale !== undefined && isOpen(sale);
    // If the write fails nobody knows whether it stands: the next event reads the journal again.
    standing.delete(id);
    journal.write([{ subject: id, kind: event.on, body: textOf(event) }], () => {
      if (event.on === 'intended') insert(sql, event.intent);
      else if (!open) sql.run('UPDATE sale SET open = 0 WHERE sale = ?', id);
      also();
    });
    if (sale !== undefined && open) standing.set(id, sale);
  };

  const column = (name: string, statement: string, ...values: (string | number)[]): string[] =>
    sql.all(statement, ...values).map((row) => String(row[name]));

  const number = (statement: string, ...values: string[]): number => Number(sql.get(statement, ...values)?.['n'] ?? 0);

  const saleAt = (id: string): Sale[] => {
    const sale = replay(events(id));
    return sale === undefined ? [] : [sale];
  };

  return {
    record: (sale, event, message) =>
      write(sale, event, () => message && outbox.put({ id: message.key, ...message }, clock.now())),
    settle: (message, sale, event) => write(sale, event, () => outbox.settle(message)),
    events,
    saleOfReceipt: (receipt) => column('sale', 'SELECT sale FROM sale WHERE receipt = ?', receipt)[0],
    refundsOf: (sale) => column('sale', 'SELECT sale FROM sale WHERE refunds = ? ORDER BY receipt', sale),
    isQueued: (sale) => outbox.holds(sale),
    openSales: () => column('sale', 'SELECT sale FROM sale WHERE open = 1 ORDER BY receipt'),
    nextNumbers: (terminalId) => ({
      receipt: number('SELECT max(receipt) AS n FROM sale') + 1,
      sequence: number('SELECT max(sequence) AS n FROM sale WHERE terminal_id = ?', terminalId) + 1,
    }),
    exposure: () => exposureOf(outbox.bodies('forward')),
    sales: (most) => column('sale', 'SELECT sale FROM sale ORDER BY receipt DESC LIMIT ?', most).flatMap(saleAt),
    *all() {
      for (const id of column('sale', 'SELECT sale FROM sale ORDER BY receipt')) yield* saleAt(id);
    },
  };
};

const insert = (sql: Sql, { sale, receipt, terminalId, sequence, refunds }: Intent): void =>
  sql.run('INSERT INTO sale VALUES (?, ?, ?, ?, ?, 1)', sale, receipt, terminalId, sequence, refunds?.sale ?? null);

/** The journal is proved by its chain; its index is held against it. */
const isComplete = ({ sql }: Journal): boolean => {
  const began = sql.get("SELECT count(*) AS n FROM entry WHERE kind = 'intended'")?.['n'];
  return began === sql.get('SELECT count(*) AS n FROM sale')?.['n'];
};

/** Everything in the index stands in the journal. */
const rebuild = (journal: Journal): void => {
  const { sql } = journal;
  const bySale = Map.groupBy(journal.entries(), ({ subject }) => subject);
  sql.atomically(() => {
    sql.run('DELETE FROM sale');
    for (const [id, entries] of bySale) {
      const sale = replay(entries.map(({ body }) => eventIn(body)));
      if (sale === undefined) continue;
      insert(sql, sale.intent);
      if (!isOpen(sale)) sql.run('UPDATE sale SET open = 0 WHERE sale = ?', id);
    }
  });
};

const exposureOf = (bodies: readonly string[]): Exposure => {
  const stored = bodies.map((body) => BigInt((JSON.parse(body) as ForwardBody).minor));
  return { count: stored.length, minor: stored.reduce((sum, minor) => sum + minor, 0n) };
};

/** Minor units are bigints in memory and digits in JSON. */
const textOf = (event: SaleEvent): string =>
  JSON.stringify(event, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

const eventIn = (text: string): SaleEvent =>
  JSON.parse(text, (name, value: unknown) =>
    name === 'minor' && typeof value === 'string' ? BigInt(value) : value,
  ) as SaleEvent;
