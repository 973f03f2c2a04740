/**
 * Seals: entries with the till's signature over everything before them. Without the key, the file's owner can compute a
 * valid chain, but not a seal for it.
 */
import { type Entry, entryOf, firstLink, type Head, hashOfEntry } from './chain.ts';
import { isSigned, type Signer } from './signing.ts';
import type { Sql, SqlRow } from './sql.ts';

/** The subject of entries about the journal itself. */
export const JOURNAL = 'journal';
const SEALED = 'sealed';

type Seal = {
  /** The last entry before the seal, and its hash in hex. */
  readonly entry: number;
  readonly hash: string;
  /** `yyyy-MM-dd` in UTC, of that entry. */
  readonly day: string;
  /** The id of the key. */
  readonly key: string;
  /** Only in a key's first seal. */
  readonly publicKey?: string;
  readonly signature: string;
};

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The body of a seal over everything up to `head`, whose last entry was written at `at`. */
const sealBody = (signer: Signer, { head, at, isFirst }: { head: Head; at: number; isFirst: boolean }): string => {
  const { keyId: key, publicKey } = signer;
  const hash = Buffer.from(head.hash).toString('hex');
  const unsigned = { entry: head.entry, hash, day: dayOf(at), key, publicKey: isFirst ? publicKey : undefined };
  return JSON.stringify({ ...unsigned, signature: signer.sign('seal', signedBytes(unsigned)) });
};

/** Parses a seal's body; undefined for any other text. */
export const sealIn = (body: string): Seal | undefined => {
  try {
    const seal = JSON.parse(body) as Seal;
    return typeof seal.entry === 'number' && typeof seal.signature === 'string' ? seal : undefined;
  } catch {
    return undefined;
  }
};

/** The head of the chain at the last seal, if this key signed it and it fits: everything before it is proven. */
export const sealedHead = (sql: Sql, publicKey: string): Head | undefined => {
  const row = lastSealRow(sql);
  if (row === undefined) return undefined;
  const entry = entryOf(row);
  const before = hashAt(sql, entry.entry - 1);
  if (before === undefined || !isSealBy(publicKey, entry, before)) return undefined;
  const hash = hashOfEntry(before, entry);
  return isSameHash(hash, row['hash']) ? { entry: entry.entry, hash } : undefined;
};

/** Whether this entry is this key's seal over the chain that ends with the hash `before`. */
export const isSealBy = (publicKey: string, { entry, subject, kind, body }: Entry, before: Uint8Array): boolean => {
  const seal = subject === JOURNAL && kind === SEALED ? sealIn(body) : undefined;
  if (seal === undefined || seal.entry !== entry - 1) return false;
  if (Buffer.from(before).toString('hex') !== seal.hash) return false;
  const { signature, ...content } = seal;
  return isSigned({ purpose: 'seal', publicKey, bytes: signedBytes(content), signature });
};

/** The last seal, by any key, and its entry. */
const lastSeal = (sql: Sql): (Seal & { at: Entry }) | undefined => {
  const row = lastSealRow(sql);
  const at = row && entryOf(row);
  const seal = at && sealIn(at.body);
  return at && seal && { ...seal, at };
};

const lastSealRow = (sql: Sql): SqlRow | undefined =>
  sql.get('SELECT * FROM entry WHERE subject = ? AND kind = ? ORDER BY entry DESC LIMIT 1', JOURNAL, SEALED);

const hashAt = (sql: Sql, entry: number): Uint8Array | undefined => {
  if (entry === 0) return firstLink;
  const hash = sql.get('SELECT hash FROM entry WHERE entry = ?', entry)?.['hash'];
  return hash instanceof Uint8Array ? hash : undefined;
};

const isSameHash = (hash: Uint8Array, stored: unknown): boolean =>
  stored instanceof Uint8Array && Buffer.from(hash).equals(Buffer.from(stored));

const signedBytes = ({ entry, hash, day, key, publicKey = '' }: Omit<Seal, 'signature'>): Uint8Array =>
  Buffer.from(JSON.stringify([entry, hash, day, key, publicKey]));

