/** Finds sales without reading all of them: by receipt, by the payment they follow, and those that are open. */

import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { FROM_NEWER } from '../base/open-messages.ts';
import type { Sql, SqlRow } from '../journal/sql.ts';
import { messageKinds } from '../queue/outbox-tables.ts';
import type { ReadEvent } from '../till/machine/events.ts';
import { isOpen, isUnread, type Sale } from '../till/machine/sale.ts';
import { readingText } from '../till/machine/unread.ts';
import { aheadOf, type DevicePlace, type DeviceSale } from '../till/terminal/device-numbers.ts';
import type { LedgerIndex } from './ledger-index.ts';

const schema = [
  `CREATE TABLE IF NOT EXISTS sale (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL UNIQUE, terminal_id TEXT NOT NULL,
   sequence INTEGER NOT NULL, refunds TEXT, open INTEGER NOT NULL) STRICT`,
  'CREATE INDEX IF NOT EXISTS sale_open ON sale (receipt) WHERE open = 1',
  'CREATE INDEX IF NOT EXISTS sale_terminal ON sale (terminal_id, sequence)',
  'CREATE INDEX IF NOT EXISTS sale_refunds ON sale (refunds) WHERE refunds IS NOT NULL',
];

export const saleIndex = (sql: Sql): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'sale-1',
    isWhole: (sales) => Number(sql.get('SELECT count(*) AS n FROM sale')?.['n']) === sales,
    clear: () => sql.run('DELETE FROM sale'),
    apply({ before, after }) {
      const { sale, receipt, terminalId, sequence, follows } = after.intent;
      const open = isOpen(after) ? 1 : 0;
      if (before === undefined)
        sql.run(
          'INSERT INTO sale (sale, receipt, terminal_id, sequence, refunds, open) VALUES (?, ?, ?, ?, ?, ?)',
          sale,
          receipt,
          terminalId,
          sequence,
          follows?.sale ?? null,
          open,
        );
      else if (isOpen(before) !== isOpen(after)) sql.run('UPDATE sale SET open = ? WHERE sale = ?', open, sale);
    },
  };
};

// Open sales that time alone does not end, because a terminal or a person must be asked. They are found and counted
// without reading a sale.

/**
 * terminal: ask the terminal that authorises by itself. person: the terminal could not tell, so ask a person. differs:
 * a later answer contradicts what a person said.
 */
export type OpenQuestion = 'terminal' | 'person' | 'differs';

const questionSchema = `CREATE TABLE IF NOT EXISTS open_question (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL,
  question TEXT NOT NULL, at INTEGER NOT NULL) STRICT`;

export const openQuestionIndex = (sql: Sql): LedgerIndex => {
  sql.run(questionSchema);
  return {
    version: 'question-1',
    // Always whole: the table holds only some sales, and only the journal shows which.
    isWhole: () => true,
    clear: () => sql.run('DELETE FROM open_question'),
    apply({ before, after }) {
      const question = questionOf(after);
      if (question === (before && questionOf(before))) return;
      const { sale, receipt, at } = after.intent;
      if (question === undefined) sql.run('DELETE FROM open_question WHERE sale = ?', sale);
      else
        sql.run(
          'INSERT OR REPLACE INTO open_question (sale, receipt, question, at) VALUES (?, ?, ?, ?)',
          sale,
          receipt,
          question,
          at,
        );
    },
  };
};

/** What a newer version has written is left to that version. */
const questionOf = (sale: Sale): OpenQuestion | undefined => {
  if (sale.at !== 'ended' || isUnread(sale) || !isOpen(sale)) return undefined;
  if (sale.intent.by === 'terminal') return sale.forPerson === true ? 'person' : 'terminal';
  return sale.differs === undefined ? undefined : 'differs';
};

/** Ids of these sales, oldest first. */
export const openQuestions = (sql: Sql): string[] =>
  sql.all('SELECT sale FROM open_question ORDER BY receipt').map(({ sale }) => String(sale));

// Sales that ended as never sent, and are to be inquired about once more when none of their requests can still be in
// progress.

/** The longest time that a configuration lets a request be in progress. */
export const LATE_AFTER_MS = 600_000;

/** `up_ms`: the machine's uptime at that moment. Setting the wall clock must not shorten the wait. */
const lateSchema = [
  'DROP TABLE IF EXISTS late_check',
  'CREATE TABLE IF NOT EXISTS late_ask (sale TEXT PRIMARY KEY, up_ms INTEGER NOT NULL) STRICT',
];

