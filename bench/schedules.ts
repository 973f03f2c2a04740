/** How fast ten thousand schedules that fall due at the same midnight are charged: embedded gateway, SQLite file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, pause, systemClock } from '../src/base/clock.ts';
import { systemIds, systemRandom } from '../src/base/ids.ts';
import { type Embedded, openGateway } from '../src/gateway/server/embedded.ts';
import type { Schedule } from '../src/gateway/store/schedule-store.ts';

const entityId = '8a8294174e735d0c014e78beb6b9154b';
const channels = [{ entityId, token: 'bench-token' }];
const CARDS = 100;
const DAY_MS = 86_400_000;

export type ScheduleBench = { runs: number; perSecond: number; approved: number; payments: number };

/** Each run is a payment with its claim, on the disk before its own next step. */
export const benchSchedules = async (count: number): Promise<ScheduleBench> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'schedules-'));
  const time = { aheadMs: 0 };
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + time.aheadMs };
  const gateway = await openGateway({ dataDir, channels, clock, ids: systemIds, random: systemRandom });
  try {
    const midnight = Math.ceil(clock.now() / DAY_MS) * DAY_MS;
    await storeSchedules(gateway, { count, midnight });
    time.aheadMs = midnight - systemClock.now() + 1000;
    const startedAt = systemClock.monotonic();
    gateway.gateway.scheduleSignal.wake();
    for (
      let next = 0;
      next < clock.now() + DAY_MS / 2;
      next = (await gateway.store.schedules.nextWorkAt([entityId])) ?? 0
    ) {
      await pause(systemClock, 20);
    }
    const seconds = (systemClock.monotonic() - startedAt) / 1000;
    return { runs: count, perSecond: count / seconds, ...(await outcomeOf(gateway, midnight)) };
  } finally {
    await gateway.close();
    rmSync(dataDir, { recursive: true });
  }
};

const storeSchedules = async (
  gateway: Embedded,
  { count, midnight }: { count: number; midnight: number },
): Promise<void> => {
  const cards: string[] = [];
  for (let each = 0; each < CARDS; each += 1) cards.push(await register(gateway));
  const facts: Schedule['facts'] = {
    requestId: '0'.repeat(32),
    expression: '0 0 0 * * ? *',
    timeZone: 'Europe/Vienna',
    startsAt: 0,
    request: { 'job.expression': '0 0 0 * * ?', 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
    declines: 0,
  };
  await gateway.store.transact([], async ({ schedules }) => {
    for (let each = 0; each < count; each += 1) {
      const id = systemIds.next();
      await schedules.addSchedule({
        id,
        entityId,
        rootId: id,
        registrationId: cards[each % CARDS] ?? '',
        paymentType: 'DB',
        amount: { minor: 1n, currency: 'EUR' },
        at: 0,
        resultCode: '000.100.110',
        facts,
        state: 'active',
        nextAt: midnight,
      });
    }
  });
};

/** A card in a range that the simulated bank does not list: only its limits apply. */
const register = async (gateway: Embedded): Promise<string> => {
  const card = { 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
  const response = await gateway.fetch(
    new Request('http://bench/v1/registrations', {
      method: 'POST',
      body: new URLSearchParams({ entityId, paymentBrand: 'VISA', ...card }),
      headers: { authorization: 'Bearer bench-token' },
    }),
  );
  return String(((await response.json()) as { id: unknown }).id);
};

const outcomeOf = async ({ store }: Embedded, from: number) => {
  const { total, payments } = await store.search({ entityId, from, limit: 100_000 });
  return {
    payments: total,
    approved: payments.filter((each) => each.state === 'done' && each.resultCode === '000.100.110').length,
  };
};

/** Prints the line; returns whether the target was reached. */
export const reportSchedules = async (print: (line: string) => void): Promise<boolean> => {
  print('\n10,000 schedules that fall due at the same time, on the embedded gateway …');
  const { runs, perSecond, payments, approved } = await benchSchedules(10_000);
  const isMet = perSecond >= 500 && payments === runs;
  const rate = Math.round(perSecond).toLocaleString('en');
  const each = `${rate}/s (wanted: at least 500), ${payments} payments, ${approved} approved`;
  print(`runs of schedules              ${each}  ${isMet ? 'ok' : 'MISSED'}`);
  return isMet;
};
