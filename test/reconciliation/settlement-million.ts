/**
 * A separate process: matches a file of the given number of lines, generated while it is read, and prints its peak
 * memory.
 */
import { reconciler } from '../../src/reconciliation/reconcile.ts';
import { needed } from '../../src/reconciliation/settlement-columns.ts';
import { readSettlement } from '../../src/reconciliation/settlement-reader.ts';
import { cells, csv, expected, id, MERCHANT } from './settlement-lines.ts';

const LINES = Number(process.argv[2]);
const PAGE = 1_000;
const LOOKS = 4;

/** Memory in use after garbage collection, which does not depend on what else the machine does. */
const heldBytes = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

async function* file(): AsyncGenerator<Uint8Array> {
  const columns = [...needed, 'UniqueID', 'TransactionId', 'AccountNumberLast4'];
  const [header = '', line = ''] = csv([cells({ UniqueID: 'UNIQUE', TransactionId: 'REFERENCE' })], columns).split(
    '\n',
  );
  yield Buffer.from(`${header}\n`);
  for (let from = 1; from <= LINES; from += PAGE) {
    const page = Array.from({ length: PAGE }, (_, index) => Math.min(from + index, LINES - 1));
    yield Buffer.from(page.map((n) => `${line.replace('UNIQUE', id(n)).replace('REFERENCE', id(n))}\n`).join(''));
  }
}

const books = reconciler(Array.from({ length: 1_000 }, (_, n) => expected(n + 1)));
let [takenCount, peakBytes] = [0, 0];
for await (const line of readSettlement(file(), { file: 'made', merchantId: MERCHANT })) {
  books.take(line);
  takenCount += 1;
  if (takenCount % Math.ceil(LINES / LOOKS) === 0) peakBytes = Math.max(peakBytes, heldBytes());
}
const { records, refusedCount } = books.end();
const peakMb = peakBytes / 2 ** 20;
process.stdout.write(JSON.stringify({ lines: records + refusedCount, refused: refusedCount, peakMb }));
