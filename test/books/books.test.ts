/** A till's business day: batches, X and Z reports, and a close that waits for open money or is interrupted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTill, TillOptions } from '../../src/app/start-till.ts';
import { systemClock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { overrideBytes } from '../../src/books/closing/close.ts';
import { xLines, zLines } from '../../src/books/reports/print.ts';
import { isSignedByTill } from '../../src/folder/keys/till-signer.ts';
import { canonical, verifyZ, type ZReport } from '../../src/reconciliation/z-report.ts';
import type { Host } from '../../src/till/ports.ts';
import { openShop, type Shop } from '../app/shop.ts';
import { cells, csv } from '../reconciliation/settlement-lines.ts';
import { type BookkeepingHost, bookkeepingHost } from '../support/till/bookkeeping-host.ts';

let shop: Shop;
let host: BookkeepingHost;
/** What becomes of the gateway's answers. */
let line: { up: boolean; silentFind?: boolean };
let running: RunningTill | undefined;

beforeEach(async () => {
  shop = openShop();
  line = { up: true };
  host = bookkeepingHost({
    mode: 'test',
    clock: systemClock,
    fate: () => 'answered',
    approves: (amount) => amount !== '6.66',
    takesMs: () => 0,
    timeoutMs: 1_000,
    requestLifeMs: 2_000,
  });
  const first = await start();
  await first.close();
  const config = JSON.parse(readFileSync(shop.file('till.json'), 'utf8')) as object;
  const businessDay = { cutOff: '04:00', timeZone: 'UTC' };
  writeFileSync(shop.file('till.json'), JSON.stringify({ ...config, businessDay }));
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  shop.remove();
});

const createHost = (): Host => ({
  ...host,
  async pay(parameters, key) {
    if (!line.up) return { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'as told' }) };
    return host.pay(parameters, key);
  },
  async find(id) {
    if (!line.up || line.silentFind) return { kind: 'silent', fault: new Fault('host.silent', { why: 'as told' }) };
    return host.find(id);
  },
  async list(period) {
    if (!line.up || line.silentFind) return { kind: 'silent', fault: new Fault('host.silent', { why: 'as told' }) };
    return host.list(period);
  },
});

const start = async (around: TillOptions['around'] = {}): Promise<RunningTill> => {
  running = await shop.start({ host: createHost, ...around });
  return running;
};

const restart = async (): Promise<RunningTill> => {
  await running?.close();
  return start();
};

const refund = (till: RunningTill, receipt: number, minor: bigint) =>
  till.till.refund({ receipt, amount: { minor, currency: 'EUR' } }, () => {}).done;

test('the sales of a day are in one batch; X reports leave it open, the Z report closes it', async () => {
  const till = await start();
  expect(till.books.batches()).toEqual([]);
  expect(() => till.books.x()).toThrow(expect.objectContaining({ code: 'books.nothingToClose' }));
  await shop.sell(till, 1_000n);
  await shop.sell(till, 666n);
  await shop.sell(till, 2_500n);
  await refund(till, 1, 400n);
  const x = till.books.x();
  expect(x).toMatchObject({ number: 1, batch: 1 });
  expect(till.books.x().number).toBe(2);
  expect(x.report.currencies[0]).toMatchObject({
    net: '31.00',
    operations: [
      { name: 'refund', count: 1, sum: '-4.00' },
      { name: 'sale', count: 2, sum: '35.00' },
    ],
    brands: [{ name: 'VISA', count: 3, sum: '31.00' }],
    declined: { count: 1, sum: '6.66' },
    refunds: { count: 1, sum: '-4.00' },
    unknown: { count: 0 },
  });
  const charges = x.report.currencies[0]?.places.find(({ account }) => account === 'charges');
  expect(charges).toMatchObject({
    intended: '41.66',
    buckets: { approved: '31.00', declined: '6.66', refunded: '4.00' },
  });
  const z = await till.books.close();
  expect(z).toMatchObject({ number: 1, batch: 1, previous: '0'.repeat(64), differences: [], open: [] });
  expect(z.brands.map(({ brand, till: tillSum, gateway }) => [brand, tillSum, gateway])).toEqual([
    ['VISA', '31.00', '31.00'],
  ]);
  await expect(till.books.close()).rejects.toMatchObject({ code: 'books.nothingToClose' });
});

