/** For which period a gateway is asked what it knows of a till, how its answers are read, and that nothing rejects. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import { type ComparisonParts, openComparison } from '../../src/takeover/till-comparison.ts';
import type { HostReply, Period } from '../../src/till/ports.ts';
import { dice } from '../support/chance/dice.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { replyOf } from '../support/till/issuer-books.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const clock = virtualClock();

let folder = '';
let journal: Journal;
let periods: Period[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'comparison-'));
  journal = openTillJournal(folder, { clock, open: openSqlUnsynced });
  const outbox = openOutbox(journal.sql, sealer(new Uint8Array(32), dice(1).random));
  openLedger({ journal, outbox, clock });
  periods = [];
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A gateway's list has whole seconds. */
const inSeconds = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

const noPayments = () => replyOf('700.400.580', {});
const openWith = (list: (period: Period) => HostReply = noPayments, more: Partial<ComparisonParts> = {}) =>
  openComparison({
    journal,
    host: {
      async list(period) {
        periods.push(period);
        return list(period);
      },
    },
    now: () => clock.now(),
    lastAnswerAt: () => undefined,
    terminalIds: ['70001'],
    foreignSales: () => new Set(),
    report: () => {},
    ...more,
  });
const payment = (n: number, terminalId = '70001') => ({
  ...{ id: `p${n}`, merchantTransactionId: `s${n}`, paymentType: 'DB', pos: { terminalId } },
});

test('a new till does not ask about the time before its first entry', async () => {
  // It is opened first, and writes its first entry a moment later.
  await clock.advance(11);
  journal.write([{ subject: 's', kind: 'x', body: '{}' }]);
  expect(await openWith().look()).toEqual({ state: 'compared' });
  expect(periods).toEqual([{ from: inSeconds(clock.now()), to: inSeconds(clock.now() + DAY) }]);
});

test('a till whose clock runs ahead asks from the gateway’s last time on', async () => {
  journal.write([{ subject: 's', kind: 'x', body: '{}' }]);
  const answered = clock.now() - 2 * DAY;
  await openWith(noPayments, { lastAnswerAt: () => answered }).look();
  expect(periods).toMatchObject([{ from: inSeconds(answered - HOUR) }]);
});

test('the gateway is asked once, and again only while there was no result', async () => {
  let isThere = false;
  const silent: HostReply = { kind: 'silent', fault: new Fault('host.silent', { why: 'as told' }) };
  const one = openWith(() => (isThere ? noPayments() : silent));
  expect(await Promise.all([one.look(), one.look()])).toMatchObject([{ state: 'due' }, { state: 'due' }]);
  isThere = true;
  expect(await one.look()).toEqual({ state: 'compared' });
  expect(await one.look()).toEqual({ state: 'compared' });
  expect(periods).toHaveLength(2);
});

test('a gateway that never answers this request is not waited for, and asked again when the line is back', async () => {
  const silent: HostReply = { kind: 'silent', fault: new Fault('host.silent', { why: 'as told' }) };
  const one = openWith(() => (periods.length > 3 ? noPayments() : silent));
  const refusals = [];
  for (let n = 0; n < 3; n++) refusals.push(await one.look());
  expect(refusals.map((each) => 'refused' in each && each.refused)).toEqual([undefined, undefined, 'no answer']);
  await one.look();
  expect(periods).toHaveLength(3);
  expect(await one.look('anew')).toEqual({ state: 'compared' });
});

test('a line that is down is no answer: after any number of tries the till still waits', async () => {
  const unreachable: HostReply = { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'as told' }) };
  const one = openWith(() => unreachable);
  for (let n = 0; n < 5; n++) expect(await one.look()).toMatchObject({ state: 'due', refused: undefined });
  expect(periods).toHaveLength(5);
});

test('a full answer is requested again in halves, newer first, and payments in both count once', async () => {
  const full = Array.from({ length: 500 }, (_, n) => payment(n));
  const one = openWith(() =>
    replyOf('000.000.100', { payments: periods.length === 1 ? full : [payment(1), payment(2)] }),
  );
  expect(await one.look()).toMatchObject({ state: 'behind', sales: 2 });
  const [whole, newer, older] = periods;
  expect(periods).toHaveLength(3);
  expect([older?.from, newer?.to, (newer?.from ?? 0) - (older?.to ?? 0)]).toEqual([...[whole?.from, whole?.to, 1_000]]);
});

test('a truncated answer counts as full', async () => {
  const cut = { payments: [payment(1)], resultDetails: { ExtendedDescription: '3 more do not fit' } };
  const one = openWith(() => replyOf('000.000.100', periods.length === 1 ? cut : { payments: [] }));
  expect(await one.look()).toEqual({ state: 'compared' });
  expect(periods).toHaveLength(3);
});

test('payments of other terminals and of tills taken over here do not count as unknown', async () => {
  const payments = [payment(1, '70002'), payment(2), payment(3)];
  const one = openWith(() => replyOf('000.000.100', { payments }), { foreignSales: () => new Set(['s2']) });
  expect(await one.look()).toMatchObject({ state: 'behind', sales: 1 });
});

test('a till that had another till’s id asks about its own id only, and is in order at its next start', async () => {
  const list = () => replyOf('000.000.100', { payments: [payment(1)] });
  expect(await openWith(list).look()).toMatchObject({ state: 'behind', sales: 1 });
  const unreachable: HostReply = { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'as told' }) };
  expect(await openWith(() => unreachable, { terminalIds: ['70009'] }).look()).toMatchObject({
    state: 'behind',
    sales: 1,
  });
  expect(await openWith(list, { terminalIds: ['70009'] }).look()).toEqual({ state: 'compared' });
});

test('the result of one start is not requested again before each sale', async () => {
  const one = openWith(() => replyOf('000.000.100', { payments: [payment(1)] }));
  for (let n = 0; n < 3; n++) expect(await one.look()).toMatchObject({ state: 'behind', sales: 1 });
  expect(periods).toHaveLength(1);
});

test('a till that was closed meanwhile is not notified, and nothing rejects', async () => {
  const reports: unknown[] = [];
  const one = openWith(
    () => {
      journal.close();
      return noPayments();
    },
    { report: (error) => reports.push(error) },
  );
  expect(await one.look()).toMatchObject({ state: 'due' });
  expect(reports).toHaveLength(1);
  journal = openTillJournal(folder, { clock, open: openSqlUnsynced });
});
