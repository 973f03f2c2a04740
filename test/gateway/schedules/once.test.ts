/** Each run is one payment: whoever runs it, however often, wherever a process crashes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Gateway } from '../../../src/gateway/payments/endpoint.ts';
import { claimDue } from '../../../src/gateway/schedules/claim.ts';
import { carryOut } from '../../../src/gateway/schedules/run.ts';
import { runDue } from '../../../src/gateway/schedules/runner.ts';
import { entityId, idOf, token } from '../../support/gateway/gateway.ts';
import { advanceTo, monthlySchedule, type Rig, SCHEDULES, scheduleRig, storedCard } from './rig.ts';

const channels = [{ entityId, token, name: 'Corner Shop' }];
const DUE = Date.parse('2026-02-01T00:00:00Z');

const paymentsOf = async ({ gateway }: Rig) => (await gateway.store.search({ entityId, limit: 500 })).total;

/** The clock is at the due time, and no runner has noticed yet. */
const dueNow = async (rig: Rig, count: number) => {
  const card = await storedCard(rig);
  const ids: string[] = [];
  for (let each = 0; each < count; each += 1) ids.push(idOf(await rig.post(SCHEDULES, monthlySchedule(card))));
  for (let turn = 0; turn < 30; turn += 1) await rig.clock.settle();
  rig.clock.lag(DUE - rig.clock.now());
  return ids;
};

test('several simultaneous runners make one payment for each run', async () => {
  const rig = await scheduleRig();
  const ids = await dueNow(rig, 30);
  const reportedErrors: unknown[] = [];
  const jobContext = {
    gateway: rig.gateway.gateway,
    channels,
    patienceMs: 30_000,
    report: (error: unknown) => reportedErrors.push(error),
  };
  const round = { isOver: () => false, anyAge: false };
  const runCounts = await Promise.all(Array.from({ length: 4 }, () => runDue(jobContext, round)));
  expect(runCounts.reduce((sum, each) => sum + each, 0)).toBe(30);
  expect(await paymentsOf(rig)).toBe(30);
  for (const id of ids) expect((await rig.planOf(id)).plan.runs).toMatchObject([{ state: 'done' }]);
  expect(reportedErrors).toEqual([]);
  await rig.close();
});

/** The progress of a run when its process crashed. */
const deaths: readonly [string, (gateway: Gateway) => Promise<void>, number][] = [
  ['before its run was claimed', async () => {}, 0],
  ['after it was claimed', async (gateway) => void (await claim(gateway)), 0],
  [
    'after it was charged, and before that was recorded',
    async (gateway) => {
      for (const run of await claim(gateway)) {
        const channel = channels[0];
        if (channel !== undefined) await carryOut(gateway, channel, run);
      }
    },
    1,
  ],
];

const claim = async (gateway: Gateway) => {
  const claiming = {
    store: gateway.store,
    channels: new Map(channels.map((each) => [each.entityId, each])),
    leaseMs: 300_000,
    report: (error: unknown) => {
      throw error;
    },
  };
  return (await claimDue(claiming, { at: gateway.clock.now(), limit: 10 })).runs;
};

test.each(deaths)('after a crash %s the next process completes the run, with one payment', async (_, until, before) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'once-'));
  const first = await scheduleRig({ dataDir });
  const [id = ''] = await dueNow(first, 1);
  await until(first.gateway.gateway);
  expect(await paymentsOf(first)).toBe(before);
  await first.close();
  const second = await scheduleRig({ dataDir, clock: first.clock });
  await advanceTo(second, '2026-02-01T00:00:10Z');
  expect(await paymentsOf(second)).toBe(1);
  expect((await second.planOf(id)).plan).toMatchObject({
    active: true,
    runs: [{ state: 'done', result: { code: '000.100.110' } }],
  });
  expect(second.reported).toEqual([]);
  await second.close();
  rmSync(dataDir, { recursive: true });
});

test('a charged run counts even if its registration is gone before that is recorded', async () => {
  const rig = await scheduleRig();
  const [id = ''] = await dueNow(rig, 1);
  const { gateway } = rig.gateway;
  const [run] = await claim(gateway);
  const [channel] = channels;
  if (run === undefined || channel === undefined) throw new Error('nothing was claimed');
  await carryOut(gateway, channel, run);
  const { registrationId } = (await rig.planOf(id)) as unknown as { registrationId: string };
  await rig.remove(`v1/registrations/${registrationId}`);
  await advanceTo(rig, '2026-02-01T00:10:00Z');
  expect((await rig.planOf(id)).plan.runs).toMatchObject([{ state: 'done', result: { code: '000.100.110' } }]);
  expect(await paymentsOf(rig)).toBe(1);
  await rig.close();
});

test('a client’s Idempotency-Key can never be a run’s claim', async () => {
  const rig = await scheduleRig();
  const [id = ''] = await dueNow(rig, 1);
  const card = { 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
  const forgedKey = { 'idempotency-key': `schedule ${id} ${DUE}` };
  const sale = { amount: '1.00', currency: 'EUR', paymentType: 'DB', ...card };
  expect((await rig.post('v1/payments', sale, forgedKey)).status).toBe(400);
  await advanceTo(rig, '2026-02-01T00:00:10Z');
  expect((await rig.planOf(id)).plan.runs).toMatchObject([{ result: { code: '000.100.110' } }]);
  await rig.close();
});
