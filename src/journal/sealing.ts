/** When the chain is sealed: before the first entry of a new day, after very many entries, and when somebody asks. */
import { type Entry, type Head, link } from './chain.ts';
import { dayOf, JOURNAL, lastSeal, SEALED, sealBody } from './day-seal.ts';
import type { Signer } from './signing.ts';
import type { Sql } from './sql.ts';

// The end of the chain: what was written last, and what the next entry follows.

export type NewEntry = { subject: string; kind: string; body: string };

interface ChainEnd {
  readonly head: Head;
  /** Wall time of the last entry, ms. */
  readonly lastAt: number;
  /** Appends entries, and does `also`, in one durable step. When it throws, `head` is what stands on the disk. */
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
        // A commit can fail after it has reached the disk: what stands there is what counts.
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

const append = (sql: Sql, before: Head, fresh: NewEntry & { at: number }): Head => {
  const entry: Entry = { entry: before.entry + 1, ...fresh };
  const hash = link(before.hash, entry);
  const row = [entry.entry, entry.at, entry.subject, entry.kind, entry.body, hash];
  sql.run('INSERT INTO entry (entry, at, subject, kind, body, hash) VALUES (?, ?, ?, ?, ?, ?)', ...row);
  return { entry: entry.entry, hash };
};

interface Sealing {
  /** Whether this key has sealed nothing yet. */
  by(signer: Signer): { isNew: boolean };
  isDue(now: number): boolean;
  /** The seal over all there is, for the step that is written now. None without a key. */
  entry(now: number): NewEntry[];
  /** It stands: as this entry. */
  stands(at: number): void;
  /** A step failed: what stands on the disk is what counts. */
  reread(): void;
  /** Entries since the last seal. */
  unsealed(): number;
}

/** So many entries are hashed at a start in about a tenth of a second, with the small memory that a till is given. */
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
    stands(at) {
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
