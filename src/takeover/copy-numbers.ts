/**
 * The numbers that a till's second copy has used, read outside the selling thread because the copy's disk may be gone
 * or hang.
 */
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { askThread } from '../journal/copy-disk.ts';
import type { Journal } from '../journal/journal.ts';

/** The highest numbers used, by terminal id. */
export type CopyNumbers = Readonly<Record<string, { sequence: number; batch: number; z: number }>>;

/**
 * The request to the thread. `key`: the check value of this till's key, so that another till's copy is not believed.
 */
export type CopyQuestion = { path: string; key: unknown; terminalIds: readonly string[] };

/** A person is waiting at a screen. Without the copy, numbers that may have been used are skipped. */
const WITHIN_MS = 10_000;

export type CopyNumbersParts = {
  journal: Journal;
  clock: Clock;
  terminalIds: readonly string[];
  secondCopy?: string | undefined;
  /** The thread's program. */
  thread?: URL;
};

/** Undefined when there is no copy, when it is another till's, and when its disk does not answer. */
export const copyNumbers = async ({
  journal,
  clock,
  terminalIds,
  secondCopy,
  thread = new URL('./copy-numbers-thread.ts', import.meta.url),
}: CopyNumbersParts): Promise<CopyNumbers | undefined> => {
  if (secondCopy === undefined) return undefined;
  const key = keyIn(journal.sql);
  const question: CopyQuestion = { path: join(secondCopy, 'journal.db'), key, terminalIds };
  const reported = await askThread<CopyNumbers | null>(thread, question, { clock, ms: WITHIN_MS });
  return reported ?? undefined;
};

/** The check value of the key of the till that owns this journal. */
export const keyIn = (sql: Journal['sql']): string | undefined => {
  const value = sql.get('SELECT check_value FROM till_key')?.['check_value'];
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value?.toString();
};
