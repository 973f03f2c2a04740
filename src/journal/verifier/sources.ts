/** The entries of a journal's file, or of an export, one by one: neither is read into memory completely. */
import { closeSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { JournalRow } from './chain.ts';
import type { VerifierFinding } from './findings.ts';

export type Source = {
  /** The number of entries, if it is known in advance. */
  readonly count?: number;
  rows(): Iterable<JournalRow>;
  /** Checks the rest of the file after every entry was correct. */
  rest(end: { entries: number; head: string }): VerifierFinding | undefined;
  close(): void;
};

/** A file that begins with SQLite's magic is a journal; anything else is read as an export in JSON lines. */
export const openSource = (path: string): Source => (startOf(path) === MAGIC ? openFile(path) : openExport(path));

const MAGIC = 'SQLite format 3\0';

const startOf = (path: string): string => {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAGIC.length);
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
};

type SqlRow = Readonly<Record<string, unknown>>;

const openFile = (path: string): Source => {
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 2000 });
  const one = (sql: string, ...values: unknown[]) => database.prepare<unknown[], SqlRow>(sql).get(...values);
  let count = 0;
  try {
    // Fails at once if another process has the file, or it is not a journal.
    count = Number(one('SELECT max(entry) AS n FROM entry')?.['n'] ?? 0);
  } catch (error) {
    if (!isDamage(error)) {
      database.close();
      throw error;
    }
  }
  return {
    count,
    *rows() {
      for (const row of database.prepare<[], SqlRow>('SELECT * FROM entry ORDER BY entry').iterate()) yield rowOf(row);
    },
    rest: ({ entries, head }) =>
      headOf(one, entries, head) ?? damageOf(database, entries) ?? queueOf(database, entries),
    close: () => void database.close(),
  };
};

const isDamage = (error: unknown): boolean => /CORRUPT|NOTADB/.test(String((error as { code?: string }).code));

const rowOf = ({ entry, at, subject, kind, body, hash }: SqlRow): JournalRow => {
  if (!(hash instanceof Uint8Array) || typeof body !== 'string') throw new Error('its fields are of another kind');
  return { entry: Number(entry), at: Number(at), subject: String(subject), kind: String(kind), body, hash };
};

type One = (sql: string, ...values: unknown[]) => SqlRow | undefined;

const headOf = (one: One, entries: number, head: string): VerifierFinding | undefined => {
  const storedHead = one('SELECT entry, hash FROM head');
  if (Number(storedHead?.['entry'] ?? 0) === entries && (entries === 0 || textOf(storedHead?.['hash']) === head))
    return undefined;
  const detail = `it was written up to entry ${String(storedHead?.['entry'] ?? 'nothing')}`;
  return { what: 'head', entry: entries, detail };
};

const textOf = (value: unknown): string => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : '');

/** The chain proves the entries; the database itself checks the rest of the file. */
const damageOf = (database: Database.Database, entries: number): VerifierFinding | undefined => {
  try {
    const text = database.prepare<[], string>('PRAGMA integrity_check(1)').pluck().get();
    return text === 'ok' ? undefined : { what: 'unreadable', entry: entries, detail: String(text) };
  } catch (error) {
    return { what: 'unreadable', entry: entries, detail: String(error) };
  }
};

/** Checks that each stored sale has the same key and amount in the queue as in the journal. */
const queueOf = (database: Database.Database, entries: number): VerifierFinding | undefined => {
  try {
    const rows = database
      .prepare<[], SqlRow>(
        `SELECT e.entry, e.body AS intended, m.body, m.key FROM message m LEFT JOIN entry e
         ON e.subject = m.sale AND e.kind = 'intended' WHERE m.kind = 'forward' AND m.state IN ('waiting', 'parked')`,
      )
      .all();
    const wrong = rows.find((row) => !isSamePayment(row));
    return wrong && { what: 'queue', entry: Number(wrong['entry'] ?? entries), detail: '' };
  } catch (error) {
    return /no such table/.test(String(error))
      ? undefined
      : { what: 'unreadable', entry: entries, detail: String(error) };
  }
};

const isSamePayment = ({ intended, body, key }: SqlRow): boolean => {
  try {
    const { intent } = JSON.parse(String(intended)) as { intent: { key: string; amount: Record<string, unknown> } };
    const { minor, currency } = JSON.parse(String(body)) as Record<string, unknown>;
    return key === intent.key && minor === intent.amount['minor'] && currency === intent.amount['currency'];
  } catch {
    return false;
  }
};

const CHUNK = 65_536;
/** Longer than any entry: a file without line ends is not an export. */
const LINE_MOST = 4_000_000;

const openExport = (path: string): Source => ({
  *rows() {
    for (const line of linesOf(path)) {
      const { entry, at, subject, kind, body, hash } = JSON.parse(line) as Record<string, unknown>;
      yield rowOf({ entry, at, subject, kind, body, hash: Buffer.from(String(hash), 'hex') });
    }
  },
  rest: () => undefined,
  close: () => {},
});

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  const chunk = Buffer.alloc(CHUNK);
  let pending = Buffer.alloc(0);
  try {
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      pending = Buffer.concat([pending, chunk.subarray(0, size)]);
      for (let end = pending.indexOf(10); end >= 0; end = pending.indexOf(10)) {
        yield pending.toString('utf8', 0, end);
        pending = pending.subarray(end + 1);
      }
      if (pending.length > LINE_MOST) throw new Error('the file is neither a journal nor an export of one');
    }
    if (pending.length > 0) yield pending.toString('utf8');
  } finally {
    closeSync(file);
  }
}