// The end of the chain: the last entry, and the one that the next entry follows.

export type NewEntry = { subject: string; kind: string; body: string };

interface ChainEnd {
  readonly head: Head;
  /** Wall time of the last entry, ms. */
  readonly lastAt: number;
  /** Appends entries, and does `also`, in one durable step. When it throws, `head` is what is on the disk. */
  append(entries: readonly NewEntry[], at: number, also?: (length: number) => void): void;
}

export const openEnd = (sql: Sql, opened: Head): ChainEnd => {
  let head = opened;
  let lastAt = lastTime(sql);
  return {
    get head() {
      return head;
    },
    get lastAt() {
      return lastAt;
    },
    append(entries, at, also) {
      try {
        head = sql.atomically(() => {
          const last = entries.reduce((before, entry) => append(sql, before, { ...entry, at }), head);
          sql.run('INSERT OR REPLACE INTO head (only, entry, hash) VALUES (1, ?, ?)', last.entry, last.hash);
          also?.(last.entry);
          return last;
        });
        lastAt = at;
      } catch (error) {
        // A commit can fail after it has reached the disk: the state of the disk counts.
        head = storedHead(sql) ?? head;
        lastAt = lastTime(sql);
        throw error;
      }
    },
  };
};

const lastTime = (sql: Sql): number => Number(sql.get('SELECT at FROM entry ORDER BY entry DESC LIMIT 1')?.['at'] ?? 0);

const storedHead = (sql: Sql): Head | undefined => {
  const { entry, hash } = sql.get('SELECT entry, hash FROM head') ?? {};
  return hash instanceof Uint8Array ? { entry: Number(entry), hash } : undefined;
};

const append = (sql: Sql, before: Head, added: NewEntry & { at: number }): Head => {
  const entry: Entry = { entry: before.entry + 1, ...added };
  const hash = hashOfEntry(before.hash, entry);
  const row = [entry.entry, entry.at, entry.subject, entry.kind, entry.body, hash];
  sql.run('INSERT INTO entry (entry, at, subject, kind, body, hash) VALUES (?, ?, ?, ?, ?, ?)', ...row);
  return { entry: entry.entry, hash };
};

/** When the chain is sealed: before the first entry of a new day, after many entries, and on request. */
interface Sealing {
  /** Whether this key has not sealed anything yet. */
  by(signer: Signer): { isNew: boolean };
  isDue(now: number): boolean;
  /** The seal over everything so far, for the step being written. None without a key. */
  entry(now: number): NewEntry[];
  /** Call it once the seal is durable, as this entry. */
  noteSealed(at: number): void;
  /** Call it after a failed step, because the state of the disk counts. */
  reread(): void;
  /** Entries since the last seal. */
  unsealed(): number;
}

/** How many entries a start hashes in about a tenth of a second, with a till's small memory. */
const UNSEALED_MOST = 5_000;

export const openSealing = (sql: Sql, end: ChainEnd): Sealing => {
  let signer: Signer | undefined;
  let last = lastKnown(sql);
  const unsealed = () => end.head.entry - last.at;
  return {
    by(now) {
      signer = now;
      return { isNew: last.key !== now.keyId };
    },
    isDue: (now) =>
      signer !== undefined && unsealed() > 0 && (dayOf(end.lastAt) !== dayOf(now) || unsealed() >= UNSEALED_MOST),
    entry(now) {
      if (signer === undefined) return [];
      const at = end.head.entry === 0 ? now : end.lastAt;
      const body = sealBody(signer, { head: end.head, at, isFirst: last.key !== signer.keyId });
      return [{ subject: JOURNAL, kind: SEALED, body }];
    },
    noteSealed(at) {
      last = { at, key: signer?.keyId };
    },
    reread() {
      last = lastKnown(sql);
    },
    unsealed,
  };
};

const lastKnown = (sql: Sql): { at: number; key: string | undefined } => {
  const seal = lastSeal(sql);
  return { at: seal?.at.entry ?? 0, key: seal?.key };
};
