/**
 * Seals: entries of the chain that carry the till's signature over all that stands before them. Whoever has the file,
 * but not the key, can make a chain that fits, and no seal for it.
 */
import { type Entry, entryOf, firstLink, type Head, link } from './chain.ts';
import { isSigned, type Signer } from './signing.ts';
import type { Sql, SqlRow } from './sql.ts';

/** The journal's entries about itself. */
export const JOURNAL = 'journal';
export const SEALED = 'sealed';

type Seal = {
  /** The last entry before the seal, and its hash in hex. */
  readonly entry: number;
  readonly hash: string;
  /** `yyyy-MM-dd` in UTC, of that entry. */
  readonly day: string;
  /** The id of the key. */
  readonly key: string;
  /** Stands in the first seal of a key. */
  readonly publicKey?: string;
  readonly signature: string;
};

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The body of a seal over all up to `head`, whose last entry was written at `at`. */
export const sealBody = (
  signer: Signer,
  { head, at, isFirst }: { head: Head; at: number; isFirst: boolean },
): string => {
  const { keyId: key, publicKey } = signer;
  const hash = Buffer.from(head.hash).toString('hex');
  const said = { entry: head.entry, hash, day: dayOf(at), key, publicKey: isFirst ? publicKey : undefined };
  return JSON.stringify({ ...said, signature: signer.sign('seal', signedBytes(said)) });
};

/** A seal's body as it stands; undefined for a text that is none. */
export const sealIn = (body: string): Seal | undefined => {
  try {
    const seal = JSON.parse(body) as Seal;
    return typeof seal.entry === 'number' && typeof seal.signature === 'string' ? seal : undefined;
  } catch {
    return undefined;
  }
};

/** The head of the chain at the last seal, if this key made it and it fits its place: what stands before is proven. */
export const sealedHead = (sql: Sql, publicKey: string): Head | undefined => {
  const row = lastSealRow(sql);
  if (row === undefined) return undefined;
  const entry = entryOf(row);
  const before = hashAt(sql, entry.entry - 1);
  if (before === undefined || !isSealBy(publicKey, entry, before)) return undefined;
  const hash = link(before, entry);
  return same(hash, row['hash']) ? { entry: entry.entry, hash } : undefined;
};

/** Whether this entry is a seal that this key made, over the chain that ends with the hash `before` it. */
export const isSealBy = (publicKey: string, { entry, subject, kind, body }: Entry, before: Uint8Array): boolean => {
  const seal = subject === JOURNAL && kind === SEALED ? sealIn(body) : undefined;
  if (seal === undefined || seal.entry !== entry - 1) return false;
  if (Buffer.from(before).toString('hex') !== seal.hash) return false;
  const { signature, ...said } = seal;
  return isSigned({ purpose: 'seal', publicKey, bytes: signedBytes(said), signature });
};

/** The last seal, whoever made it, and the entry that it is. */
export const lastSeal = (sql: Sql): (Seal & { at: Entry }) | undefined => {
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

const same = (hash: Uint8Array, stored: unknown): boolean =>
  stored instanceof Uint8Array && Buffer.from(hash).equals(Buffer.from(stored));

const signedBytes = ({ entry, hash, day, key, publicKey = '' }: Omit<Seal, 'signature'>): Uint8Array =>
  Buffer.from(JSON.stringify([entry, hash, day, key, publicKey]));
