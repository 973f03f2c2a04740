/** The end of the chain: what was written last, and what the next entry follows. */
import { type Entry, link } from './chain.ts';
import type { Sql } from './sql.ts';
import type { Head } from './verify.ts';

export type NewEntry = { subject: string; kind: string; body: string };

export interface ChainEnd {
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
  sql.run(
    'INSERT INTO entry (entry, at, subject, kind, body, hash) VALUES (?, ?, ?, ?, ?, ?)',
    ...[entry.entry, entry.at, entry.subject, entry.kind, entry.body, hash],
  );
  return { entry: entry.entry, hash };
};
