/** A process of its own: matches a file of so many lines, made as it is read, and says the most memory it took. */
import { reconciler } from '../../src/reconciliation/reconcile.ts';
import { needed } from '../../src/reconciliation/settlement-columns.ts';
import { readSettlement } from '../../src/reconciliation/settlement-reader.ts';
import { cells, csv, expected, id, MERCHANT } from './settlement-lines.ts';

const LINES = Number(process.argv[2]);
const PAGE = 1_000;

async function* file(): AsyncGenerator<Uint8Array> {
  const columns = [...needed, 'UniqueID', 'TransactionId', 'AccountNumberLast4'];
  const [header = '', line = ''] = csv([cells({ UniqueID: 'UNIQUE', TransactionId: 'REFERENCE' })], columns).split(
    '\n',
  );
  yield Buffer.from(`${header}\n`);
  for (let from = 1; from <= LINES; from += PAGE) {
    const page = Array.from({ length: PAGE }, (_, at) => Math.min(from + at, LINES - 1));
    yield Buffer.from(page.map((n) => `${line.replace('UNIQUE', id(n)).replace('REFERENCE', id(n))}\n`).join(''));
  }
}

const books = reconciler(Array.from({ length: 1_000 }, (_, n) => expected(n + 1)));
for await (const line of readSettlement(file(), { file: 'made', merchantId: MERCHANT })) books.take(line);
const { records, refusedCount } = books.end();
const peakMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ lines: records + refusedCount, refused: refusedCount, peakMb }));
