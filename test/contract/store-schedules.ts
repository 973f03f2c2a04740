/** What every store must do with schedules and their runs. */
import { expect, test } from 'vitest';
import type { Schedule, ScheduleRun } from '../../src/gateway/store/schedule-store.ts';
import type { Store } from '../../src/gateway/store/store.ts';
import { idsOf } from './store-samples.ts';

type Active = Extract<Schedule, { state: 'active' }>;

const plan = (of: Partial<Active> & { id: string }): Active => ({
  entityId: 'e1',
  rootId: of.id,
  registrationId: 'r1',
  paymentType: 'DB',
  amount: { minor: 990n, currency: 'EUR' },
  at: 1_767_355_200_000,
  resultCode: '000.100.110',
  facts: { requestId: 'r', expression: '0 0 0 1 * ? *', timeZone: 'UTC', startsAt: 0, request: {}, declines: 0 },
  state: 'active',
  nextAt: 10,
  ...of,
});

const endedPlan = ({ state: _, nextAt: __, ...schedule }: Active): Schedule => ({ ...schedule, state: 'ended' });

const run = (of: Partial<ScheduleRun> & { scheduleId: string; dueAt: number }): ScheduleRun =>
  ({
    rootId: of.scheduleId,
    entityId: 'e1',
    attempts: 1,
    missed: 0,
    state: 'claimed',
    lookAt: 50,
    ...of,
  }) as ScheduleRun;

export const schedulesContract = (store: () => Store): void => {
  const keep = (...all: readonly Schedule[]) =>
    store().transact([], async ({ schedules }) => {
      for (const each of all) await schedules.addSchedule(each);
    });
  const claim = (until: number, limit = 10) =>
    store().transact([], async ({ schedules }) => {
      const due = await schedules.due({ until, entityIds: ['e1', 'e2'], limit });
      for (const each of due) await schedules.changeSchedule({ ...each, state: 'active', nextAt: until + 100 });
      return due;
    });

  test('returns a schedule unchanged, changes it, and ends it', async () => {
    const first = plan({ id: 's1', endsAt: 99, amount: { minor: 9_007_199_254_740_993n, currency: 'KWD' } });
    await keep(first, plan({ id: 's2', rootId: 's1', registrationId: 'r2' }));
    expect(await store().schedules.schedule('s1')).toEqual(first);
    expect(await store().schedules.schedule('s3')).toBeUndefined();
    const over = { ...endedPlan(first), endsAt: 50, facts: { ...first.facts, declines: 3 } };
    const inTransaction = await store().transact([], async ({ schedules }) => {
      await schedules.changeSchedule(over);
      return schedules.schedule('s1');
    });
    expect([inTransaction, await store().schedules.schedule('s1')]).toEqual([over, over]);
    expect(idsOf(await store().schedules.chain('s1'))).toEqual(['s1', 's2']);
    expect(idsOf(await store().schedules.schedules({ registrationId: 'r2', limit: 5 }))).toEqual(['s2']);
    expect(idsOf(await store().schedules.schedules({ limit: 5 }))).toEqual(['s2', 's1']);
  });

  test('finds what is due for some channels, longest overdue first', async () => {
    await keep(plan({ id: 's1', nextAt: 30 }), plan({ id: 's2', nextAt: 10 }), plan({ id: 's3', entityId: 'e3' }));
    await keep(
      endedPlan(plan({ id: 's4', nextAt: 1 })),
      plan({ id: 's5', nextAt: 31 }),
      plan({ id: 's6', entityId: 'e2' }),
    );
    expect(await store().schedules.nextWorkAt(['e1'])).toBe(10);
    expect(await store().schedules.nextWorkAt([])).toBeUndefined();
    expect(idsOf(await claim(30, 1))).toHaveLength(1);
    expect(idsOf(await claim(30)).sort()).toEqual(['s1', 's2', 's6'].filter((id) => id !== 's2').sort());
    expect(await claim(30)).toEqual([]);
    expect(await store().schedules.nextWorkAt(['e1'])).toBe(31);
  });

  test('several simultaneous claims get different schedules, and together all of them', async () => {
    await keep(...Array.from({ length: 40 }, (_, index) => plan({ id: `s${index}` })));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(10, 5)));
    for (let more = await claim(10, 5); more.length > 0; more = await claim(10, 5)) claims.push(more);
    const ids = claims.flatMap(idsOf);
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
  });

  test('stores each run once, and finds those that need attention', async () => {
    await keep(plan({ id: 's1', nextAt: 500 }), plan({ id: 's2', rootId: 's1', nextAt: 500 }));
    const add = (...runs: readonly ScheduleRun[]) => store().transact([], ({ schedules }) => schedules.addRuns(runs));
    const manyRuns = Array.from({ length: 20 }, (_, index) =>
      run({ scheduleId: 's1', dueAt: index + 1, lookAt: 100 - index }),
    );
    await add(
      ...manyRuns,
      run({ scheduleId: 's2', rootId: 's1', dueAt: 30, state: 'waiting', paymentId: 'p1', why: 'ü' }),
    );
    await expect(add(run({ scheduleId: 's1', dueAt: 1 }))).rejects.toMatchObject({ code: 'gateway.state' });
    const findNeglected = (until: number) =>
      store().transact([], ({ schedules }) => schedules.neglected({ until, entityIds: ['e1'], limit: 3 }));
    expect((await findNeglected(83)).map(({ dueAt }) => dueAt)).toEqual([30, 20, 19]);
    expect(await store().schedules.nextWorkAt(['e1'])).toBe(50);
    const { lookAt: _, ...over } = { lookAt: 0, ...run({ scheduleId: 's1', dueAt: 20 }) };
    const done = { ...over, state: 'done', paymentId: 'p2', resultCode: '000.100.110' } as ScheduleRun;
    await store().transact([], ({ schedules }) => schedules.changeRun(done));
    expect(await store().schedules.run('s1', 20)).toEqual(done);
    expect(await store().schedules.run('s1', 21)).toBeUndefined();
    expect((await findNeglected(83)).map(({ dueAt }) => dueAt)).toEqual([30, 19, 18]);
    const [newest, next] = await store().schedules.runs({ rootId: 's1', limit: 2 });
    expect(newest).toEqual(
      run({ scheduleId: 's2', rootId: 's1', dueAt: 30, state: 'waiting', paymentId: 'p1', why: 'ü' }),
    );
    expect(next).toEqual(done);
  });
};