test('across restarts numbers have no gaps, each sale is in one batch, and the Z reports form a chain', async () => {
  let till = await start();
  const statuses: string[] = [];
  for (let day = 1; day <= 3; day += 1) {
    await shop.sell(till, BigInt(day) * 100n);
    till = await restart();
    await shop.sell(till, 50n);
    expect(till.books.x().number).toBe(day);
    const z = await till.books.close();
    expect(z).toMatchObject({ number: day, batch: day });
    statuses.push(...till.books.sales(till.books.batch(day)).map(({ intent }) => intent.sale));
    till = await restart();
  }
  expect(new Set(statuses).size).toBe(6);
  expect(statuses).toHaveLength(6);
  const reports = till.books.batches().flatMap(({ z }) => (z ? [z] : []));
  verifyZ(reports);
  const changed = reports.map((z, index): ZReport => (index === 1 ? { ...z, closedAt: '2020-01-01 00:00:00' } : z));
  expect(() => verifyZ(changed)).toThrow(/Z report 2 fails its check: it was changed/);
  expect(() => verifyZ(reports.filter((_, index) => index !== 1))).toThrow(/Z report 3/);
});

test('a close sends what is unsent if it can, and otherwise says what is open', async () => {
  let till = await start();
  line.up = false;
  expect((await shop.sell(till, 1_200n)).offline).toBe('chip');
  const [open] = await till.books.open();
  expect(open).toMatchObject({ receipt: 1, amount: '12.00 EUR', place: 'notSent' });
  await expect(till.books.close()).rejects.toMatchObject({
    code: 'books.openMoney',
    message: expect.stringContaining('receipt 1: 12.00 EUR'),
  });
  expect(till.books.batch(1).state).toBe('open');
  line.up = true;
  till = await restart();
  expect(await till.books.close()).toMatchObject({ open: [], differences: [] });
});

test('an override names the amounts and is signed, and the next Z report says what became of them', async () => {
  let till = await start();
  line.up = false;
  await shop.sell(till, 1_200n);
  const z = await till.books.close({ override: { by: 'Ana', reason: 'the line is down' } });
  expect(z.open).toMatchObject([{ receipt: 1, amount: '12.00 EUR', place: 'notSent' }]);
  expect(z.override).toMatchObject({ by: 'Ana', reason: 'the line is down' });
  const { override, ...batch } = till.books.batch(1);
  if (override === undefined) throw new Error('there is an override');
  expect(isSignedByTill(override.publicKey, overrideBytes(batch, override), override.signature)).toBe(true);
  const other = overrideBytes(batch, { ...override, by: 'Bob' });
  expect(isSignedByTill(override.publicKey, other, override.signature)).toBe(false);
  line.up = true;
  till = await restart();
  await till.forwarder.drain('all');
  await shop.sell(till, 100n);
  const next = await till.books.close();
  expect(next.settled).toEqual([{ receipt: 1, batch: 1, amount: '12.00 EUR', place: 'approved' }]);
  till = await restart();
  await shop.sell(till, 100n);
  expect((await till.books.close()).settled).toEqual([]);
});

