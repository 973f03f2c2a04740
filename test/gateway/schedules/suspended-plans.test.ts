/** A plan whose due times cannot be computed is suspended alone: all others continue, and the error is reported. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { idOf } from '../../support/gateway/gateway.ts';
import { advanceTo, monthlySchedule, type Rig, SCHEDULES, scheduleRig, storedCard } from './rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'aside-'));
afterAll(() => rmSync(folder, { recursive: true }));

const withFacts = (facts: string, change: object): string => JSON.stringify({ ...JSON.parse(facts), ...change });

const damages: readonly [title: string, damage: (facts: string) => string][] = [
  ['this machine does not know its time zone', (facts) => withFacts(facts, { timeZone: 'Mars/Olympus' })],
  ['its expression is malformed', (facts) => withFacts(facts, { expression: '0 0 0 1 * never *' })],
  ['its expression is missing', (facts) => withFacts(facts, { expression: undefined })],
  ['its row is truncated', (facts) => facts.slice(0, 20)],
];

/** Three plans, the first of which is damaged while no gateway runs; then a gateway on the same file. */
const withDamage = async (name: string, damage: (facts: string) => string): Promise<{ rig: Rig; ids: string[] }> => {
  const dataDir = join(folder, name);
  const before = await scheduleRig({ dataDir });
  const card = await storedCard(before);
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(idOf(await before.post(SCHEDULES, monthlySchedule(card))));
  await before.close();
  const file = new Database(join(dataDir, 'gateway.db'));
  const facts = file.prepare('select facts from schedule where id = ?').pluck().get(ids[0]);
  file.prepare('update schedule set facts = ? where id = ?').run(damage(String(facts)), ids[0]);
  file.close();
  return { rig: await scheduleRig({ dataDir }), ids };
};

test.each(damages)('%s', async (name, damage) => {
  const { rig, ids } = await withDamage(name, damage);
  const [brokenId = '', ...soundIds] = ids;
  await advanceTo(rig, '2026-02-01T01:00:00Z');
  for (const id of soundIds) {
    const { plan } = await rig.planOf(id);
    expect(plan).toMatchObject({ active: true, runs: [{ state: 'done', result: { code: '000.100.110' } }] });
  }
  const { plan } = await rig.planOf(brokenId);
  expect(plan).toMatchObject({ active: false, ended: { reason: 'set aside' }, runs: [] });
  expect(rig.reported).toMatchObject([{ code: 'schedule.aside', message: expect.stringContaining(brokenId) }]);
  // The error is reported once, and no run falls due until somebody has replaced the plan.
  await advanceTo(rig, '2026-03-01T01:00:00Z');
  expect(rig.reported).toHaveLength(1);
  const completeSchedule = monthlySchedule('', { 'job.dayOfMonth': '15' });
  const { registrationId: _, ...job } = completeSchedule;
  const repeat = await rig.post(`${SCHEDULES}/${brokenId}/reschedule`, { ...job, paymentType: 'RS' });
  expect(repeat.status, repeat.text).toBe(200);
  await advanceTo(rig, '2026-03-15T01:00:00Z');
  expect((await rig.planOf(idOf(repeat))).plan).toMatchObject({ active: true, runs: [{ state: 'done' }] });
  expect(rig.reported).toHaveLength(1);
  await rig.close();
});

test('the content of a truncated row is kept', async () => {
  const { rig, ids } = await withDamage('kept', (facts) => facts.slice(0, 20));
  await advanceTo(rig, '2026-02-01T01:00:00Z');
  const found = await rig.gateway.store.schedules.schedule(ids[0] ?? '');
  expect(found).toMatchObject({
    state: 'ended',
    facts: { unreadable: expect.stringMatching(/^\{"expression":|^\{"/) },
  });
  expect(found?.facts.unreadable).toHaveLength(20);
  await rig.close();
});
