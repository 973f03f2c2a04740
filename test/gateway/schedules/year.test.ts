/** A year of schedules in three places, with downtimes: every due time is charged once, or reported as missed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dateTime } from '../../../src/base/clock.ts';
import { dice, SEED } from '../../support/chance/dice.ts';
import { idOf } from '../../support/gateway/gateway.ts';
import { advanceTo, type Rig, SCHEDULES, scheduleRig, storedCard } from './rig.ts';
import { dueTimes } from './stepper.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-01-10T12:00:00Z');
const END = START + 365 * DAY;

const expressions = ['0 30 2 ? * MON *', '0 0 0 L * ? *', '0 15 2 1,15W * ? *', '0 0 12 ? * 6#2 *', '0 30 3 L-2 * ? *'];

type Plan = { expression: string; id: string };

test.each(['UTC', 'Europe/Vienna', 'Australia/Sydney'])(`a year in %s, seed ${SEED}`, async (timeZone) => {
  const { between } = dice(SEED);
  const dataDir = mkdtempSync(join(tmpdir(), 'year-'));
  const channel = { schedules: { timeZone } };
  let rig: Rig = await scheduleRig({ dataDir, channel });
  const card = await storedCard(rig);
  const plans: Plan[] = [];
  for (const expression of expressions) {
    const request = {
      registrationId: card,
      amount: '9.90',
      currency: 'EUR',
      paymentType: 'DB',
      'job.expression': expression,
    };
    plans.push({ expression, id: idOf(await rig.post(SCHEDULES, request)) });
  }
  const stops: { from: number; to: number }[] = [];
  while (rig.clock.now() < END) {
    await advanceTo(rig, new Date(Math.min(END, rig.clock.now() + between(10, 60) * DAY)).toISOString());
    if (rig.clock.now() >= END) break;
    const from = rig.clock.now();
    await rig.close();
    rig.clock.lag(between(1, 20) * DAY + between(0, DAY));
    stops.push({ from, to: rig.clock.now() });
    rig = await scheduleRig({ dataDir, channel, clock: rig.clock });
  }
  await advanceTo(rig, new Date(rig.clock.now() + 1000).toISOString());
  const to = rig.clock.now();
  for (const { expression, id } of plans) {
    const due = dueTimes({ expression, timeZone, from: START, to });
    const expected = wantedOf(due, stops);
    const { plan } = await rig.planOf(id);
    const messages = plan.runs.map(({ dueDate, state, missed }) => `${dueDate.slice(0, 19)} ${missed ?? state}`).sort();
    expect(messages, `${expression} in ${timeZone}`).toEqual(expected);
    const chargedIds = plan.runs.flatMap(({ paymentId }) => (paymentId === undefined ? [] : [paymentId]));
    expect(new Set(chargedIds).size).toBe(expected.filter((line) => line.endsWith('done')).length);
    const { total } = await rig.gateway.store.search({
      entityId: '8a8294174e735d0c014e78beb6b9154b',
      merchantTransactionId: id,
      limit: 100,
    });
    expect(total).toBe(chargedIds.length);
  }
  expect(rig.reported).toEqual([]);
  await rig.close();
  rmSync(dataDir, { recursive: true });
});

/**
 * After each downtime the latest due time is charged if it is not older than three days; the earlier ones are one line.
 */
const wantedOf = (due: readonly number[], stops: readonly { from: number; to: number }[]): readonly string[] => {
  const lines: string[] = [];
  const stopAt = (at: number) => stops.find(({ from, to }) => at > from && at <= to);
  const line = (at: number, what: string | number) => lines.push(`${dateTime(at)} ${what}`);
  for (const at of due) if (stopAt(at) === undefined) line(at, 'done');
  for (const stop of stops) {
    const missedTimes = due.filter((at) => stopAt(at) === stop);
    const latest = missedTimes.at(-1);
    const first = missedTimes[0];
    if (latest === undefined || first === undefined) continue;
    const isTooLate = stop.to - latest > 3 * DAY;
    const missed = missedTimes.length - (isTooLate ? 0 : 1);
    if (missed > 0) line(first, missed);
    if (!isTooLate) line(latest, 'done');
  }
  return lines.sort();
};
