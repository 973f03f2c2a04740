/** The figures of X and Z reports on paper, in JSON, and calculated independently from the journal are the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { booksOf } from '../../src/books/journal-tools.ts';
import { xLines, zCopyLines, zLines } from '../../src/books/reports/print.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { reportLanguage } from '../../src/locales/reports.ts';
import type { CurrencyReport } from '../../src/reconciliation/report.ts';
import type { SaleEvent } from '../../src/till/machine/events.ts';
import { events } from '../reconciliation/sale-cases.ts';
import { type Dice, dice, SEED } from '../support/chance/dice.ts';
import { fixedMoment, never, openRig, takeSale } from './books-rig.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'figures-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The tests skip the mark around the figures. */
const mode = 'test';

const places = { EUR: 2, JPY: 0, TND: 3 } as const;
const currencies = ['EUR', 'JPY', 'TND'] as const;

/** Sells for a day: sales, declines, refunds and voids in three currencies, some with tips. */
const sellDay = (ledger: ReturnType<typeof openRig>['ledger'], chance: Dice): void => {
  for (let n = 0; n < 40; n += 1) {
    const currency = chance.one(currencies);
    const minor = BigInt(chance.between(2, 99_999));
    const tip = chance.percent(30) ? { tip: { minor: 1n, currency } } : {};
    const created = chance.percent(20) ? { made: [events.read, events.declined, events.done] } : {};
    const cashier = { cashier: chance.one(['Anna', 'Bo']) };
    const sale = takeSale(ledger, chance, { amount: { minor, currency }, ...tip, ...created, ...cashier });
    if ('made' in created || chance.percent(60)) continue;
    const follows = { sale, payment: 'c'.repeat(32), receipt: n + 1 };
    const isVoid = chance.percent(50);
    const amount = { minor: isVoid ? minor : minor / 2n, currency };
    takeSale(ledger, chance, { operation: isVoid ? 'void' : 'refund', amount, follows, created: [events.approved] });
  }
};

type Sums = { net: bigint; tips: bigint; declined: bigint; refunds: bigint; voids: bigint; entries: number };

/** Calculates from the journal alone: the requested amounts, and whether they were approved. */
const addedUp = (file: string): Map<string, Sums> => {
  const database = new Database(file, { readonly: true });
  const rows = database.prepare('SELECT subject, body FROM entry WHERE body LIKE \'%"on":%\' ORDER BY entry').all();
  database.close();
  const request = new Map<string, Extract<SaleEvent, { on: 'intended' }>['intent']>();
  const sums = new Map<string, Sums>();
  for (const { subject, body } of rows as { subject: string; body: string }[]) {
    const event = JSON.parse(body) as SaleEvent;
    if (event.on === 'intended') request.set(subject, event.intent);
    const intent = request.get(subject);
    if (intent === undefined || (event.on !== 'hostApproved' && event.on !== 'hostDeclined')) continue;
    const minor = BigInt(intent.amount.minor);
    const empty = { net: 0n, tips: 0n, declined: 0n, refunds: 0n, voids: 0n, entries: 0 };
    const sum = sums.get(intent.amount.currency) ?? empty;
    sums.set(intent.amount.currency, sum);
    sum.entries += 1;
    if (event.on === 'hostDeclined') sum.declined += minor;
    else sum.net += intent.operation === 'sale' ? minor : -minor;
    if (event.on === 'hostApproved' && intent.tip !== undefined) sum.tips += BigInt(intent.tip.minor);
    if (intent.operation === 'refund') sum.refunds -= minor;
    if (intent.operation === 'void') sum.voids -= minor;
  }
  return sums;
};

const minorOf = (text: string, currency: string): bigint => {
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  expect(decimals).toHaveLength(places[currency as keyof typeof places]);
  return BigInt(`${sign}${whole}${decimals}`);
};

/** The figures of one currency on the paper: its net, each count with its sum, and each place. */
const onPaper = (lines: readonly string[], currency: string) => {
  const from = lines.findIndex((line) => line.startsWith(`NET ${currency} `));
  const to = lines.findIndex((line, index) => index > from && /^(NET [A-Z]{3} |TILL AND GATEWAY|The batch)/.test(line));
  const some = lines.slice(from, to);
  return {
    net: /(\S+)$/.exec(some[0] ?? '')?.[1],
    counted: some.flatMap((line) => {
      const [, count, sum] = /^ *(\d+) [A-Z].*? (-?[\d.]+)$/.exec(line) ?? [];
      return count === undefined ? [] : [[Number(count), sum]];
    }),
    places: some.flatMap((line) => /^(?: {2}[a-z][a-z ]*?|[A-Z]+ ATTEMPTED) *(-?[\d.]+)$/.exec(line)?.[1] ?? []),
  };
};

