/** A plan whose due times cannot be computed is suspended alone: all others continue, and the error is reported. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { idOf } from '../../support/gateway/gateway.ts';
import { monthly, passTo, type Rig, SCHEDULES, scheduleRig, storedCard } from './rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'aside-'));
afterAll(() => rmSync(folder, { recursive: true }));

const changed = (facts: string, change: object): string => JSON.stringify({ ...JSON.parse(facts), ...change });

const damages: readonly [says: string, damage: (facts: string) => string][] = [
  ['this machine does not know its time zone', (facts) => changed(facts, { timeZone: 'Mars/Olympus' })],
  ['its expression is malformed', (facts) => changed(facts, { expression: '0 0 0 1 * never *' })],
  ['its expression is missing', (facts) => changed(facts, { expression: undefined })],
  ['its row is truncated', (facts) => facts.slice(0, 20)],
];

/** Three plans, the first of which is damaged while no gateway runs; then a gateway on the same file. */
const withDamage = async (name: string, damage: (facts: string) => string): Promise<{ rig: Rig; ids: string[] }> => {
  const dataDir = join(folder, name);
  const before = await scheduleRig({ dataDir });
  const card = await storedCard(before);
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(idOf(await before.post(SCHEDULES, monthly(card))));
  await before.close();
  const file = new Database(join(dataDir, 'gateway.db'));
  const facts = file.prepare('select facts from schedule where id = ?').pluck().get(ids[0]);
  file.prepare('update schedule set facts = ? where id = ?').run(damage(String(facts)), ids[0]);
  file.close();
  return { rig: await scheduleRig({ dataDir }), ids };
};

test.each(damages)('%s', async (name, damage) => {
  const { rig, ids } = await withDamage(name, damage);
  const [broken = '', ...sound] = ids;
  await passTo(rig, '2026-02-01T01:00:00Z');
  for (const id of sound) {
    const { plan } = await rig.look(id);
    expect(plan).toMatchObject({ active: true, runs: [{ state: 'done', result: { code: '000.100.110' } }] });
  }
  const { plan } = await rig.look(broken);
  expect(plan).toMatchObject({ active: false, ended: { reason: 'set aside' }, runs: [] });
  expect(rig.reported).toMatchObject([{ code: 'schedule.aside', message: expect.stringContaining(broken) }]);
  // The error is reported once, and no run falls due until somebody has replaced the plan.
  await passTo(rig, '2026-03-01T01:00:00Z');
  expect(rig.reported).toHaveLength(1);
  const whole = monthly('', { 'job.dayOfMonth': '15' });
  const { registrationId: _, ...job } = whole;
  const again = await rig.post(`${SCHEDULES}/${broken}/reschedule`, { ...job, paymentType: 'RS' });
  expect(again.status, again.text).toBe(200);
  await passTo(rig, '2026-03-15T01:00:00Z');
  expect((await rig.look(idOf(again))).plan).toMatchObject({ active: true, runs: [{ state: 'done' }] });
  expect(rig.reported).toHaveLength(1);
  await rig.close();
});

test('the content of a truncated row is kept', async () => {
  const { rig, ids } = await withDamage('kept', (facts) => facts.slice(0, 20));
  await passTo(rig, '2026-02-01T01:00:00Z');
  const found = await rig.gateway.store.schedules.schedule(ids[0] ?? '');
  expect(found).toMatchObject({
    state: 'ended',
    facts: { unreadable: expect.stringMatching(/^\{"expression":|^\{"/) },
  });
  expect(found?.facts.unreadable).toHaveLength(20);
  await rig.close();
});
