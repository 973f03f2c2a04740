/** Stored accounts are destroyed when they expire, and not a moment earlier. */
import { expect, test } from 'vitest';
import type { Registration } from '../../../src/gateway/store/records.ts';
import { type ExpiringStore, purgeDaily, purgeExpired } from '../../../src/gateway/vault/upkeep.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { registrationsInMemory } from './registrations.ts';

const clock = virtualClock();
const NOW = clock.now();

const row = (n: number, keptUntil: number): Registration => ({
  id: n.toString(16).padStart(32, '0'),
  entityId: 'a'.repeat(32),
  paymentMethod: 'CC',
  paymentBrand: 'VISA',
  at: 0,
  keptUntil,
  state: 'active',
  sealed: { keyId: 'k', wrappedKey: 'w', box: 'b' },
  accountHash: 'h',
  facts: { requestId: 'r', echo: {}, resultCode: '000.100.110' },
});

const createStore = (rows: readonly Registration[]) => {
  const memory = registrationsInMemory(rows);
  const store: ExpiringStore = {
    transact: memory.transact,
    expiredRegistrations: async (until, limit) =>
      [...memory.rows.values()]
        .filter(({ state, keptUntil }) => state === 'active' && keptUntil <= until)
        .sort((a, b) => a.keptUntil - b.keptUntil)
        .slice(0, limit),
  };
  const activeRows = () => [...memory.rows.values()].filter(({ state }) => state === 'active');
  return { memory, store, active: activeRows };
};

test.each([
  ['a moment too early', 1, 'active'],
  ['exactly', 0, 'deleted'],
  ['long ago', -1_000_000, 'deleted'],
] as const)('%s', async (_, offsetMs, state) => {
  const { memory, store } = createStore([row(1, NOW + offsetMs)]);
  expect(await purgeExpired({ store, clock })).toBe(state === 'deleted' ? 1 : 0);
  const [after] = memory.rows.values();
  expect(after?.state).toBe(state);
  expect(after !== undefined && 'sealed' in after).toBe(state === 'active');
});

test('the row stays for records that refer to it', async () => {
  const { memory, store } = createStore([row(1, NOW)]);
  await purgeExpired({ store, clock });
  const { sealed: _, ...rest } = row(1, NOW);
  expect([...memory.rows.values()]).toEqual([{ ...rest, state: 'deleted' }]);
});

test('many are purged in batches, and the others stay', async () => {
  const { store, active: activeRows } = createStore(
    Array.from({ length: 250 }, (_, n) => row(n, n % 2 === 0 ? NOW : NOW + 1)),
  );
  expect(await purgeExpired({ store, clock })).toBe(125);
  expect(activeRows()).toHaveLength(125);
  expect(await purgeExpired({ store, clock })).toBe(0);
});

test('one that is extended meanwhile stays', async () => {
  const { memory, store } = createStore([row(1, NOW)]);
  memory.beforeWork = () => {
    memory.rows.set(row(1, 0).id, row(1, NOW + 1));
  };
  expect(await purgeExpired({ store, clock })).toBe(0);
  expect([...memory.rows.values()]).toEqual([row(1, NOW + 1)]);
});

test('two simultaneous purges destroy each account once', async () => {
  const { store, active: activeRows } = createStore(Array.from({ length: 250 }, (_, n) => row(n, NOW)));
  const purgedCounts = await Promise.all([purgeExpired({ store, clock }), purgeExpired({ store, clock })]);
  expect(purgedCounts[0] + purgedCounts[1]).toBe(250);
  expect(activeRows()).toEqual([]);
});

test('a gateway purges at its start and once a day, and stops when it is closed', async () => {
  const clock = virtualClock();
  const requests: number[] = [];
  const store: ExpiringStore = {
    transact: () => Promise.reject(new Error('nothing is overdue')),
    expiredRegistrations: async (until) => {
      requests.push(until);
      return [];
    },
  };
  const purging = purgeDaily({ store, clock, report: (error) => expect(error).toBeUndefined() });
  const startedAt = clock.now();
  await clock.advance(24 * 60 * 60 * 1000);
  await purging.end();
  await clock.advance(48 * 60 * 60 * 1000);
  expect(requests).toEqual([startedAt, startedAt + 24 * 60 * 60 * 1000]);
});
