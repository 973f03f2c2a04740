/**
 * What a sale, the state of the counters and each list read from the till's file: the same however many sales there
 * are.
 */
import { afterEach, expect, test } from 'vitest';
import type { Sql } from '../../src/journal/sql.ts';
import { openSellingService } from '../../src/selling/service.ts';
import type { Intent } from '../../src/till/machine/facts.ts';
import { booksRig, type Life, max, type Rig } from '../books/manager-rig.ts';
import { events, intent } from '../reconciliation/sale-cases.ts';
import { type CountedSql, countedSql, growingSteps, type SqlWork, sizesIn } from '../support/disk/counted-sql.ts';

const FEW = 60;
const MANY = 400;
/** The number of each kind. */
const STUCK = 3;

let rig: Rig;
afterEach(() => rig?.remove());

type Till = Life & { sql: CountedSql; selling: ReturnType<typeof openSellingService> };

const openTill = async (): Promise<Till> => {
  let counted: CountedSql | undefined;
  rig = booksRig({
    around: (sql: Sql) => {
      counted = countedSql(sql);
      return counted;
    },
  });
  const life = await rig.open();
  if (counted === undefined) throw new Error('no file was opened');
  const { running, audit, events: reported } = life;
  const report = (error: unknown): void => void life.reported.push(error);
  const { clock, chance } = rig;
  const parts = { running, clock, ids: chance.ids, events: reported, report, note: audit.note, mode: 'test' as const };
  return { ...life, sql: counted, selling: openSellingService(parts) };
};

const answer = { code: '000.100.110', description: 'done', payment: 'c'.repeat(32) };
const id = (n: number): string => n.toString(16).padStart(32, '0');

/**
 * Every tenth sale is a pre-authorisation, charged by the next sale; every twentieth is unpaid, and was written off.
 */
const fill = (till: Till, sales: number): void => {
  const { ledger, config } = till.running;
  const created = Array.from({ length: sales }, (_, index) => {
    const receipt = index + 1;
    if (receipt % 20 === 5) return [];
    const sale = id(receipt);
    const facts = { sale, key: sale, receipt, sequence: receipt, terminalId: config.terminalId };
    const parent = { sale: id(receipt - 1), payment: answer.payment, receipt: receipt - 1 };
    const kind =
      receipt % 10 === 0
        ? { operation: 'preauthorisation' as const }
        : receipt % 10 === 1 && receipt > 1
          ? { operation: 'completion' as const, follows: parent }
          : {};
    const amount = { minor: BigInt(1_000 + ('follows' in kind ? receipt - 1 : receipt)), currency: 'EUR' };
    const began = intent({ ...facts, at: rig.clock.now() - (sales - index) * 1_000, cashier: 'Anna', amount, ...kind });
    const steps = 'follows' in kind ? [events.approved] : [events.read, events.approved, events.done];
    return [{ on: 'intended', intent: began } as const, ...steps].map((event) => ({ sale, event }));
  });
  ledger.recordAll(created.flat());
  for (let receipt = 5; receipt <= sales; receipt += 20)
    writeOff(till, receipt, rig.clock.now() - (sales - receipt) * 1_000);
};

/** A sale taken offline, then declined. */
const leaveUnpaid = ({ running: { ledger, config } }: Till, receipt: number, more: Partial<Intent> = {}): void => {
  const sale = id(receipt);
  const intentOf = intent({ sale, key: sale, receipt, sequence: receipt, terminalId: config.terminalId, ...more });
  const forward = messageOf(sale, 'forward');
  ledger.recordAll([
    { sale, event: { on: 'intended', intent: intentOf } },
    { sale, event: events.read },
    { sale, event: events.unreached },
    { sale, event: events.done, message: forward },
  ]);
  ledger.settle(forward.key, sale, { on: 'forwarded', approved: false, answer: { ...answer, code: '800.100.155' } });
};

