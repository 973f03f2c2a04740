/** The stored lines and sums always equal those calculated from the entries, whatever happens. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { chainOf, linesIn, reportIn } from '../../src/books/books.ts';
import { checkBooks } from '../../src/books/check.ts';
import { cellsIn } from '../../src/books/lines/line-index.ts';
import { saleCells } from '../../src/books/lines/lines.ts';
import { openMoneyOf } from '../../src/reconciliation/open-money.ts';
import { reportOf } from '../../src/reconciliation/report.ts';
import type { SaleEvent } from '../../src/till/machine/events.ts';
import type { Intent, Operation } from '../../src/till/machine/facts.ts';
import { replay, type Sale } from '../../src/till/machine/sale.ts';
import { cases, events, intent } from '../reconciliation/sale-cases.ts';
import { type Dice, dice, SEED } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { fixedMoment, never, openRig, sell } from './books-rig.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lines-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (chance: Dice) => openRig({ ...never }, { folder, chance, now: fixedMoment });
type Opened = ReturnType<typeof open>;

const endings: readonly SaleEvent[] = [
  ...Object.values(cases).flat(),
  { ...events.read, card: { entryMode: 'ICC', maskedPan: '541333******4111', verification: 'none' } } as SaleEvent,
  { on: 'forwarded', approved: true, answer: events.answer },
  { on: 'forwarded', approved: false, answer: events.answer },
  { on: 'hostApproved', answer: { ...events.answer, approved: { minor: 100n, currency: 'EUR' } } },
  { on: 'reversed', how: 'notFound' },
  { on: 'approvedLate', answer: events.answer },
  { on: 'restarted' },
];

const follows: Readonly<Partial<Record<Operation, readonly Operation[]>>> = {
  sale: ['refund', 'refund', 'void'],
  refund: ['void'],
  completion: ['refund', 'void'],
  preauthorisation: ['increment', 'completion', 'completion', 'release', 'void'],
};

/** Days of random sales and follow-ups at two terminals in two currencies, with closes in between. */
const runDays = (chance: Dice, rig: Opened) => {
  const startedSales: Sale[] = [];

  const record = (sale: string, event: SaleEvent): void => {
    try {
      rig.ledger.record(sale, event);
    } catch (error) {
      // The balance check refuses a refund of more than is left.
      if (!isFault(error, 'books.unbalanced')) throw error;
    }
  };

  const begin = (): void => {
    const sale = chance.ids.next();
    const parent =
      chance.percent(45) && startedSales.length > 0 ? chance.one(startedSales as [Sale, ...Sale[]]).intent : undefined;
    const next = parent && follows[parent.operation];
    const terminalId = chance.one(['1', '2']);
    const currency = parent?.amount.currency ?? (chance.percent(80) ? 'EUR' : 'JPY');
    const more: Partial<Intent> = {
      ...{ sale, key: sale, terminalId, ...rig.ledger.nextNumbers(terminalId) },
      operation: next
        ? chance.one(next as [Operation, ...Operation[]])
        : chance.one(['sale', 'sale', 'preauthorisation', 'credit']),
      amount: { minor: BigInt(chance.between(1, 500)), currency },
      follows: next && parent ? { sale: parent.sale, payment: 'c'.repeat(32), receipt: parent.receipt } : undefined,
      tip: chance.percent(20) ? { minor: 5n, currency } : undefined,
      cashier: chance.percent(60) ? chance.one(['Anna', 'Ben']) : undefined,
      program: chance.percent(10) ? { madeBy: 'Max' } : undefined,
      by: chance.percent(10) ? 'terminal' : undefined,
      final: chance.percent(10) || undefined,
      learned: chance.percent(5) ? {} : undefined,
    };
    record(sale, { on: 'intended', intent: intent(more) });
    const replayed = replay(rig.ledger.events(sale));
    if (replayed !== undefined) startedSales.push(replayed);
    if (chance.percent(70)) for (const event of [events.read, events.approved, events.done]) record(sale, event);
  };

  const happen = (): void => {
    const { sale } = chance.one(startedSales as [Sale, ...Sale[]]).intent;
    record(sale, chance.one(endings as [SaleEvent, ...SaleEvent[]]));
  };

  const close = (): void => {
    const batch = rig.books.batches().findLast(({ state }) => state === 'open');
    if (batch === undefined) return;
    const { terminalId, batch: number, day } = batch;
    rig.books.note({ on: 'batchClosing', terminalId, batch: number, at: fixedMoment().at, day });
  };

  return {
    step(): void {
      const turn = chance.between(1, 100);
      if (startedSales.length === 0 || turn <= 45) begin();
      else if (turn <= 97) happen();
      else close();
    },
    /** Continues with a restarted till. */
    switchTo(other: Opened): void {
      rig = other;
    },
  };
};

