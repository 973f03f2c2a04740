/**
 * A table of the sales taken offline: those still waiting to be sent, and the totals of the last hour and of the day.
 */
import { HOUR_MS } from '../base/clock.ts';
import type { Sql, SqlRow } from '../journal/sql.ts';
import type { Change, LedgerIndex } from '../ledger/ledger-index.ts';
import type { ReadEvent } from '../till/machine/events.ts';
import type { CardFacts } from '../till/machine/facts.ts';
import type { Instant } from '../till/machine/offline-facts.ts';
import { isOpen, type Sale } from '../till/machine/sale.ts';
import { brandOf, cardKeyOf, cardTypeOf } from '../till/offline/card.ts';
import { type Exposure, type KindExposure, noKindExposure, type OfflineTry, type Sum } from '../till/offline/limits.ts';

export type OfflineBook = LedgerIndex & {
  /** What counts against the limits of this request at this instant. `dayBegan` is in ms, on the clock of `now.at`. */
  exposure(request: OfflineTry, now: Instant, dayBegan: number): Exposure;
};

const schema = [
  `CREATE TABLE IF NOT EXISTS offline_sale (sale TEXT PRIMARY KEY, kind TEXT NOT NULL, minor INTEGER NOT NULL,
   card TEXT NOT NULL, cashier TEXT NOT NULL, brand TEXT NOT NULL, card_type TEXT NOT NULL, entry_mode TEXT NOT NULL,
   at INTEGER NOT NULL, boot TEXT NOT NULL, up_ms INTEGER NOT NULL, waiting INTEGER NOT NULL) STRICT`,
  `CREATE INDEX IF NOT EXISTS offline_waiting ON offline_sale
   (kind, card, cashier, brand, card_type, entry_mode, minor) WHERE waiting = 1`,
  'CREATE INDEX IF NOT EXISTS offline_at ON offline_sale (at, kind, boot, up_ms, minor)',
  'CREATE INDEX IF NOT EXISTS offline_up ON offline_sale (boot, up_ms, kind, minor)',
  `CREATE TABLE IF NOT EXISTS offline_seen (only INTEGER PRIMARY KEY CHECK (only = 1), sales INTEGER NOT NULL,
   rows INTEGER NOT NULL) STRICT`,
];

/** `onStep` runs inside each durable step, so what it writes needs no sync of its own. */
export const offlineBook = (sql: Sql, onStep: () => void = () => {}): OfflineBook => {
  for (const statement of schema) sql.run(statement);
  const quarters = quarterSums(sql);
  const begin = (): void => sql.run('INSERT OR REPLACE INTO offline_seen (only, sales, rows) VALUES (1, 0, 0)');
  if (sql.get('SELECT 1 FROM offline_seen') === undefined) begin();
  return {
    version: 'offline-3',
    isWhole(sales) {
      const stored = sql.get('SELECT sales, rows, (SELECT count(*) FROM offline_sale) AS n FROM offline_seen');
      const { rows, n } = stored ?? {};
      return Number(stored?.['sales']) === sales && rows === n && quarters.count() === n;
    },
    clear() {
      sql.run('DELETE FROM offline_sale');
      quarters.clear();
      begin();
    },
    apply(change) {
      if (change.before === undefined) sql.run('UPDATE offline_seen SET sales = sales + 1');
      note(sql, quarters, change);
      onStep();
    },
    exposure: (request, now, dayBegan) =>
      exposureOf(sql, request, { hour: quarters.hour(now), day: quarters.day(dayBegan) }),
  };
};

/** A sale is in the table from the moment it is decided to go offline, and leaves it if the card then declines. */
const note = (sql: Sql, quarters: Quarters, { event, at, before, after }: Change): void => {
  const was = placeOf(before);
  const is = placeOf(after);
  const instant = instantOf(event);
  const { sale } = after.intent;
  if (was === undefined && is !== undefined) {
    insert(sql, after, { ...is, instant: instant ?? { at, boot: '', upMs: 0 } });
    quarters.add(sale);
  } else if (was !== undefined && is === undefined) {
    quarters.takeOut(sale);
    sql.run('DELETE FROM offline_sale WHERE sale = ?', sale);
    sql.run('UPDATE offline_seen SET rows = rows - 1');
  } else if (is !== undefined && was?.kind === is.kind && was.waiting !== is.waiting)
    // The indexes contain the kind, so they need no update while it stays the same.
    sql.run('UPDATE offline_sale SET waiting = ? WHERE sale = ?', is.waiting, sale);
  else if (is !== undefined && was?.kind !== is.kind) {
    quarters.takeOut(sale);
    sql.run('UPDATE offline_sale SET kind = ?, waiting = ? WHERE sale = ?', is.kind, is.waiting, sale);
    quarters.add(sale);
  }
};

