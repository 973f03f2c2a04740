/**
 * The machine that a till's folder is bound to, and whether the gateway was asked since the last start what it knows
 * beyond this journal: one row in the journal's file. What is kept of the machine is a hash that leads back to nothing.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../base/ids.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sql } from '../journal/sql.ts';
import type { MachineIdentity } from './machine.ts';

/**
 * `here`: bound to this machine. `unbound`: to none, and nothing here can tell machines apart. `elsewhere`: bound to
 * another one, or to one and this machine has no identity at all.
 */
export type Binding = 'here' | 'unbound' | 'elsewhere';

const tables = [
  `CREATE TABLE IF NOT EXISTS till_machine (only INTEGER PRIMARY KEY CHECK (only = 1), salt BLOB, hash BLOB,
   uncompared_since INTEGER, behind INTEGER NOT NULL DEFAULT 0) STRICT`,
  'CREATE TABLE IF NOT EXISTS left_terminal (terminal_id TEXT PRIMARY KEY) STRICT',
];

export const makeMachineTable = (sql: Sql): void => {
  for (const table of tables) sql.run(table);
  sql.run('INSERT OR IGNORE INTO till_machine (only) VALUES (1)');
};

type Row = Readonly<Record<string, unknown>>;

const rowIn = (sql: Sql): Row => {
  makeMachineTable(sql);
  return sql.get('SELECT * FROM till_machine') ?? {};
};

/** The id of a machine is confidential (man 5 machine-id): it is the hash's key, and the salt is what is hashed. */
const hashOf = (identity: MachineIdentity, salt: Uint8Array): Uint8Array =>
  createHmac('sha256', identity).update('tillgate machine').update(salt).digest();

const SALT_BYTES = 16;

const isBound = ({ hash, salt }: Row): boolean => hash instanceof Uint8Array && salt instanceof Uint8Array;

const fits = ({ hash, salt }: Row, identity: MachineIdentity | undefined): boolean =>
  identity !== undefined &&
  hash instanceof Uint8Array &&
  salt instanceof Uint8Array &&
  timingSafeEqual(hashOf(identity, salt), hash);

/** A folder that is bound to nothing is bound to this machine, if it can be told from others. */
export const bindingOf = (
  { sql }: Pick<Journal, 'sql'>,
  identity: MachineIdentity | undefined,
  random: Random,
): Binding => {
  const row = rowIn(sql);
  if (isBound(row)) return fits(row, identity) ? 'here' : 'elsewhere';
  if (identity === undefined) return 'unbound';
  bindTo(sql, identity, random);
  return 'here';
};

/** The same without binding it: for whoever only looks. */
export const readBinding = (sql: Sql, identity: MachineIdentity | undefined): Binding => {
  if (sql.get("SELECT 1 FROM sqlite_master WHERE name = 'till_machine'") === undefined) return 'unbound';
  const row = sql.get('SELECT * FROM till_machine') ?? {};
  if (!isBound(row)) return 'unbound';
  return fits(row, identity) ? 'here' : 'elsewhere';
};

/** Binds it to this machine from here on; without an identity to none. Inside a journal write, or by itself. */
export const bindTo = (sql: Sql, identity: MachineIdentity | undefined, random: Random): void => {
  const salt = identity === undefined ? null : random(SALT_BYTES);
  const hash = identity === undefined || salt === null ? null : hashOf(identity, salt);
  sql.run('UPDATE till_machine SET salt = ?, hash = ?', salt, hash);
};

/**
 * A journal is complete up to its last entry: a copy is the beginning of it. So whatever the gateway has to tell is
 * later than the last entry at the first opening without an answer. To be called before an opening writes anything.
 */
export const noteOpening = ({ sql }: Pick<Journal, 'sql'>, now: number): void => {
  if (rowIn(sql)['uncompared_since'] !== null) return;
  const last = sql.get('SELECT at FROM entry ORDER BY entry DESC LIMIT 1')?.['at'];
  sql.run('UPDATE till_machine SET uncompared_since = ?', Number(last ?? now));
};

type Compared = {
  /** What the gateway may know is later than this, ms; undefined once it was asked since the last start. */
  uncomparedSince?: number;
  /** So many sales of this till's terminals are known to the gateway and not to this journal. */
  behind: number;
};

/** Of a journal that was opened as a till's: it is asked before each sale, and writes nothing. */
export const comparedIn = ({ sql }: Pick<Journal, 'sql'>): Compared => {
  const { uncompared_since: since = null, behind = 0 } =
    sql.get('SELECT uncompared_since, behind FROM till_machine') ?? {};
  return { uncomparedSince: since === null ? undefined : Number(since), behind: Number(behind) };
};

/** Nothing but a comparison that found all in order, or a takeover of all that was found, ends what is due. */
export const noteCompared = ({ sql }: Pick<Journal, 'sql'>, behind: number): void => {
  if (behind === 0) sql.run('UPDATE till_machine SET uncompared_since = NULL, behind = 0');
  else sql.run('UPDATE till_machine SET behind = ?', behind);
};

/** A copy of another till's folder leaves that till its terminal numbers: their batches and sales go on there alone. */
export const leaveTerminals = (sql: Sql, terminalIds: readonly string[]): void => {
  for (const id of terminalIds) sql.run('INSERT OR IGNORE INTO left_terminal (terminal_id) VALUES (?)', id);
};

/** Terminal numbers that another till goes on with. */
export const leftTerminals = (sql: Sql): ReadonlySet<string> => {
  if (sql.get("SELECT 1 FROM sqlite_master WHERE name = 'left_terminal'") === undefined) return new Set();
  return new Set(sql.all('SELECT terminal_id FROM left_terminal').map((row) => String(row['terminal_id'])));
};