const isAsReplayed = ({ books, ledger, journal }: Opened, reason: string): void => {
  for (const batch of books.batches()) {
    const lines = linesIn(books, ledger, batch);
    const at = `${reason}, batch ${batch.batch} of ${batch.terminalId}`;
    expect(reportIn(books, batch), at).toEqual(reportOf(lines));
    expect(books.lines.open(batch), at).toEqual(openMoneyOf(lines));
    expect([...books.lines.each(batch)], at).toEqual(lines);
    for (const { receipt } of lines) expect(books.lines.has(batch, receipt)).toBe(true);
    const terminals = lines.filter(({ byTerminal }) => byTerminal);
    expect(books.lines.currencyAtTerminal(batch), at).toBe(terminals[0]?.currency);
  }
  for (const sale of ledger.all()) {
    const row = journal.sql.get('SELECT cells FROM book_line WHERE receipt = ?', sale.intent.receipt);
    const cells = String(row?.['cells']);
    if (sale.at !== 'ended') expect(cells).toBe('');
    else expect(cellsIn(cells), reason).toEqual(saleCells(sale, chainOf(ledger, sale).origin));
  }
};

test('sums, open money and cells equal those of a replay, also after a restart', () => {
  for (let round = 0; round < byNight({ day: 2, night: 25 }); round += 1) {
    const reason = `seed ${SEED}, round ${round}`;
    const chance = dice(SEED + round);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    let rig = open(chance);
    const day = runDays(chance, rig);
    for (let n = 1; n <= 90; n += 1) {
      day.step();
      if (n % 9 === 0) isAsReplayed(rig, reason);
    }
    // A table that lost half of its rows, whichever half, is rebuilt.
    rig.journal.sql.run(`DELETE FROM book_line WHERE receipt % 2 = ${round % 2}`);
    rig.journal.close();
    rig = open(chance);
    day.switchTo(rig);
    isAsReplayed(rig, `${reason}, made anew`);
    for (let n = 1; n <= 20; n += 1) day.step();
    isAsReplayed(rig, `${reason}, gone on with`);
    rig.journal.close();
  }
});

test('a sum or line that contradicts the journal is named by the check and blocks a close', async () => {
  const rig = open(dice(7));
  for (let n = 0; n < 3; n += 1) sell(rig.ledger, dice(n));
  const { sql } = rig.journal;
  const offLines = () => checkBooks(sql).staleLines;
  expect(offLines()).toEqual([]);
  sql.run('UPDATE book_sum SET moved = moved + 1');
  expect(offLines()).toEqual(['Batch 1 of terminal 1: its sums are not those of its sales.']);
  await expect(rig.service.close()).rejects.toMatchObject({ code: 'books.unbalanced' });
  sql.run('UPDATE book_sum SET moved = moved - 1');
  sql.run(`UPDATE book_line SET line = replace(line, '"brand":"VISA"', '"brand":"OTHER"') WHERE receipt = 2`);
  expect(offLines()).toContain('Receipt 2: the books have it otherwise than the journal.');
  // Tables of another version, or behind the journal, are rebuilt at the next start, so they are not reported.
  sql.run("UPDATE ledger_index SET versions = 'other'");
  expect(offLines()).toEqual([]);
  rig.journal.close();
});
