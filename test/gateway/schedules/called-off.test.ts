/** A run that was claimed and not charged when its owner ended the plan: nothing is charged afterwards. */
import { expect, test } from 'vitest';
import { claimDue } from '../../../src/gateway/schedules/claim.ts';
import { carryOut } from '../../../src/gateway/schedules/run.ts';
import { entityId, idOf, token } from '../../support/gateway/gateway.ts';
import { advanceTo, monthlySchedule, SCHEDULES, scheduleRig, storedCard } from './rig.ts';

const channel = { entityId, token, name: 'Corner Shop' };
const DUE = Date.parse('2026-02-01T00:00:00Z');

const openClaimedRun = async (parameters: Record<string, string> = {}) => {
  const rig = await scheduleRig();
  const id = idOf(await rig.post(SCHEDULES, monthlySchedule(await storedCard(rig), parameters)));
  for (let turn = 0; turn < 30; turn += 1) await rig.clock.settle();
  rig.clock.lag(DUE - rig.clock.now());
  const { store } = rig.gateway;
  const claiming = {
    ...{ store, channels: new Map([[entityId, channel]]), leaseMs: 300_000 },
    report: (error: unknown) => {
      throw error;
    },
  };
  const [run] = (await claimDue(claiming, { at: DUE, limit: 10 })).runs;
  if (run === undefined) throw new Error('nothing was claimed');
  const payments = async () => (await store.search({ entityId, limit: 10 })).total;
  return { rig, id, run, payments };
};

test('a plan descheduled in between charges nothing any more, and reports that', async () => {
  const { rig, id, payments } = await openClaimedRun();
  expect((await rig.remove(`${SCHEDULES}/${id}`)).body).toMatchObject({ plan: { active: false } });
  // Its claim is taken over when its lease is over.
  await advanceTo(rig, '2026-02-01T01:00:00Z');
  expect(await payments()).toBe(0);
  const { plan } = await rig.planOf(id);
  expect(plan.runs).toMatchObject([{ state: 'missed', missed: '1', description: expect.stringMatching(/ended/) }]);
  await rig.close();
});

test('a payment started before the end stays a payment', async () => {
  const { rig, id, run, payments } = await openClaimedRun();
  await carryOut(rig.gateway.gateway, channel, run);
  await rig.remove(`${SCHEDULES}/${id}`);
  await advanceTo(rig, '2026-02-01T01:00:00Z');
  expect(await payments()).toBe(1);
  expect((await rig.planOf(id)).plan.runs).toMatchObject([{ state: 'done' }]);
  await rig.close();
});

test('within a notice period a due run is charged', async () => {
  const { rig, id, payments } = await openClaimedRun({ 'job.noticeUnit': 'WEEK', 'job.noticeNumber': '1' });
  expect((await rig.remove(`${SCHEDULES}/${id}`)).status).toBe(200);
  await advanceTo(rig, '2026-02-01T01:00:00Z');
  expect(await payments()).toBe(1);
  await rig.close();
});
