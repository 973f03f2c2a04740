/** Watches what one till writes and in which order it sends. It sees the statements themselves. */
import type { Sql } from '../../src/journal/sql.ts';
import { GIFT_MARK, PAN_MARK, PIN_MARK, SRED_MARK } from './cards.ts';
import { type Plant, plantedStatement } from './plants.ts';

/** What may never be on a disk, as text and as bytes. */
const marks: readonly (readonly [string, Buffer])[] = [
  ['the account data', Buffer.from(SRED_MARK)],
  ['the account data, as bytes', Buffer.from(SRED_MARK, 'hex')],
  ['the PIN', Buffer.from(PIN_MARK)],
  ['the PIN, as bytes', Buffer.from(PIN_MARK, 'hex')],
  ['a whole card number', Buffer.from(PAN_MARK)],
  ['a whole gift card number', Buffer.from(GIFT_MARK)],
];

/** Which of the marks are in these bytes. */
export const marksIn = (bytes: Uint8Array): string[] => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return marks.filter(([, mark]) => view.includes(mark)).map(([name]) => name);
};

type Watched = {
  sql: Sql;
  plant: Plant | undefined;
  breaks(says: string): void;
  /** What was sealed, and the wrapped keys of it. */
  seals(bytes: Uint8Array): void;
};

/** The till's file with its planted bug, if there is one, and with an eye on the queue. */
export const watched = ({ sql, plant, breaks, seals }: Watched): Sql => {
  const seen = <T>(statement: string, values: readonly unknown[], go: (statement: string) => T): T => {
    if (TRYING.test(statement)) for (const id of idsIn(values)) for (const says of outOfTurn(sql, id)) breaks(says);
    if (statement.startsWith('INSERT INTO message'))
      for (const value of values) if (value instanceof Uint8Array) seals(value);
    return go(plantedStatement(plant, statement));
  };
  return {
    ...sql,
    run: (statement, ...values) => seen(statement, values, (text) => sql.run(text, ...values)),
    get: (statement, ...values) => seen(statement, values, (text) => sql.get(text, ...values)),
    all: (statement, ...values) => seen(statement, values, (text) => sql.all(text, ...values)),
    iterate: (statement, ...values) => sql.iterate(plantedStatement(plant, statement), ...values),
  };
};

/** Durable before each try: the moment at which the queue has chosen. */
const TRYING = /^UPDATE message SET attempts = attempts \+ 1/;

const idsIn = (values: readonly unknown[]): string[] =>
  values.flatMap((value) => {
    if (typeof value !== 'string') return [];
    return value.startsWith('[') ? (JSON.parse(value) as string[]) : [value];
  });

/** Reversals that nobody has tried go before stored sales, and what follows a sale goes after it. */
const outOfTurn = (sql: Sql, id: string): string[] => {
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
    ...(parent ? [`the ${message['kind']} of ${message['sale']} was sent before what it follows`] : []),
    ...(first ? [`the stored sale ${message['sale']} was sent before the reversal of ${first['sale']}`] : []),
  ];
};
