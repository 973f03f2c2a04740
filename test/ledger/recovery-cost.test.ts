/** Counts what a start reads and writes for thousands of open sales: one durable step for hundreds of them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Sql } from '../../src/journal/sql.ts';
import { changesAfter } from '../../src/ledger/ledger-index.ts';
import type { Intent } from '../../src/till/machine/facts.ts';
import type { LedgerEntry } from '../../src/till/ports.ts';
import { chipCard, eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

const OPEN = 1_200;

let rig: Rig;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => rig.remove());

const intentOf = (run: TillRun, n: number): Intent => ({
  ...{ sale: run.parts.ids.next(), key: run.parts.ids.next(), operation: 'sale', amount: eur(700n) },
  ...{ terminalId: '1', sequence: n, receipt: n, at: n, gateway: 'twin' },
});

/** Every third sale was cut during authorisation; the others wait to be sent. */
const fill = (run: TillRun): void => {
  const entries = Array.from({ length: OPEN }, (_, n): LedgerEntry[] => {
    const intent = intentOf(run, n + 1);
    const { sale, key } = intent;
    const isCut = n % 3 === 0;
    const offline = { kind: 'allowed', chip: true, deferred: false } as const;
    const { sred: _s, icc: _i, ...card } = chipCard;
    const message = { kind: 'forward' as const, sale, key, body: '{"minor":"700","currency":"EUR"}', secret: '{}' };
    const decision = isCut ? 'goOnline' : 'approvedOffline';
    return [
      { sale, event: { on: 'intended', intent } },
      { sale, event: { on: 'cardRead', card, decision, offline }, message: isCut ? undefined : message },
    ];
  });
  run.ledger.recordAll(entries.flat());
};

test('thousands of open sales are ended in a few durable steps, and only once', () => {
  const run = rig.open();
  fill(run);
  run.close();
  const next = rig.open();
  const steps = next.journal.steps;
  const ended = next.till.recover();
  expect(ended).toHaveLength(OPEN / 3);
  expect(new Set(ended.map((sale) => sale.at === 'ended' && `${sale.ending} ${sale.reason}`))).toEqual(
    new Set(['unknown unanswered']),
  );
  expect(next.journal.steps - steps).toBeLessThanOrEqual(3);
  expect(next.outbox.waiting()).toHaveLength(OPEN);
  expect(next.ledger.openSales()).toHaveLength(OPEN);
  // Nothing is left to recover.
  expect(next.till.recover()).toEqual([]);
  expect(next.journal.steps - steps).toBeLessThanOrEqual(3);
  next.close();
});

test('open sales are found, and the indexes opened, without reading the journal', () => {
  const run = rig.open();
  fill(run);
  const { sql } = run.journal;
  const plan = sql
    .all('EXPLAIN QUERY PLAN SELECT sale FROM sale WHERE open = 1 ORDER BY receipt')
    .map(({ detail }) => String(detail));
  expect(plan).toEqual([expect.stringContaining('sale_open')]);
  run.close();
  // An entry about something other than a sale does not rebuild the indexes: it is skipped.
  const next = rig.open();
  next.journal.write([{ subject: 'staff', kind: 'staffAdmitted', body: '{"on":"staffAdmitted"}' }]);
  const entryCount = next.journal.length;
  next.close();
  const last = rig.open();
  expect(Number(last.journal.sql.get('SELECT entry AS n FROM ledger_index')?.['n'])).toBe(entryCount);
  expect(last.ledger.openSales()).toHaveLength(OPEN);
  last.close();
});

test('sign-in entries are skipped once, however many there are', () => {
  const run = rig.open();
  const admitted = { subject: 'staff', kind: 'staffAdmitted', body: '{"on":"staffAdmitted"}' };
  run.journal.write(Array.from({ length: OPEN }, () => admitted));
  fill(run);
  run.journal.write(Array.from({ length: OPEN }, () => admitted));
  const { sql, length } = run.journal;
  let rows = 0;
  const counting: Sql = {
    ...sql,
    all(...args) {
      const found = sql.all(...args);
      rows += found.length;
      return found;
    },
  };
  expect([...changesAfter(counting, 0)]).toHaveLength(2 * OPEN);
  expect(rows).toBeLessThanOrEqual(length + 1);
  run.close();
});

test('an interrupted recovery leaves the rest to the next start', () => {
  const run = rig.open();
  fill(run);
  run.close();
  let steps = 0;
  const failing = rig.open({
    ledger: (ledger) => ({
      ...ledger,
      recordAll(entries) {
        steps += 1;
        if (steps === 2) throw new Error('power cut');
        ledger.recordAll(entries);
      },
    }),
  });
  expect(() => failing.till.recover()).toThrow('power cut');
  failing.close();
  const next = rig.open();
  next.till.recover();
  expect(next.outbox.waiting()).toHaveLength(OPEN);
  expect(next.outbox.waiting().filter(({ kind }) => kind === 'reversal')).toHaveLength(OPEN / 3);
  next.close();
});