const writeOff = (till: Till, receipt: number, at: number): void => {
  leaveUnpaid(till, receipt, { at, cashier: 'Anna' });
  till.running.unpaid.end(receipt, { how: 'writtenOff', who: 'Max', role: 'manager', reason: 'never came back' });
};

const messageOf = (sale: string, kind: 'forward' | 'reversal') => ({ kind, sale, key: `${sale}${kind}`, body: '{}' });

/**
 * Things that only a person ends: unpaid sales, payments that a terminal cannot report, reversals that were refused.
 */
const addStuckSales = (till: Till, from: number): void => {
  const { ledger, config, outbox, journal } = till.running;
  const intentOf = (n: number, more = {}) => {
    const sale = id(from + n);
    const facts = { sale, key: sale, receipt: from + n, sequence: from + n, terminalId: config.terminalId };
    return { sale, entry: { sale, event: { on: 'intended' as const, intent: intent({ ...facts, ...more }) } } };
  };
  for (let n = 0; n < STUCK; n += 1) {
    leaveUnpaid(till, from + 3 * n + 1);
    const unreported = intentOf(3 * n + 2, { by: 'terminal' });
    ledger.recordAll([
      unreported.entry,
      { sale: unreported.sale, event: { on: 'terminalNoted', device: 'Z', before: { text: 'none' } } },
      { sale: unreported.sale, event: { on: 'terminalSilent', why: 'no answer' } },
      { sale: unreported.sale, event: { on: 'terminalUnclear', why: 'it names another payment' } },
    ]);
    const refused = intentOf(3 * n + 3);
    ledger.recordAll([
      refused.entry,
      { sale: refused.sale, event: events.chipRead },
      { sale: refused.sale, event: events.approved },
      {
        ...{ sale: refused.sale, message: messageOf(refused.sale, 'reversal') },
        event: { on: 'chipGone', why: 'pulled' },
      },
    ]);
    journal.sql.atomically(() => outbox.park(`${refused.sale}reversal`, '800.900.300 invalid authentication'));
  }
};

const anna = { name: 'Anna', role: 'cashier', permissions: ['sell'] } as const;

const sellOne = async ({ selling }: Till): Promise<void> => {
  const sale = await selling.begin(
    { operation: 'sale', amount: { amount: '7.00', currency: 'EUR' } },
    anna,
    rig.chance.ids.next(),
  );
  const isOver = (): boolean => selling.liveSale(sale.id).terminalFree;
  while (!isOver()) await rig.clock.advance(10);
};

/** The work of each operation and list on the second call, when the caches are filled. */
const workOf = async (till: Till): Promise<Record<string, SqlWork>> => {
  const { selling, service, sql } = till;
  const lists: Record<string, () => unknown> = {
    line: () => selling.line(),
    'open items': () => service.openItems(),
    today: () => service.today(),
    holds: () => selling.holds(),
    batches: () => service.batches(),
    'an X report': () => service.xReport(max),
    sales: () => selling.sales({ from: 0, most: 20 }),
    'sales of a cashier': () => selling.sales({ from: 10, most: 20, cashier: 'Anna' }),
    'search of an amount': () => selling.sales({ from: 0, most: 20, search: '10.07' }),
    'search of a receipt': () => selling.sales({ from: 0, most: 20, search: '7' }),
    'claim of a card': () => selling.claim({ last4: '0010' }),
    'claim of an amount': () => selling.claim({ amount: { amount: '10.07', currency: 'EUR' } }),
    'claim of a card and an amount': () =>
      selling.claim({ last4: '0010', amount: { amount: '10.07', currency: 'EUR' } }),
    'claim of an hour': () => selling.claim({ from: rig.clock.now() - 40_000, to: rig.clock.now() - 20_000 }),
    'what is likely': () => selling.likely({ amount: '10.07', currency: 'EUR' }),
    'search of a day': () => selling.sales({ from: 0, most: 20, search: '2026-01-01' }),
  };
  await sellOne(till);
  for (const list of Object.values(lists)) await list();
  const work: Record<string, SqlWork> = {};
  sql.takeWork();
  await sellOne(till);
  work['a sale'] = sql.takeWork();
  for (const [name, list] of Object.entries(lists)) {
    await list();
    work[name] = sql.takeWork();
  }
  return work;
};

