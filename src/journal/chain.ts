/** The hash chain: each entry's hash covers the previous one, so that no entry can be changed or removed unnoticed. */
import { createHash } from 'node:crypto';
import { errorText, Fault, isFault } from '../base/fault.ts';
import type { Sql, SqlRow } from './sql.ts';

export type Entry = {
  /** 1, 2, 3 … without a gap. */
  readonly entry: number;
  /** Wall time, ms. For people; no decision depends on it. */
  readonly at: number;
  /** What it is about: a sale's id. */
  readonly subject: string;
  readonly kind: string;
  /** JSON text. */
  readonly body: string;
};

export const firstLink = new Uint8Array(32);

/** SHA-256 over the previous hash and the entry's fields; JSON separates them unambiguously. 32 bytes. */
export const hashOfEntry = (before: Uint8Array, { entry, at, subject, kind, body }: Entry): Uint8Array =>
  createHash('sha256')
    .update(before)
    .update(JSON.stringify([entry, at, subject, kind, body]))
    .digest();

// Reads the journal once, from its start or from a seal, and checks each entry against the chain. Changes nothing.

export type Head = { readonly entry: number; readonly hash: Uint8Array };

const start: Head = { entry: 0, hash: firstLink };

/**
 * Yields each entry, in order, after its check. Returns the head of the chain. Throws `journal.corrupt` with the number
 * of the first entry that fails; `data` is the path that the fault names. Everything up to `from` counts as proven.
 */
export function* verifyEntries(sql: Sql, data: string, from: Head = start): Generator<Entry, Head> {
  let head = from;
  const corruptFault = (reason: string) => new Fault('journal.corrupt', { entry: head.entry + 1, why: reason, data });
  const rows = sql.iterate(
    'SELECT entry, at, subject, kind, body, hash FROM entry WHERE entry > ? ORDER BY entry',
    head.entry,
  );
  try {
    for (;;) {
      const row = nextOf(rows, corruptFault);
      if (row === undefined) break;
      const entry = entryOf(row);
      if (entry.entry !== head.entry + 1) throw corruptFault(`entry ${entry.entry} is in its place`);
      const hash = hashOfEntry(head.hash, entry);
      if (!isSameHash(hash, row['hash'])) throw corruptFault('its content does not match its hash');
      head = { entry: entry.entry, hash };
      yield entry;
    }
  } finally {
    rows.return?.();
  }
  const last = sql.get('SELECT entry, hash FROM head');
  if (Number(last?.['entry'] ?? 0) !== head.entry || (head.entry > 0 && !isSameHash(head.hash, last?.['hash']))) {
    throw corruptFault(
      `the journal ends at entry ${head.entry}, but was written up to ${last?.['entry'] ?? 'nothing'}`,
    );
  }
  return head;
}

/** An entry with its hash in hex. `unproven`: it, or an entry before it, does not match the chain. */
export type ExportedEntry = Entry & { readonly hash: string; readonly check: 'good' | 'unproven' };

/** Yields each entry of an open journal, checked, in pages: nothing could be written during an open query. */
export function* exportedEntries(sql: Sql): Generator<ExportedEntry> {
  let head: Head = start;
  let check: ExportedEntry['check'] = 'good';
  for (;;) {
    const rows = sql.all('SELECT * FROM entry WHERE entry > ? ORDER BY entry LIMIT 500', head.entry);
    if (rows.length === 0) return;
    for (const row of rows) {
      const entry = entryOf(row);
      const hash = hashOfEntry(head.hash, entry);
      if (entry.entry !== head.entry + 1 || !isSameHash(hash, row['hash'])) check = 'unproven';
      head = { entry: entry.entry, hash };
      yield { ...entry, hash: hexOf(row['hash']), check };
    }
  }
}

/** A stored hash in hex; empty if it is none. */
export const hexOf = (hash: unknown): string => (hash instanceof Uint8Array ? Buffer.from(hash).toString('hex') : '');

export const entryOf = (row: SqlRow): Entry => ({
  entry: Number(row['entry']),
  at: Number(row['at']),
  subject: String(row['subject']),
  kind: String(row['kind']),
  body: String(row['body']),
});

/** SQLite finds a damaged page only when the walk reaches it. */
const nextOf = (rows: IterableIterator<SqlRow>, corruptFault: (reason: string) => Fault): SqlRow | undefined => {
  try {
    const { value, done } = rows.next();
    return done === true ? undefined : value;
  } catch (error) {
    if (isFault(error)) throw error;
    throw corruptFault(errorText(error));
  }
};

const isSameHash = (hash: Uint8Array, stored: unknown): boolean =>
  stored instanceof Uint8Array && Buffer.from(hash).equals(Buffer.from(stored));