type Quarters = ReturnType<typeof quarterSums>;
type Place = { kind: string; waiting: number };

/**
 * Until the chip has answered, a sale counts towards the hour and the day as what it will most likely become. Of the
 * operations that follow a payment, only refunds count.
 */
const placeOf = (sale: Sale | undefined): Place | undefined => {
  if (sale === undefined) return undefined;
  if (sale.at === 'goingOffline') return { kind: sale.deferred ? 'deferred' : 'chip', waiting: 0 };
  if (sale.at !== 'ended' || sale.offline === undefined) return undefined;
  const waiting = sale.forwarded === undefined && isOpen(sale) ? 1 : 0;
  if (sale.offline !== 'stored') return { kind: sale.offline, waiting };
  return sale.intent.operation === 'refund' ? { kind: 'refund', waiting } : undefined;
};

const instantOf = (event: ReadEvent): Instant | undefined =>
  (event.on === 'cardRead' || event.on === 'hostNotReached') && event.offline.kind === 'allowed'
    ? event.offline.at
    : undefined;

const insert = (sql: Sql, sale: Sale, { kind, waiting, instant }: Place & { instant: Instant }): void => {
  const { intent, card } = sale;
  const { card: key, brand, cardType, entryMode } = keysOf(card);
  const minor = intent.amount.minor;
  const { at, boot, upMs } = instant;
  sql.run(
    `INSERT INTO offline_sale (sale, kind, minor, card, cashier, brand, card_type, entry_mode, at, boot, up_ms, waiting)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    intent.sale,
    kind,
    minor,
    key,
    intent.cashier ?? '',
    brand,
    cardType,
    entryMode,
    at,
    boot,
    upMs,
    waiting,
  );
  sql.run('UPDATE offline_seen SET rows = rows + 1');
};

const keysOf = (card: CardFacts | undefined) =>
  card === undefined
    ? { card: '', brand: '', cardType: '', entryMode: '' }
    : { card: cardKeyOf(card), brand: brandOf(card), cardType: cardTypeOf(card), entryMode: card.entryMode };

const groups = ['card', 'cashier', 'brand', 'card_type', 'entry_mode'] as const;

const waitingStatement = `SELECT kind, count(*) AS n, sum(minor) AS minor,
  ${groups.map((name) => `sum(${name} = ?) AS ${name}_n, sum(iif(${name} = ?, minor, 0)) AS ${name}_minor`).join(', ')}
  FROM offline_sale WHERE waiting = 1 GROUP BY kind`;

type Recent = { hour: readonly SqlRow[]; day: readonly SqlRow[] };

const exposureOf = (sql: Sql, request: OfflineTry, recent: Recent): Exposure => {
  const { card, brand, cardType, entryMode } = keysOf(request.card);
  const keys = [card, request.cashier ?? '', brand, cardType, entryMode].flatMap((key) => [key, key]);
  const waiting = byKind(sql.all(waitingStatement, ...keys));
  const [hour, day] = [byKind(recent.hour), byKind(recent.day)];
  const of = (kind: string): KindExposure => {
    const row = waiting.get(kind);
    const spans = { hour: sumIn(hour.get(kind)), day: sumIn(day.get(kind)) };
    return row === undefined
      ? { ...noKindExposure, ...spans }
      : {
          ...spans,
          total: sumIn(row),
          card: sumIn(row, 'card_'),
          cashier: sumIn(row, 'cashier_'),
          brand: sumIn(row, 'brand_'),
          cardType: sumIn(row, 'card_type_'),
          entryMode: sumIn(row, 'entry_mode_'),
        };
  };
  return { chip: of('chip'), deferred: of('deferred'), refunds: of('refund').total };
};

const byKind = (rows: readonly SqlRow[]): Map<string, SqlRow> => new Map(rows.map((row) => [String(row['kind']), row]));

const sumIn = (row: SqlRow | undefined, prefix = ''): Sum => ({
  minor: BigInt(Number(row?.[`${prefix}minor`] ?? 0)),
  count: Number(row?.[`${prefix}n`] ?? 0),
});

// Totals of each quarter of an hour, updated in the same step as the sale. The limits of the last hour and of the day
// add up whole quarters; only in the quarter where their span begins do they read sale by sale.

const QUARTER_MS = 900_000;

/** `at` and `up_ms` are the start of the quarter, by trusted time and by the machine's uptime. */
const quarterSchema = [
  `CREATE TABLE IF NOT EXISTS offline_quarter (at INTEGER NOT NULL, boot TEXT NOT NULL, up_ms INTEGER NOT NULL,
   kind TEXT NOT NULL, n INTEGER NOT NULL, minor INTEGER NOT NULL, PRIMARY KEY (at, boot, up_ms, kind))
   STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS offline_quarter_up ON offline_quarter (boot, up_ms)',
];

/** The factor is written into the statement: a bound JavaScript number would turn the sum into a fraction. */
const addStatement = (times: 1 | -1): string => `INSERT INTO offline_quarter (at, boot, up_ms, kind, n, minor)
  SELECT at - at % ${QUARTER_MS}, boot, up_ms - up_ms % ${QUARTER_MS}, kind, ${times}, ${times} * minor FROM offline_sale WHERE sale = ?
  ON CONFLICT DO UPDATE SET n = n + excluded.n, minor = minor + excluded.minor`;

const sum = (parts: readonly string[]): string =>
  `SELECT kind, sum(n) AS n, sum(minor) AS minor FROM (${parts.join(' UNION ALL ')}) GROUP BY kind`;

/**
 * Selects all that is later than a moment, by the named column: whole quarters, and single sales from the moment's own
 * quarter.
 */
const laterThanClause = (column: 'at' | 'up_ms', boot = ''): string[] => [
  `SELECT kind, n, minor FROM offline_quarter WHERE ${boot}${column} > ?`,
  `SELECT kind, 1 AS n, minor FROM offline_sale WHERE ${boot}${column} > ? AND ${column} < ?`,
];
const laterThan = (ms: number): [quarters: number, rows: number, until: number] => [
  ms,
  ms,
  (Math.floor(ms / QUARTER_MS) + 1) * QUARTER_MS,
];

/**
 * Sales of this boot count by uptime, those of an earlier boot by trusted time. A sale without an uptime, or with a
 * trusted time in the future, counts too: nothing proves that it is older.
 */
const hourStatement = sum([...laterThanClause('up_ms', 'boot = ? AND '), ...laterThanClause('at', 'boot <> ? AND ')]);
const dayStatement = sum(laterThanClause('at'));

/** Sums over the sales in `offline_sale`, by kind. */
const quarterSums = (sql: Sql) => {
  for (const statement of quarterSchema) sql.run(statement);
  const add = (sale: string, times: 1 | -1): void => sql.run(addStatement(times), sale);
  return {
    /** Call it once the sale is in the table, or has changed there. */
    add: (sale: string): void => add(sale, 1),
    /** Call it before the sale is changed or removed. */
    takeOut: (sale: string): void => add(sale, -1),
    clear: (): void => sql.run('DELETE FROM offline_quarter'),
    /** How many sales the sums include. */
    count: (): number => Number(sql.get('SELECT coalesce(sum(n), 0) AS n FROM offline_quarter')?.['n']),
    hour({ boot, upMs, at }: Instant): SqlRow[] {
      const [uptime, upRows, upTo] = laterThan(upMs - HOUR_MS);
      const [wall, wallRows, wallTo] = laterThan(at - HOUR_MS);
      return sql.all(hourStatement, boot, uptime, boot, upRows, upTo, boot, wall, boot, wallRows, wallTo);
    },
    /** From `startedAt` on, inclusive. */
    day: (startedAt: number): SqlRow[] => sql.all(dayStatement, ...laterThan(startedAt - 1)),
  };
};
