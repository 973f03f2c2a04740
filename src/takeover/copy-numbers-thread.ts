/**
 * Reads the numbers of the second copy in its own thread. The copy may be in the middle of being written, and is only
 * read.
 */
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { batchesIn } from '../books/books.ts';
import { openSqlToRead } from '../journal/sql.ts';
import { lastBatch, lastZ } from '../reconciliation/batches.ts';
import type { Intent } from '../till/machine/facts.ts';
import { type CopyNumbers, type CopyQuestion, keyIn } from './copy-numbers.ts';

const numbersIn = ({ path, key, terminalIds }: CopyQuestion): CopyNumbers | null => {
  if (!existsSync(path)) return null;
  const copy = openSqlToRead(path);
  try {
    if (keyIn(copy) !== key) return null;
    const batches = batchesIn(copy);
    const intents = copy
      .all("SELECT body FROM entry WHERE kind = 'intended'")
      .map(({ body }) => (JSON.parse(String(body)) as { intent: Intent }).intent);
    const sequenceOf = (terminalId: string): number =>
      intents.reduce((most, one) => (one.terminalId === terminalId ? Math.max(most, one.sequence) : most), 0);
    return Object.fromEntries(
      terminalIds.map((id) => [
        id,
        { sequence: sequenceOf(id), batch: lastBatch(batches, id)?.batch ?? 0, z: lastZ(batches, id)?.number ?? 0 },
      ]),
    );
  } finally {
    copy.close();
  }
};

parentPort?.postMessage(numbersIn(workerData as CopyQuestion));
