/** Several gateways on one PostgreSQL run the same schedules: each run makes one payment. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';
import type { Schedule } from '../../src/gateway/store/schedule-store.ts';
import { entityId, plainCard, replyOf, token } from '../support/gateway/gateway.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

/** On one card, whose payments the simulated bank takes one at a time. */
const COUNT = 60;

test('three gateways charge each of many schedules once', async () => {
  const database = await server.database();
  const reported: unknown[] = [];
  const open = () =>
    openGateway({
      dataDir: ':memory:',
      database,
      vaultKey: '11'.repeat(32),
      channels: [{ entityId, token }],
      clock: systemClock,
      ids: systemIds,
      random: systemRandom,
      report: (error) => reported.push(error),
    });
  const gateways = [await open(), await open(), await open()];
  const [first] = gateways;
  if (first === undefined) throw new Error('no gateway is open');
  const request = new Request('http://gateway.test/v1/registrations', {
    method: 'POST',
    body: new URLSearchParams({ entityId, ...plainCard }),
    headers: { authorization: `Bearer ${token}` },
  });
  const registrationId = String((await replyOf(await first.fetch(request))).body['id']);
  const schedules = Array.from({ length: COUNT }, () => dueAt(systemClock.now() + 1000, registrationId));
  await first.store.transact([], async (session) => {
    for (const each of schedules) await session.schedules.addSchedule(each);
  });
  for (const { gateway } of gateways) gateway.scheduleSignal.wake();
  const tomorrow = systemClock.now() + 86_400_000;
  const allDone = `(select min(next_at) from schedule) > ${tomorrow}`;
  await server.until(database, `${allDone} and not exists (select from schedule_run where look_at is not null)`);
  expect(await first.store.schedules.nextWorkAt([entityId])).toBeGreaterThan(tomorrow);
  expect(reported).toEqual([]);
  await Promise.all(gateways.map((each) => each.close()));
  const after = await open();
  for (const { id } of schedules) {
    const runs = await after.store.schedules.runs({ rootId: id, limit: 5 });
    expect(runs).toMatchObject([{ scheduleId: id, state: 'done' }]);
  }
  const { payments } = await after.store.search({ entityId, limit: 500 });
  expect(payments).toHaveLength(COUNT);
  expect(new Set(payments.map(({ facts }) => facts.scheduleId)).size).toBe(COUNT);
  expect(reported).toEqual([]);
  await after.close();
});

/** Next due in a year: a schedule charged twice within this test was charged by two gateways. */
const dueAt = (nextAt: number, registrationId: string): Schedule => {
  const id = systemIds.next();
  return {
    id,
    entityId,
    rootId: id,
    registrationId,
    paymentType: 'DB',
    amount: { minor: 1n, currency: 'EUR' },
    at: nextAt,
    resultCode: '000.100.110',
    facts: {
      requestId: id,
      expression: '0 0 0 1 1 ? *',
      timeZone: 'UTC',
      startsAt: nextAt,
      request: {},
      declines: 0,
    },
    state: 'active',
    nextAt,
  };
};
