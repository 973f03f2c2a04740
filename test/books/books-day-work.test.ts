/** Reading the books does not get more expensive during the day, counted in statements and rows and not in time. */
import { afterEach, expect, test } from 'vitest';
import type { Sql } from '../../src/journal/sql.ts';
import { booksRig, type Life, max, type Rig } from './manager-rig.ts';

let rig: Rig;
let till: Life;
afterEach(async () => {
  await till.close();
  rig.remove();
});

/** Counts the statements and rows read from the journal file while the work runs. */
const readBy = async (work: () => unknown): Promise<{ statements: number; rows: number }> => {
  const sql = till.running.journal.sql as { -readonly [name in keyof Sql]: Sql[name] };
  const { run, get, all } = sql;
  const read = { statements: 0, rows: 0 };
  const count = <T>(found: T): T => {
    read.statements += 1;
    read.rows += Array.isArray(found) ? found.length : 1;
    return found;
  };
  sql.run = (...of) => count(run(...of));
  sql.get = (...of) => count(get(...of));
  sql.all = (...of) => count(all(...of));
  try {
    await work();
  } finally {
    Object.assign(sql, { run, get, all });
  }
  return read;
};

/** One sale a minute, so that each comparison lists the same number of sales again. */
const sell = async (sales: number): Promise<void> => {
  for (let n = 0; n < sales; n += 1) {
    await rig.clock.advance(60_000);
    await till.sell(1_000n);
  }
};

test('X report, batch list, closing page and a batch read no more late in the day than early', async () => {
  rig = booksRig();
  till = await rig.open();
  const queries = {
    x: () => till.service.xReport(max),
    batches: () => till.service.batches(),
    batch: () => till.service.batch(1),
    closing: () => rig.done(till.service.closing()),
  };
  const look = async () => {
    const found: Record<string, unknown> = {};
    for (const [name, work] of Object.entries(queries)) found[name] = await readBy(work);
    return found;
  };
  await sell(6);
  await look();
  await sell(1);
  const earlyWork = await look();
  await sell(15);
  await look();
  await sell(1);
  expect(await look()).toEqual(earlyWork);
});

test('the table of a day is read a page at a time, and replays no finished sale', async () => {
  rig = booksRig();
  till = await rig.open();
  for (let n = 0; n < 12; n += 1) await till.sell(1_000n);
  const { bytes } = await till.service.download({ of: 'sales', as: 'csv' }, max);
  const read = await readBy(async () => {
    for await (const part of bytes as AsyncIterable<Uint8Array>) expect(part.length).toBeGreaterThan(0);
  });
  expect(read).toEqual({ statements: 1, rows: 12 });
});