export const lateIndex = (sql: Sql, clock: Pick<Clock, 'monotonic'>): LedgerIndex => {
  for (const statement of lateSchema) sql.run(statement);
  return {
    version: 'late-3',
    // A row is deleted once its sale was inquired about. A rebuilt table inquires again, which does no harm.
    isWhole: () => true,
    clear: () => sql.run('DELETE FROM late_ask'),
    apply({ event, before, after }) {
      const { sale } = after.intent;
      if (mayHaveArrived(event, after) || isNotTaken(sql, before, after)) requeueLateInquiry(sql, clock, sale);
      // Approved by the chip, it is forwarded under the same reference; approved late, it is being reversed.
      else if (after.at === 'ended' && (after.ending === 'approved' || event.on === 'approvedLate'))
        clearLateInquiry(sql, sale);
    },
  };
};

/** A sale taken offline was sent online first: it counts as never sent when it is never forwarded. */
const mayHaveArrived = (event: ReadEvent, after: Sale): boolean => {
  if (event.on === 'reversed') return event.how === 'notFound';
  // Nothing is recorded while the chip can still approve without the gateway: it mostly does, and then nothing is
  // asked.
  if (event.on === 'hostNotReached')
    return after.at !== 'goingOffline' && !(after.at === 'ended' && after.ending === 'approved');
  const isNeverForwarded =
    event.on === 'withdrawn' || event.on === 'cardDataExpired' || (event.on === 'personSaid' && event.ends === true);
  return isNeverForwarded && after.at === 'ended' && after.ending === 'notSent';
};

/** The chip did not approve, and the gateway had been asked before. */
const isNotTaken = (sql: Sql, before: Sale | undefined, after: Sale): boolean =>
  before?.at === 'goingOffline' &&
  after.at === 'ended' &&
  after.ending !== 'approved' &&
  sql.get("SELECT 1 FROM entry WHERE subject = ? AND kind = 'hostNotReached'", after.intent.sale) !== undefined;

/** Sales that are due, longest wait first. `all` includes those that are not due yet. */
export const lateSales = (sql: Sql, clock: Pick<Clock, 'monotonic'>, which: 'due' | 'all'): string[] => {
  const now = Math.floor(clock.monotonic());
  // An uptime in the future is from an earlier boot of the machine: at least the present uptime has passed since.
  const waitedMs = 'iif(up_ms <= ?, ? - up_ms, ?)';
  return sql
    .all(
      `SELECT sale FROM late_ask WHERE ${waitedMs} >= ? ORDER BY rowid`,
      now,
      now,
      now,
      which === 'all' ? 0 : LATE_AFTER_MS,
    )
    .map(({ sale }) => String(sale));
};

export const clearLateInquiry = (sql: Sql, sale: string): void => sql.run('DELETE FROM late_ask WHERE sale = ?', sale);

/** Puts the sale behind all others that wait, and starts its wait again. */
export const requeueLateInquiry = (sql: Sql, clock: Pick<Clock, 'monotonic'>, sale: string): void =>
  sql.run('INSERT OR REPLACE INTO late_ask (sale, up_ms) VALUES (?, ?)', sale, Math.floor(clock.monotonic()));

// Finds what the sales at a device reveal about its numbers and its clock, without reading all sales.

const deviceSchema = [
  `CREATE TABLE IF NOT EXISTS device_sale (sale TEXT PRIMARY KEY, device TEXT NOT NULL, terminal_id TEXT NOT NULL,
   at INTEGER NOT NULL, receipt INTEGER NOT NULL, before_number TEXT, number TEXT, reversal TEXT,
   reverses INTEGER NOT NULL, ahead_ms INTEGER) STRICT`,
  'CREATE INDEX IF NOT EXISTS device_sale_at ON device_sale (device, terminal_id, at)',
  `CREATE INDEX IF NOT EXISTS device_sale_number ON device_sale (device, terminal_id, receipt)
   WHERE number IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS device_sale_of ON device_sale (device, terminal_id, number, at)
   WHERE number IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS device_sale_ahead ON device_sale (device, terminal_id, receipt)
   WHERE ahead_ms IS NOT NULL`,
];

