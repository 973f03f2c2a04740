/** The numbers that a till's second copy has given, read beside the thread that sells: its disk may be gone or hang. */
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { askThread } from '../journal/copy-disk.ts';
import type { Journal } from '../journal/journal.ts';

/** By terminal id, the highest that were given. */
export type CopyNumbers = Readonly<Record<string, { sequence: number; batch: number; z: number }>>;

/** What the thread is asked. `key`: the check value of this till's key, so that no other till's copy is believed. */
export type CopyQuestion = { path: string; key: unknown; terminalIds: readonly string[] };

/** Whoever waits is a person before a screen. Without the copy, numbers are left out that may have been given. */
const WITHIN_MS = 10_000;

export type CopyNumbersParts = {
  journal: Journal;
  clock: Clock;
  terminalIds: readonly string[];
  secondCopy?: string | undefined;
  /** The program of the thread. */
  thread?: URL;
};

/** Undefined where there is no copy, where it is another till's, and where its disk does not answer. */
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
  const told = await askThread<CopyNumbers | null>(thread, question, { clock, ms: WITHIN_MS });
  return told ?? undefined;
};

/** The check value of the key of the till whose journal this is. */
export const keyIn = (sql: Journal['sql']): string | undefined => {
  const value = sql.get('SELECT check_value FROM till_key')?.['check_value'];
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value?.toString();
};
