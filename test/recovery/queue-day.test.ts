/**
 * A day without a line at a till with a simulated terminal and the bundled gateway: what the bank answers to the stored
 * sales afterwards, what is left for the manager, and whether the records of both agree.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mpiSimulator } from '../../drivers/mpi/simulator/simulator.ts';
import { presentationFor, repeatingCardholder } from '../../drivers/simulation/cardholder.ts';
import { type Station, simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { type RunningTill, startTill } from '../../src/app/start-till.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { changeConfig } from '../../src/folder/config.ts';
import { type Machine, systemMachine } from '../../src/folder/machine.ts';
import type { AuditRow } from '../../src/recovery/audit.ts';
import { type QueueRow, queueRows, queueTotals } from '../../src/recovery/queue-view.ts';
import type { Host } from '../../src/till/ports.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { eur } from '../support/till/till-rig.ts';
import { quickClock } from '../support/time/quick-clock.ts';

/** The simulated issuer answers these amounts with the code in their cents, unless the chip has already approved. */
const amounts = { undecided: 800_091n, noMoney: 800_051n, pickUp: 800_004n, wrongPin: 800_055n, good: 1_250n };

const limits = {
  chip: { upTo: '0.00' },
  deferred: { upTo: '9000.00' },
  total: '999999.00',
  count: 100,
  withoutDataAuthentication: true,
} as const;

const folder = mkdtempSync(join(tmpdir(), 'queue-day-'));
const line = { cut: true };
const shift = { ms: 0 };
const clock: Clock = { ...systemClock, now: () => systemClock.now() + shift.ms };
const machine: Machine = { ...systemMachine, upMs: () => systemMachine.upMs() + shift.ms };
let station: Station;
let till: RunningTill;

const withCuts = (host: Host): Host => ({
  ...host,
  pay: async (parameters, key) =>
    line.cut
      ? { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'as told' }) }
      : host.pay(parameters, key),
});

beforeAll(async () => {
  const cardholder = repeatingCardholder([presentationFor({ card: 'mastercard-m10', by: 'chip' })]);
  station = await simulateOnTcp(mpiSimulator, 0, { clock: quickClock, random: systemRandom, cardholder });
  changeConfig(folder, systemIds, (config) => ({ ...config, offline: limits, queue: { atOnce: 2 } }));
  till = await startTill({
    open: openSqlUnsynced,
    dataDir: folder,
    clock,
    machine,
    terminal: `mpi+${station.at}`,
    around: { host: withCuts },
  });
});
afterAll(async () => {
  await till.close();
  await station.close();
  rmSync(folder, { recursive: true, force: true });
});

const rows = (): QueueRow[] => queueRows({ ...till, sql: till.journal.sql, clock });
const rowSummary = ({ state, kind, receipt, toDo }: QueueRow) => ({ state, kind, receipt, toDo });
const audited = async (): Promise<AuditRow[]> => {
  const all: AuditRow[] = [];
  for await (const row of till.audit()) all.push(row);
  return all;
};

test('while the line is down everything waits, and a follow-up waits behind its sale', async () => {
  for (const minor of Object.values(amounts)) {
    const sale = await till.till.sell({ amount: eur(minor) }, () => {}).done;
    expect([sale.ending, sale.reason]).toEqual(['approved', 'takenOffline']);
  }
  await till.forwarder.drain('all');
  // The last one may have been sent, so its void is sent after it.
  const { id = '' } = till.outbox.waiting().at(-1) ?? {};
  till.outbox.markTrying(id);
  await till.till.follow({ receipt: 5, operation: 'void' }, () => {}).done;
  expect(rows().map(({ state, kind, receipt }) => `${state} ${kind} ${receipt}`)).toEqual([
    ...[1, 2, 3, 4, 5].map((receipt) => `waiting forward ${receipt}`),
    'behind follow 6',
  ]);
  const requested = Object.values(amounts).reduce((sum, minor) => sum + minor, 0n) + amounts.good;
  expect(queueTotals(rows())).toEqual([eur(requested)]);
  expect((await audited()).every(({ agrees, gateway }) => agrees && gateway?.minor === 0n)).toBe(true);
});

test('when the line is back each sale is settled, left to the manager, or sent again as a new request', async () => {
  line.cut = false;
  expect(await till.forwarder.drain('all')).toEqual({ done: 5, later: 1, parked: 0 });
  expect(rows().map(rowSummary)).toEqual([
    { state: 'waiting', kind: 'forward', receipt: 1, toDo: 'Nothing' },
    {
      state: 'task',
      kind: 'loss',
      receipt: 2,
      toDo: expect.stringMatching(/^Can be tried again with the card before/),
    },
    { state: 'task', kind: 'loss', receipt: 3, toDo: expect.stringMatching(/^Do not try this card again/) },
    { state: 'task', kind: 'loss', receipt: 4, toDo: expect.stringMatching(/^Can be tried .* card and PIN before/) },
  ]);
  expect(till.outbox.waiting()[0]?.note).toContain('800.100.176');
  const [, , , , agreeing, voided] = await audited();
  expect([agreeing?.till, agreeing?.gateway, voided?.till, voided?.gateway].map((amount) => amount?.minor)).toEqual([
    1_250n,
    1_250n,
    -1_250n,
    -1_250n,
  ]);
});

test('an undecided sale is retried within the scheme’s limits, and then left to a person', async () => {
  // Ten tries of the card in a day: three sales were declined, one was undecided.
  for (let n = 0; n < 12; n += 1) await till.forwarder.drain('all');
  expect(till.outbox.waiting().map(({ again: repeatNumber, note }) => [repeatNumber, note])).toEqual([
    [7, expect.stringContaining('the card’s scheme allows the next try at')],
  ]);
  shift.ms = 25 * 3_600_000;
  await till.forwarder.drain('all');
  expect(till.outbox.waiting().map(({ again: repeatNumber }) => repeatNumber)).toEqual([8]);
  shift.ms = 31 * 86_400_000;
  expect(await till.forwarder.drain('all')).toEqual({ done: 0, later: 0, parked: 1 });
  const [parked] = rows().filter(({ state }) => state === 'parked');
  expect(parked?.why).toContain('allows no further try');
  const all = await audited();
  expect(all.filter(({ agrees }) => !agrees)).toEqual([]);
  // Each try is a payment of its own at the gateway.
  expect(all[0]?.evidence.map(({ code }) => code)).toEqual(new Array(8).fill('800.100.176'));
});
