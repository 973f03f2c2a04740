/** Watches what one till writes and in which order it sends. It sees the SQL statements themselves. */
import type { Clock } from '../../src/base/clock.ts';
import type { Sql } from '../../src/journal/sql.ts';
import { GIFT_MARK, PAN_MARK, PIN_MARK, SRED_MARK } from './cards.ts';
import { type PlantedBug, statementWithBug } from './planted-bugs.ts';

/** What must never be on a disk, as text and as bytes. */
const marks: readonly (readonly [string, Buffer])[] = [
  ['the account data', Buffer.from(SRED_MARK)],
  ['the account data, as bytes', Buffer.from(SRED_MARK, 'hex')],
  ['the PIN', Buffer.from(PIN_MARK)],
  ['the PIN, as bytes', Buffer.from(PIN_MARK, 'hex')],
  ['a whole card number', Buffer.from(PAN_MARK)],
  ['a whole gift card number', Buffer.from(GIFT_MARK)],
];

/** The marks that these bytes contain. */
export const secretsIn = (bytes: Uint8Array): string[] => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return marks.filter(([, mark]) => view.includes(mark)).map(([name]) => name);
};

type Watched = {
  sql: Sql;
  plantedBug: PlantedBug | undefined;
  report(text: string): void;
  /** The wrapped key of a message's sealed content. */
  onSealed(message: string, bytes: Uint8Array): void;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** A person has requested that everything is sent now. */
  isHurried(): boolean;
};

/** The till's file with its planted bug, if there is one, and with a check of the queue. */
export const watchWrites = ({ sql, plantedBug, report, onSealed, clock, isHurried }: Watched): Sql => {
  const resendPace = paceOf(clock);
  /** Under way: started, and the result not yet written. */
  const startedSales = new Set<string>();
  const tooEarlyProblems = (id: string): string[] => {
    const earlyMs = isHurried() ? 0 : resendPace.earlyMs(id);
    return earlyMs > 0 ? [`the message ${id} was sent ${earlyMs} ms before its turn`] : [];
  };
  const watchStatement = <T>(statement: string, values: readonly unknown[], execute: (statement: string) => T): T => {
    if (TRYING.test(statement))
      for (const id of idsIn(values))
        for (const text of [...problemsOfOrder(sql, id), ...tooEarlyProblems(id)]) report(text);
    if (HURRYING.test(statement)) resendPace.forget();
    if (statement.startsWith('INSERT INTO message'))
      for (const value of values)
        if (value instanceof Uint8Array && value.length < KEY_MOST) onSealed(String(values[0]), value);
    if (BEGINNING.test(statement)) {
      const id = String(values[0]);
      for (const text of [
        ...problemsOfOrder(sql, id),
        ...problemsOfOvertaking({ sql, id, startedSales, now: clock.now() }),
      ])
        report(text);
      startedSales.add(id);
    } else if (ENDING.test(statement)) for (const value of values) startedSales.delete(String(value));
    const result = execute(statementWithBug(plantedBug, statement));
    // If the disk refused the write, the value is unchanged.
    if (RESTING.test(statement)) resendPace.rests(String(values.at(-1)), Number(values[0]));
    return result;
  };
  return {
    ...sql,
    run: (statement, ...values) => watchStatement(statement, values, (text) => sql.run(text, ...values)),
    get: (statement, ...values) => watchStatement(statement, values, (text) => sql.get(text, ...values)),
    all: (statement, ...values) => watchStatement(statement, values, (text) => sql.all(text, ...values)),
    iterate: (statement, ...values) => sql.iterate(statementWithBug(plantedBug, statement), ...values),
  };
};

/** A failed try waits for its turn by the till's own clock; a clock that was set since proves nothing. */
const paceOf = (clock: Pick<Clock, 'now' | 'monotonic'>) => {
  const rest = new Map<string, { restUntil: number; offset: number }>();
  const offset = (): number => clock.now() - clock.monotonic();
  return {
    rests: (id: string, dueAt: number) => void rest.set(id, { restUntil: dueAt, offset: offset() }),
    forget: () => rest.clear(),
    earlyMs(id: string): number {
      const found = rest.get(id);
      return found === undefined || found.offset !== offset() ? 0 : Math.max(0, found.restUntil - clock.now());
    },
  };
};

/** A wrapped key has 60 bytes; the content sealed with it has kilobytes, and is unreadable without the key. */
const KEY_MOST = 100;

/** Written durably before each try, when the queue has chosen the message. */
const TRYING = /^UPDATE message SET attempts = attempts \+ 1/;

/** The first step of each try, also of one that was recorded together with others. */
const BEGINNING = /^SELECT sealed, wrapped FROM message WHERE id/;
/** The result of the try. */
const ENDING = /^UPDATE message SET (due_at|state)/;

/** The try failed, and the message waits for its turn. */
const RESTING = /^UPDATE message SET due_at = \?, note/;
/** A person or a repaired cause gives it another turn now. */
const HURRYING = /^UPDATE message SET (due_at = 0|state = 'waiting')/;

const idsIn = (values: readonly unknown[]): string[] =>
  values.flatMap((value) => {
    if (typeof value !== 'string') return [];
    return value.startsWith('[') ? (JSON.parse(value) as string[]) : [value];
  });

/** Untried reversals go before stored sales, and follow-ups go after their sale. */
const problemsOfOrder = (sql: Sql, id: string): string[] => {
  const message = sql.get('SELECT kind, sale, after_sale, put_at FROM message WHERE id = ?', id);
  if (message === undefined) return [];
  const unsettled = "state IN ('waiting', 'parked')";
  const parent =
    message['after_sale'] !== null &&
    sql.get(`SELECT kind FROM message WHERE sale = ? AND ${unsettled}`, message['after_sale'] ?? null);
  const first =
    message['kind'] === 'forward' &&
    sql.get("SELECT sale FROM message WHERE kind = 'reversal' AND state = 'waiting' AND attempts = 0");
  return [
    ...(parent ? [`the ${message['kind']} of ${message['sale']} was sent before its parent`] : []),
    ...(first ? [`the stored sale ${message['sale']} was sent before the reversal of ${first['sale']}`] : []),
  ];
};

type Try = { sql: Sql; id: string; startedSales: ReadonlySet<string>; now: number };

/** A reversal that has been due for longer than a slow disk takes goes before the next stored sale, tried or not. */
const problemsOfOvertaking = ({ sql, id, startedSales, now }: Try): string[] => {
  if (sql.get("SELECT 1 FROM message WHERE id = ? AND kind = 'forward'", id) === undefined) return [];
  const due = sql.all(
    "SELECT id, sale FROM message WHERE kind = 'reversal' AND state = 'waiting' AND due_at < ?",
    now - SLOW_DISK_MS,
  );
  return due
    .filter((reversal) => !startedSales.has(String(reversal['id'])))
    .map(({ sale }) => `a stored sale was sent while the reversal of ${sale} was due`);
};

const SLOW_DISK_MS = 60_000;
