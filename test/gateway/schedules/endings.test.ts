/** How plans continue and end by themselves: notice, terms, installments, declines, missed runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScheduleRules } from '../../../src/gateway/schedules/settings-shape.ts';
import { idOf } from '../../support/gateway/gateway.ts';
import { advanceTo, monthlySchedule, type Rig, SCHEDULES, scheduleRig, storedCard } from './rig.ts';

const openPlan = async (parameters = {}, schedules: ScheduleRules = {}) => {
  const rig = await scheduleRig({ channel: { schedules } });
  const card = await storedCard(rig);
  const reply = await rig.post(SCHEDULES, monthlySchedule(card, parameters));
  expect(reply.status, reply.text).toBe(200);
  return { rig, id: idOf(reply), reply };
};

const runsOf = async (rig: Rig, id: string) => {
  const { plan } = await rig.planOf(id);
  return plan.runs.map((run) => `${run.dueDate.slice(0, 10)} ${run.result?.code ?? run.missed}`).toReversed();
};

const notices: readonly [string, Record<string, string>, string | undefined][] = [
  ['at once without notice parameters', {}, undefined],
  ['with a month’s notice', { 'job.noticeUnit': 'MONTH', 'job.noticeNumber': '1' }, '2026-03-14 23:59:59+0000'],
  ['at once with ANYTIME and without a period', { 'job.noticeCallable': 'ANYTIME' }, undefined],
  [
    'at the end of the current quarter, counted from the start',
    {
      'job.startDate': '2026-01-01 00:00:00',
      'job.durationUnit': 'MONTH',
      'job.durationNumber': '3',
      'job.noticeCallable': 'DURATION_END',
    },
    '2026-03-31 23:59:59+0000',
  ],
  [
    'at the end of the first term that outlasts the notice',
    {
      'job.startDate': '2026-01-01 00:00:00',
      'job.durationUnit': 'MONTH',
      'job.durationNumber': '3',
      'job.noticeCallable': 'DURATION_END',
      'job.noticeUnit': 'MONTH',
      'job.noticeNumber': '2',
    },
    '2026-06-30 23:59:59+0000',
  ],
  [
    'regardless of its term with notice at any time',
    { 'job.durationUnit': 'YEAR', 'job.durationNumber': '1', 'job.noticeUnit': 'WEEK', 'job.noticeNumber': '3' },
    '2026-03-07 23:59:59+0000',
  ],
  [
    'never later than its own end',
    { 'job.endDate': '2026-03-02 00:00:00', 'job.noticeUnit': 'YEAR', 'job.noticeNumber': '1' },
    '2026-03-02 00:00:00+0000',
  ],
];

test.each(notices)('DS ends a plan %s', async (_, parameters, endDate) => {
  const { rig, id } = await openPlan(parameters);
  await advanceTo(rig, '2026-02-15T00:00:00Z');
  const reply = await rig.post(`${SCHEDULES}/${id}/deschedule`);
  if (endDate === undefined) {
    expect(reply).toMatchObject({ status: 200, body: { plan: { active: false, ended: { reason: 'descheduled' } } } });
  } else {
    expect(reply).toMatchObject({ status: 200, body: { plan: { active: true, endDate } } });
    // A second notice neither shortens nor extends the first.
    await advanceTo(rig, '2026-02-20T00:00:00Z');
    expect(await rig.remove(`${SCHEDULES}/${id}`)).toMatchObject({ body: { plan: { endDate } } });
  }
  await advanceTo(rig, '2026-09-15T00:00:00Z');
  const last = endDate?.slice(0, 7) ?? '2026-02';
  const months = ['2026-02', '2026-03', '2026-04', '2026-05', '2026-06'].filter((month) => month <= last);
  expect(await runsOf(rig, id)).toEqual(months.map((month) => `${month}-01 000.100.110`));
  expect((await rig.planOf(id)).plan.active).toBe(false);
  await rig.close();
});

test('a term without notice is the whole plan; with notice it is renewed', async () => {
  const term = { 'job.durationUnit': 'MONTH', 'job.durationNumber': '2' };
  const fixed = await openPlan(term);
  await advanceTo(fixed.rig, '2026-06-15T00:00:00Z');
  expect(await runsOf(fixed.rig, fixed.id)).toEqual(['2026-02-01 000.100.110', '2026-03-01 000.100.110']);
  expect((await fixed.rig.planOf(fixed.id)).plan).toMatchObject({ active: false, ended: { reason: 'over' } });
  await fixed.rig.close();
  const renewed = await openPlan({ ...term, 'job.noticeCallable': 'DURATION_END' });
  await advanceTo(renewed.rig, '2026-06-15T00:00:00Z');
  expect(await runsOf(renewed.rig, renewed.id)).toHaveLength(5);
  await renewed.rig.close();
});

test('a plan has no run before its start, and can have one at its very end', async () => {
  const { rig, id, reply } = await openPlan({
    'job.startDate': '2026-03-01 00:00:00',
    'job.endDate': '2026-04-01 00:00:00',
  });
  expect(reply.body).toMatchObject({ plan: { nextRun: '2026-03-01 00:00:00+0000' } });
  await advanceTo(rig, '2026-06-15T00:00:00Z');
  expect(await runsOf(rig, id)).toEqual(['2026-03-01 000.100.110', '2026-04-01 000.100.110']);
  await rig.close();
});

test('a standing instruction ends with its last day, and with the last installment of the whole chain', async () => {
  const day = await openPlan({ 'standingInstruction.expiry': '2026-03-01' });
  await advanceTo(day.rig, '2026-06-15T00:00:00Z');
  expect(await runsOf(day.rig, day.id)).toHaveLength(2);
  await day.rig.close();

  const { rig, id } = await openPlan({
    'standingInstruction.type': 'INSTALLMENT',
    'standingInstruction.numberOfInstallments': '3',
  });
  await advanceTo(rig, '2026-03-15T00:00:00Z');
  const change = await rig.post(`${SCHEDULES}/${id}/reschedule`, { amount: '5.00', currency: 'EUR' });
  await advanceTo(rig, '2026-08-15T00:00:00Z');
  expect(await runsOf(rig, id)).toEqual(['2026-02-01 000.100.110', '2026-03-01 000.100.110']);
  expect(await runsOf(rig, idOf(change))).toEqual(['2026-04-01 000.100.110']);
  expect((await rig.planOf(idOf(change))).plan.ended).toMatchObject({ reason: 'installments' });
  await rig.close();
});

test.each([
  ['800.100.155', 3, 'declines'],
  ['100.100.303', 3, 'declines'],
  ['800.100.165', 1, 'must not be tried again'],
  ['700.600.025', 1, 'must not be tried again'],
])('runs that end as %s: after %d of them the plan ends', async (code, runs, reason) => {
  const { rig, id } = await openPlan({ 'customParameters[forceResultCode]': code });
  await advanceTo(rig, '2026-08-15T00:00:00Z');
  expect(await runsOf(rig, id)).toEqual(['02', '03', '04'].slice(0, runs).map((month) => `2026-${month}-01 ${code}`));
  expect((await rig.planOf(id)).plan).toMatchObject({ active: false, ended: { reason } });
  await rig.close();
});

test('a run whose payment has no ending is checked again and never charged again', async () => {
  // The simulated bank processes the request, and its answer is lost.
  const { rig, id } = await openPlan({ amount: '8000.68' });
  await advanceTo(rig, '2026-02-01T00:00:30Z');
  await advanceTo(rig, '2026-02-15T00:00:00Z');
  expect(await runsOf(rig, id)).toEqual(['2026-02-01 000.100.110']);
  const { body } = await rig.get('v1/query', { merchantTransactionId: id });
  expect(body['payments']).toHaveLength(1);
  await rig.close();
});

const missed: readonly [string, string, ScheduleRules, readonly string[]][] = [
  ['a short stop', '2026-02-01T20:00:00Z', {}, ['2026-02-01 000.100.110']],
  ['one due three times, the last recently', '2026-04-02T00:00:00Z', {}, ['2026-02-01 2', '2026-04-01 000.100.110']],
  ['one due twice, both long ago', '2026-03-20T00:00:00Z', {}, ['2026-02-01 2']],
  ['one slightly later than the channel allows', '2026-02-01T01:00:01Z', { catchUpHours: 1 }, ['2026-02-01 1']],
];

test.each(missed)('after %s', async (_, stoppedUntil, schedules, expected) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'schedules-'));
  const first = await scheduleRig({ dataDir, channel: { schedules } });
  const reply = await first.post(SCHEDULES, monthlySchedule(await storedCard(first)));
  await first.close();
  first.clock.lag(Date.parse(stoppedUntil) - first.clock.now());
  const second = await scheduleRig({ dataDir, clock: first.clock, channel: { schedules } });
  await advanceTo(second, new Date(Date.parse(stoppedUntil) + 1000).toISOString());
  expect(await runsOf(second, idOf(reply))).toEqual(expected);
  expect((await second.planOf(idOf(reply))).plan.active).toBe(true);
  await second.close();
  rmSync(dataDir, { recursive: true });
});