export const deviceIndex = (sql: Sql): LedgerIndex => {
  for (const statement of deviceSchema) sql.run(statement);
  return {
    version: 'device-2',
    // It holds only some sales. The indexes beside it, which are rebuilt together with it, tell whether it is complete.
    isWhole: () => true,
    clear: () => sql.run('DELETE FROM device_sale'),
    apply({ before, after }) {
      if (after.terminal === undefined || after.terminal === before?.terminal) return;
      sql.run(
        `INSERT OR REPLACE INTO device_sale (sale, device, terminal_id, at, receipt, before_number, number, reversal,
         reverses, ahead_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...rowOf(after, after.terminal),
      );
    },
  };
};

const rowOf = ({ intent }: Sale, { device, before, payment, reversalNumber }: NonNullable<Sale['terminal']>) => [
  intent.sale,
  device,
  intent.terminalId,
  intent.at,
  intent.receipt,
  before.receiptNumber ?? null,
  payment?.receiptNumber ?? null,
  reversalNumber ?? null,
  intent.follows?.at?.how === 'reverse' ? 1 : 0,
  (payment && aheadOf(payment)) ?? null,
];

/** Sales that began at `since`, wall time in ms, or later; oldest first. */
export const salesAtDevice = (sql: Sql, { device, terminalId }: DevicePlace, since: number): DeviceSale[] =>
  sql
    .all(
      'SELECT * FROM device_sale WHERE device = ? AND terminal_id = ? AND at >= ? ORDER BY receipt',
      device,
      terminalId,
      since,
    )
    .map(saleIn);

/** Those sales of the device that have this number, without reading the others. */
export const salesOfNumber = (
  sql: Sql,
  { device, terminalId, number }: DevicePlace & { number: string },
  since: number,
): DeviceSale[] => sql.all(withNumber, device, terminalId, number, since).map(saleIn);

const withNumber =
  'SELECT * FROM device_sale WHERE device = ? AND terminal_id = ? AND number = ? AND at >= ? ORDER BY receipt';

const columns = { number: 'number', aheadMs: 'ahead_ms' } as const;

/** The newest by receipt number, as the wall clock may have been set. Each one is found by an index of its own. */
export const newestAtDevice = (
  sql: Sql,
  { device, terminalId }: DevicePlace,
  field: keyof typeof columns,
): DeviceSale | undefined => {
  const row = sql.get(
    `SELECT * FROM device_sale WHERE device = ? AND terminal_id = ? AND ${columns[field]} IS NOT NULL
     ORDER BY receipt DESC LIMIT 1`,
    device,
    terminalId,
  );
  return row && saleIn(row);
};

const saleIn = ({ sale, receipt, at, before_number, number, reversal, reverses, ahead_ms }: SqlRow): DeviceSale => ({
  sale: String(sale),
  receipt: Number(receipt),
  at: Number(at),
  before: before_number === null ? undefined : String(before_number),
  number: number === null ? undefined : String(number),
  reversal: reversal === null ? undefined : String(reversal),
  reverses: reverses === 1 || undefined,
  aheadMs: ahead_ms === null ? undefined : Number(ahead_ms),
});

// Sales that contain something a newer version wrote and this one does not know. This version sends none of their
// messages: they are parked, and continue by themselves once a version that knows them opens the file.

const unreadSchema = 'CREATE TABLE IF NOT EXISTS unread_sale (sale TEXT PRIMARY KEY, what TEXT NOT NULL) STRICT';

/**
 * A fingerprint of what this version can read. A version with another one reads the journal differently and refills all
 * indexes.
 */
const reading = createHash('sha256').update(readingText).digest('hex').slice(0, 12);

export const unreadIndex = (sql: Sql): LedgerIndex => {
  sql.run(unreadSchema);
  return {
    version: `unread-1-${reading}`,
    definesReading: true,
    // Always whole: the table holds only some sales, and only the journal shows which.
    isWhole: () => true,
    clear: () => sql.run('DELETE FROM unread_sale'),
    apply({ before, after }) {
      if (!isUnread(after) || (before !== undefined && isUnread(before))) return;
      sql.run('INSERT OR REPLACE INTO unread_sale (sale, what) VALUES (?, ?)', after.intent.sale, after.unread);
    },
  };
};

const ofNewer = `(kind NOT IN (${messageKinds.map((kind) => `'${kind}'`).join(', ')})
  OR sale IN (SELECT sale FROM unread_sale) OR after_sale IN (SELECT sale FROM unread_sale))`;

/** Runs at each start, once the indexes are filled: messages that an older version had parked continue. */
export const setNewerAside = (sql: Sql, clock: Pick<Clock, 'now'>): void =>
  sql.atomically(() => {
    sql.run(
      `UPDATE message SET state = 'waiting', note = '', due_at = ? WHERE state = 'parked' AND note = ? AND NOT ${ofNewer}`,
      clock.now(),
      FROM_NEWER,
    );
    sql.run(`UPDATE message SET state = 'parked', note = ? WHERE state = 'waiting' AND ${ofNewer}`, FROM_NEWER);
  });