/** The result of `measure` at a till with this many sales. */
const tillOf = async <T>(sales: number, measure: (till: Till) => Promise<T>, isStuck = true): Promise<T> => {
  const till = await openTill();
  fill(till, sales);
  if (isStuck) addStuckSales(till, sales);
  expect(till.service.openItems()).toHaveLength(isStuck ? 3 * STUCK : 0);
  const seen = await measure(till);
  await rig.done(Promise.resolve(till.selling.close()));
  await till.close();
  rig.remove();
  return seen;
};

test('open items that are stuck for hours slow down neither a sale nor a figure', async () => {
  const stuck = await tillOf(FEW, workOf);
  const withoutStuck = await tillOf(FEW, workOf, false);
  const times = (work: SqlWork | undefined) => [...(work ?? [])].map(([text, done]) => [done.times, text]);
  for (const name of ['a sale', 'line', 'today', 'holds'])
    expect(times(stuck[name])).toEqual(times(withoutStuck[name]));
}, 60_000);

test('a sale and each list read no more after many sales than after a few, with items stuck for hours', async () => {
  const fewSales = await tillOf(FEW, async (till) => ({ work: await workOf(till), sizes: sizesIn(till.sql) }));
  const many = await tillOf(MANY, async (till) => {
    const work = await workOf(till);
    const grown = [...sizesIn(till.sql)].filter(([name, rows]) => rows - (fewSales.sizes.get(name) ?? 0) > MANY / 40);
    const texts = Object.values(work).flatMap((one) => [...one.keys()]);
    return { work, steps: growingSteps(till.sql, new Set(texts), new Set(grown.map(([name]) => name))) };
  });
  expect(many.work).toEqual(fewSales.work);
  // A report reads each kind of line once, and a list reads one row per currency.
  const sumsRead = (name: string) => [...(many.work[name] ?? [])].filter(([text]) => /FROM\s+book_sum/.test(text));
  expect(sumsRead('batches').map(([, done]) => done)).toEqual([{ times: 1, rows: 1 }]);
  // Each unpaid sale is read once, the tries of a card once for all, and evidence only when there is more of it.
  const ofItems = [...(many.work['open items'] ?? [])];
  const timesOf = (table: RegExp) => ofItems.filter(([text]) => table.test(text)).map(([, { times }]) => times);
  expect([timesOf(/FROM unpaid_try/), timesOf(/FROM card_try/)]).toEqual([[STUCK], [1]]);
  expect(ofItems.filter(([text]) => /SELECT \* FROM entry|SELECT rowid, .* WHERE sale = \?/.test(text))).toEqual([]);
  // A follow-up shows the card of its payment, which is cached too.
  const readAnew = (name: string) => [...(many.work[name]?.keys() ?? [])].filter((text) => text.includes('FROM entry'));
  expect([readAnew('sales'), readAnew('sales of a cashier')]).toEqual([[], []]);
  expect(sumsRead('an X report').map(([, { times }]) => times)).toEqual([1, 1]);
  // The entries since the last check are new; the limits of the hour and the day begin within a quarter-hour.
  const ofQuarter = /^SEARCH offline_sale .*(at|up_ms)>\? AND (at|up_ms)<\?\)/;
  expect(many.steps.filter((step) => !ofQuarter.test(step))).toEqual([
    expect.stringMatching(/^SEARCH e .*rowid>\?.* e\.entry > \? AND e\.entry <= \?$/),
  ]);
}, 60_000);
