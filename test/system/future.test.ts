/**
 * This version, as a process, on a till's folder of a newer version: what the newer version added does no harm, one
 * sale that only it can read is left alone, and selling continues.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import {
  addKeys,
  changeFile,
  entryOfFuture,
  gatewayOfFuture,
  journalOfFuture,
  writeEntries,
} from '../support/future/future.ts';
import { folder, trackProcesses } from './processes.ts';
import { serveAt, unmetChecks } from './served-till.ts';

trackProcesses();

const shop = (): string => join(folder, 'shop');
const ask = (file: string, statement: string): unknown => {
  const database = new Database(join(shop(), file), { readonly: true });
  try {
    return database.prepare(statement).raw().all();
  } finally {
    database.close();
  }
};

test('a till works on the folder of a newer version, except for the one sale that it cannot read', async () => {
  const older = await serveAt(shop());
  const fine = await older.sell('12.50');
  const newer = await older.sell('7.00');
  expect(unmetChecks(await older.closing())).toEqual([]);
  await older.stop();

  writeEntries(shop(), [
    entryOfFuture(fine.id, 'loyaltyNoted', { ignorable: true, points: 5 }),
    entryOfFuture(newer.id, 'surchargeAdded', { amount: { minor: '120', currency: 'EUR' } }),
    entryOfFuture('moon', 'phase', { full: true }),
  ]);
  journalOfFuture(shop());
  gatewayOfFuture(shop());
  changeFile(join(shop(), 'journal.db'), [
    `INSERT INTO message (id, kind, sale, key, body, state, attempts, unknowns, tried, due_at, note, put_at)
     VALUES ('x', 'loyalty', '${fine.id}', 'x', '{}', 'waiting', 0, 0, 0, 0, '', 1)`,
  ]);
  const config = addKeys(shop(), 'till.json', (file) => ({ ...file, keepCardDateDays: 5, kiosk: { on: true } }));

  const till = await serveAt(shop());
  const sale = await till.sell('3.00');
  expect(sale.ending).toBe('approved');
  expect(await till.refund(fine.receipt)).toMatchObject({ ending: 'approved', followsReceipt: fine.receipt });
  expect(await till.get(`sales/${newer.receipt}`)).toMatchObject({
    ending: 'unknown',
    says: expect.stringContaining('surchargeAdded'),
    may: [],
  });
  for (const operation of ['refund', 'void', 'completion'] as const)
    expect(await till.follow(newer.receipt, operation)).toEqual({ status: 422, code: 'sale.newer' });
  expect(await till.post(`open-items/${newer.receipt}`, { action: 'askNow' })).toMatchObject({ code: 'sale.newer' });
  const open = await till.openItems();
  expect(open.map(({ receipt, kind, actions }) => [receipt, kind, actions])).toEqual([
    [newer.receipt, 'person', []],
    [fine.receipt, 'parked', []],
  ]);
  const closing = await till.closing();
  expect(closing.mayClose).toBe(false);
  expect(closing.checks.flatMap(({ open: amounts }) => amounts)).toMatchObject([
    {
      receipt: newer.receipt,
      amount: '7.00 EUR',
      why: expect.stringContaining('a newer version of this program'),
      next: expect.stringMatching(/^Start the newer/),
    },
  ]);
  expect(await till.post('closing', {})).toMatchObject({ code: 'books.openMoney' });
  const { code, err } = await till.stop();
  expect(code).toBe(0);
  expect(err).toContain('till.json contains keepCardDateDays, which this version does not know.');
  expect(err).toContain('Did you mean keepCardDataDays?');
  expect(err).toContain('till.json contains kiosk, which this version does not know.');

  expect(JSON.parse(readFileSync(join(shop(), 'till.json'), 'utf8'))).toEqual(config);
  expect(ask('journal.db', 'SELECT card, points FROM loyalty')).toEqual([['7', 3]]);
  expect(ask('journal.db', "SELECT state, attempts FROM message WHERE kind = 'loyalty'")).toEqual([['parked', 0]]);
  expect(
    ask('journal.db', 'SELECT worked_by < (SELECT user_version FROM pragma_user_version) FROM journal_reach'),
  ).toEqual([[1]]);
  expect(ask('gateway.db', 'SELECT worked_by = version - 1 FROM schema_version')).toEqual([[1]]);
  const verifier = join(import.meta.dirname, '../../src/journal/verifier/main.ts');
  const { stdout } = spawnSync(process.execPath, [verifier, join(shop(), 'journal.db')], { encoding: 'utf8' });
  expect(stdout).toMatch(/all in order: 4 sales/);
});