test.each(['batchClosing', 'batchClosed'])('after a crash at %s the close continues where it stopped', async (kind) => {
  const till = await start();
  await shop.sell(till, 1_000n);
  const { journal } = till;
  const { write } = journal;
  journal.write = (entries, also) => {
    if (entries.some((entry) => entry.kind === kind)) throw new Fault('journal.unwritable', { why: 'as told' });
    write(entries, also);
  };
  await expect(till.books.close()).rejects.toMatchObject({ code: 'journal.unwritable' });
  const next = await restart();
  const state = kind === 'batchClosing' ? 'open' : 'closing';
  expect(next.books.batch(1).state).toBe(state);
  await shop.sell(next, 500n);
  const z = await next.books.close();
  expect(z).toMatchObject({ number: 1, batch: 1 });
  expect(z.report.sales).toBe(state === 'open' ? 2 : 1);
  if (state === 'closing') expect((await next.books.close()).report.sales).toBe(1);
});

test('while the gateway does not answer the batch keeps closing, and the next batch takes the sales', async () => {
  const till = await start();
  await shop.sell(till, 1_000n);
  line.silentFind = true;
  await expect(till.books.close()).rejects.toMatchObject({ code: 'books.gatewaySilent' });
  await shop.sell(till, 700n);
  expect(till.books.batches().map(({ batch, state }) => [batch, state])).toEqual([
    [1, 'closing'],
    [2, 'open'],
  ]);
  line.silentFind = false;
  expect(await till.books.close()).toMatchObject({ number: 1, report: { sales: 1 } });
  expect(await till.books.close()).toMatchObject({ number: 2, report: { sales: 1 } });
});

test('payments that only the gateway has are in the Z report, receipt by receipt', async () => {
  const till = await start();
  const sale = await shop.sell(till, 1_000n);
  await host.refer(
    sale.answer?.payment ?? '',
    { paymentType: 'RV', merchantTransactionId: sale.intent.sale },
    'behind',
  );
  const z = await till.books.close();
  expect(z.differences).toMatchObject([{ receipt: 1, till: '10.00 EUR', gateway: '0.00 EUR' }]);
  expect(z.differences[0]?.why).not.toBe('');
  expect(z.brands[0]?.differing).toBe(1);
});

test('a settlement file may lack a voided sale, but no other sale', async () => {
  const till = await start();
  const voided = await shop.sell(till, 1_000n);
  const paid = await shop.sell(till, 2_000n);
  await shop.sell(till, 3_000n);
  const undone = await till.till.follow({ operation: 'void', receipt: 1 }, () => {}).done;
  expect(undone).toMatchObject({ ending: 'approved' });
  const merchant = { MerchantId: '0'.repeat(32), SettlementAmount: '20.00', SettlementFee: '', Amount: '20.00' };
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const line = cells({ ...merchant, UniqueID: paid.answer?.payment ?? '', TransactionId: '', SettlementDate: day });
  writeFileSync(shop.file('s.csv'), csv([line]));
  let matched = '';
  const result = await till.books.reconcile({
    file: shop.file('s.csv'),
    matched: async (text) => {
      matched += text;
    },
    batch: till.books.batch(1),
  });
  expect(voided.ending).toBe('approved');
  expect(result).toMatchObject({ records: 1, agreeing: 1, statuses: { MATCHED: 1 } });
  expect(result.findings.map(({ receipt, reasons }) => [receipt, reasons.map(({ name }) => name)])).toEqual([
    [3, ['notSettled']],
  ]);
  expect(matched).toContain(`;MATCHED;${paid.answer?.payment};`);
  const missing = till.books.reconcile({ file: shop.file('nowhere.csv') });
  await expect(missing).rejects.toMatchObject({ code: 'settlement.unreadable' });
});

test('reports fit the width of their paper', async () => {
  const till = await start();
  await shop.sell(till, 1_000n);
  await shop.sell(till, 666n);
  const x = till.books.x();
  const z = await till.books.close();
  for (const width of [32, 42] as const) {
    const lines = [
      ...xLines(x, till.config, { width, mode: till.mode }),
      ...zLines(z, till.config, { width, mode: till.mode }),
    ];
    expect(lines.filter((text) => text.length > width)).toEqual([]);
    expect(lines.join('\n')).toContain('Z REPORT 1');
  }
  expect(JSON.parse(canonical(z))).toEqual(JSON.parse(JSON.stringify(z)));
});
