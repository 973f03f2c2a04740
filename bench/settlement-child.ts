/**
 * A separate process whose memory is measured: `fill` puts a batch with this many records into a folder's database,
 * `write` writes its file and matches it as a till does, `peer` writes as many lines with csv-stringify alone.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { openStore } from '../src/gateway/database/open.ts';
import { placeFile } from '../src/gateway/reports/placed-file.ts';
import { settlementLine } from '../src/gateway/reports/settlement-csv.ts';
import { batchFile } from '../src/gateway/reports/settlement-file.ts';
import { keyOf, recordOf } from '../src/gateway/reports/settlement-record.ts';
import { termsOf } from '../src/gateway/reports/terms.ts';
import { settlementColumns } from '../src/gateway/spec/settlement-columns.ts';
import type { Payment } from '../src/gateway/store/records.ts';
import { reconciler } from '../src/reconciliation/reconcile.ts';
import type { ExpectedSale } from '../src/reconciliation/settlement-match.ts';
import { readSettlement } from '../src/reconciliation/settlement-reader.ts';

const [work = '', folder = '', count = '0'] = process.argv.slice(2);
const LINES = Number(count);
const ENTITY = 'e'.repeat(32);
const DAY = '2026-11-21';
const ID = 'b'.repeat(32);
const SUM = 'c'.repeat(32);
const AT_ONCE = 1_000;
/** A till's own sales in the file of a large merchant. */
const OWN_SALE_EVERY = 1_000;
const terms = termsOf({ entityId: ENTITY, name: 'Corner Shop' });
const idOf = (n: number): string => n.toString(16).padStart(32, '0');

const paymentOf = (n: number): Payment => ({
  id: idOf(n),
  entityId: ENTITY,
  paymentType: 'DB',
  paymentMethod: 'CC',
  amount: { minor: BigInt(100 + (n % 50_000)), currency: 'EUR' },
  at: Date.parse(`${DAY}T08:00:00Z`) + n,
  shortId: '1234.5678.9012',
  merchantTransactionId: idOf(n),
  rootId: idOf(n),
  facts: {
    descriptor: 'Corner Shop',
    requestId: idOf(n),
    acquirerId: idOf(n),
    paymentBrand: 'VISA',
    card: { last4Digits: '0010', holder: 'Jane Jones', expiryMonth: '12', expiryYear: '2030' },
    echo: {},
  },
  state: 'done',
  resultCode: '000.100.110',
});

const rowOf = (n: number) => recordOf({ payment: paymentOf(n), before: [] }, DAY, terms)?.row ?? {};

const openFolder = () => openStore(join(folder, 'gateway.db'));

const fill = async () => {
  const store = await openFolder();
  const batch = { id: ID, entityId: ENTITY, day: DAY, madeAt: 0 };
  await store.transact([], ({ settlements }) => settlements.addSettlement({ ...batch, records: 0 }));
  for (let from = 1; from <= LINES; from += AT_ONCE) {
    const records = Array.from({ length: Math.min(AT_ONCE, LINES - from + 1) }, (_, index) => ({
      number: from + index,
      key: keyOf({ id: idOf(from + index) }),
      written: { sumId: SUM, recordType: 'SETTLED' as const, line: settlementLine(rowOf(from + index)) },
    }));
    await store.transact([], ({ settlements }) => settlements.addRecords(ID, records));
  }
  await store.transact([], ({ settlements }) =>
    settlements.changeSettlement({ ...batch, records: LINES, closedAt: 1 }),
  );
  await store.close();
  return { records: LINES };
};

const expectedOf = (n: number): ExpectedSale => ({
  ...{ sale: idOf(n), receipt: n, payment: idOf(n), currency: 'EUR', date: DAY, place: 'approved', last4: '0010' },
  ...{
    till: BigInt(100 + (n % 50_000)),
    gateway: BigInt(100 + (n % 50_000)),
    intended: BigInt(100 + (n % 50_000)),
    tip: 0n,
  },
});

const write = async () => {
  const store = await openFolder();
  const path = join(folder, 'settlement.csv');
  const startedAt = performance.now();
  const { bytes } = await placeFile({ path, pieces: batchFile(store, ID), id: 'bench', now: 0 });
  const written = performance.now();
  await store.close();
  const books = reconciler(Array.from({ length: OWN_SALE_EVERY }, (_, n) => expectedOf(n + 1)));
  for await (const line of readSettlement(createReadStream(path), { file: path, merchantId: ENTITY })) books.take(line);
  const { records, refusedCount, agreeing } = books.end();
  const matchedAt = performance.now();
  return { writeMs: written - startedAt, matchMs: matchedAt - written, bytes, records, refusedCount, agreeing };
};

const peer = async () => {
  const rows = function* () {
    for (let n = 1; n <= LINES; n += 1) yield row;
  };
  const sample = rowOf(1);
  const row = settlementColumns.map((column) => sample[column] ?? '');
  const startedAt = performance.now();
  const target = createWriteStream(join(folder, 'peer.csv'));
  await pipeline(Readable.from(rows()), stringify({ delimiter: ';' }), target);
  return { writeMs: performance.now() - startedAt };
};

const tasks: Readonly<Record<string, () => Promise<object>>> = { fill, write, peer };
const taskFigures = await tasks[work]?.();
process.stdout.write(JSON.stringify({ ...taskFigures, peakMb: Math.round(process.resourceUsage().maxRSS / 1024) }));