/** Each sum at the end of a line, in the order of the paper. */
const sumsOn = (lines: readonly string[], mark = '.'): string[] =>
  lines.flatMap((line) => new RegExp(`(?<!:) (-?\\d+(?:\\${mark}\\d+)?)$`).exec(line)?.[1]?.replace(mark, '.') ?? []);

const jsonFigures = (of: CurrencyReport) => ({
  net: of.net,
  counted: [
    ...[of.operations, of.brands, of.entryModes, of.cashiers].flat(),
    ...[of.tips, of.refunds, of.voids, of.offline, of.declined, of.notSent, of.unknown],
  ].map(({ count, sum }) => [count, sum]),
  places: of.places.flatMap(({ intended, buckets }) => [intended, ...Object.values(buckets)]),
});

test('58 mm paper, 80 mm paper, JSON and the journal agree to the smallest coin', async () => {
  const chance = dice(SEED);
  const config = loadConfig(folder, chance.ids);
  const { journal, ledger, service } = openRig(never, { folder, chance, now: fixedMoment });
  sellDay(ledger, chance);
  const x = service.x();
  const z = await service.close();
  journal.close();
  expect(JSON.parse(JSON.stringify(z.report))).toEqual(JSON.parse(JSON.stringify(x.report)));
  const sums = addedUp(join(folder, 'journal.db'));
  expect(
    z.report.currencies.map(({ currency }) => currency),
    `seed ${SEED}`,
  ).toEqual([...sums.keys()].sort());
  expect(z.report.sales, `seed ${SEED}`).toBe([...sums.values()].reduce((all, { entries }) => all + entries, 0));
  for (const report of z.report.currencies) {
    const { currency, net, tips, declined, refunds, voids } = report;
    const reported = { net, tips: tips.sum, declined: declined.sum, refunds: refunds.sum, voids: voids.sum };
    const { entries: _, ...expectedSums } = sums.get(currency) as Sums;
    const minors = Object.fromEntries(Object.entries(reported).map(([name, text]) => [name, minorOf(text, currency)]));
    expect(minors, `seed ${SEED}, ${currency}`).toEqual(expectedSums);
    for (const { intended, beyond, buckets } of report.places) {
      const held = Object.values(buckets).reduce((sum, text) => sum + minorOf(text, currency), 0n);
      expect(held, `seed ${SEED}`).toBe(minorOf(intended, currency) + minorOf(beyond, currency));
    }
    for (const width of [32, 42] as const)
      for (const lines of [xLines(x, config, { width, mode }), zLines(z, config, { width, mode })]) {
        expect(onPaper(lines, currency), `seed ${SEED}, ${currency}, ${width}`).toEqual(jsonFigures(report));
        expect(lines.filter((line) => line.length > width)).toEqual([]);
      }
    for (const tag of ['de', 'fr', 'es'] as const) {
      const language = await reportLanguage(tag);
      for (const width of [32, 42] as const) {
        const lines = zLines(z, config, { width, language, mode });
        expect(lines.filter((line) => line.length > width)).toEqual([]);
        expect(sumsOn(lines, ','), `${tag}, ${width}`).toEqual(sumsOn(zLines(z, config, { width, mode })));
      }
    }
  }
});

test('a reprinted Z report differs only by its copy mark; a tampered one is detected', async () => {
  const chance = dice(7);
  const config = loadConfig(folder, chance.ids);
  const first = openRig(never, { folder, chance, now: fixedMoment });
  sellDay(first.ledger, chance);
  const z = await first.service.close();
  takeSale(first.ledger, chance, {});
  await first.service.close();
  first.journal.close();
  const reopened = openRig(never, { folder, chance, now: fixedMoment });
  const stored = reopened.service.batch(1).z ?? z;
  reopened.journal.close();
  for (const width of [32, 42] as const) {
    const copy = zCopyLines(stored, config, { width, mode });
    expect(copy.filter((line) => line.includes('DUPLICATE'))).toHaveLength(1);
    expect(copy.filter((line) => !line.includes('DUPLICATE'))).toEqual(zLines(z, config, { width, mode }));
  }
  const file = join(folder, 'journal.db');
  expect(booksOf(file)).toEqual({ overRefunded: [], zReports: 2, zBroken: [], staleLines: [] });
  const database = new Database(file);
  database.exec(`UPDATE entry SET body = replace(body, '"net":"${z.report.currencies[0]?.net}"', '"net":"0.00"')`);
  database.close();
  expect(booksOf(file).zBroken).toEqual([expect.stringContaining('Z report 1 fails its check: it was changed')]);
  const gone = new Database(file);
  gone.exec("DELETE FROM entry WHERE kind = 'batchClosed' AND subject = 'batch 1 1'");
  gone.close();
  expect(booksOf(file).zBroken).toEqual([expect.stringContaining('Z report 2')]);
});
