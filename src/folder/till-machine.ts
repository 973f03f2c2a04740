/**
 * The machine that a till's folder is bound to, and whether the gateway has been asked since the last start what it
 * knows beyond this journal: one row in the journal's file. Only a hash of the machine's identity is stored, which
 * reveals nothing.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../base/ids.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sql } from '../journal/sql.ts';
import type { MachineIdentity } from './machine.ts';

/**
 * `here`: bound to this machine. `unbound`: bound to none, and this machine has no identity. `elsewhere`: bound to
 * another machine, or bound while this machine has no identity.
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

/** A machine id is confidential (man 5 machine-id), so it is the key of the hash, and the salt is hashed. */
const hashOf = (identity: MachineIdentity, salt: Uint8Array): Uint8Array =>
  createHmac('sha256', identity).update('tillgate machine').update(salt).digest();

const SALT_BYTES = 16;

const isBound = ({ hash, salt }: Row): boolean => hash instanceof Uint8Array && salt instanceof Uint8Array;

const isSameMachine = ({ hash, salt }: Row, identity: MachineIdentity | undefined): boolean =>
  identity !== undefined &&
  hash instanceof Uint8Array &&
  salt instanceof Uint8Array &&
  timingSafeEqual(hashOf(identity, salt), hash);

/** Binds an unbound folder to this machine, if it has an identity. */
export const bindingOf = (
  { sql }: Pick<Journal, 'sql'>,
  identity: MachineIdentity | undefined,
  random: Random,
): Binding => {
  const row = rowIn(sql);
  if (isBound(row)) return isSameMachine(row, identity) ? 'here' : 'elsewhere';
  if (identity === undefined) return 'unbound';
  bindTo(sql, identity, random);
  return 'here';
};

/** The same without binding it, for reading only. */
export const readBinding = (sql: Sql, identity: MachineIdentity | undefined): Binding => {
  if (sql.get("SELECT 1 FROM sqlite_master WHERE name = 'till_machine'") === undefined) return 'unbound';
  const row = sql.get('SELECT * FROM till_machine') ?? {};
  if (!isBound(row)) return 'unbound';
  return isSameMachine(row, identity) ? 'here' : 'elsewhere';
};

/** Binds it to this machine from now on; without an identity, to none. Runs inside a journal write, or on its own. */
export const bindTo = (sql: Sql, identity: MachineIdentity | undefined, random: Random): void => {
  const salt = identity === undefined ? null : random(SALT_BYTES);
  const hash = identity === undefined || salt === null ? null : hashOf(identity, salt);
  sql.run('UPDATE till_machine SET salt = ?, hash = ?', salt, hash);
};

/**
 * A journal is complete up to its last entry, and an older copy contains only its beginning. So a sale that only the
 * gateway knows is later than the journal's last entry at the first opening without an answer. Call it before an
 * opening writes anything.
 */
export const noteOpening = ({ sql }: Pick<Journal, 'sql'>, now: number): void => {
  if (rowIn(sql)['uncompared_since'] !== null) return;
  const last = sql.get('SELECT at FROM entry ORDER BY entry DESC LIMIT 1')?.['at'];
  sql.run('UPDATE till_machine SET uncompared_since = ?', Number(last ?? now));
};

type Compared = {
  /** Sales that only the gateway knows are later than this, ms. Undefined once it was asked since the last start. */
  uncomparedSince?: number;
  /** The number of sales of this till's terminals that the gateway knows and this journal lacks. */
  behind: number;
};

/** The state of the comparison, for a till's open journal: it is read before each sale, which writes nothing. */
export const comparedIn = ({ sql }: Pick<Journal, 'sql'>): Compared => {
  const { uncompared_since: since = null, behind = 0 } =
    sql.get('SELECT uncompared_since, behind FROM till_machine') ?? {};
  return { uncomparedSince: since === null ? undefined : Number(since), behind: Number(behind) };
};

/** Only a comparison that found no missing sales, or a takeover of all of them, means that none is due any more. */
export const noteCompared = ({ sql }: Pick<Journal, 'sql'>, behind: number): void => {
  if (behind === 0) sql.run('UPDATE till_machine SET uncompared_since = NULL, behind = 0');
  else sql.run('UPDATE till_machine SET behind = ?', behind);
};

/**
 * A copy of another till's folder leaves its terminal ids to that till: their batches and sales continue only there.
 */
export const leaveTerminals = (sql: Sql, terminalIds: readonly string[]): void => {
  for (const id of terminalIds) sql.run('INSERT OR IGNORE INTO left_terminal (terminal_id) VALUES (?)', id);
};

/** Terminal ids that another till continues to use. */
export const terminalsLeft = (sql: Sql): ReadonlySet<string> => {
  if (sql.get("SELECT 1 FROM sqlite_master WHERE name = 'left_terminal'") === undefined) return new Set();
  return new Set(sql.all('SELECT terminal_id FROM left_terminal').map((row) => String(row['terminal_id'])));
};
