/** Which acquirer gets which operation: a payment goes where its test mode says, and its follow-ups go there too. */
import { expect, test } from 'vitest';
import { acquirerByTestMode } from '../../../src/gateway/acquirers/by-test-mode.ts';
import { upstreamAcquirer } from '../../../src/gateway/acquirers/upstream/upstream.ts';
import { scriptedAcquirer } from '../../support/gateway/scripted-acquirer.ts';
import { bench, ENTITY, follow, nextId, sale } from './upstream/bench.ts';

const stage = async () => {
  const { acquirer: upstream, host, memory, clock } = await bench();
  const simulator = scriptedAcquirer();
  const reads = { count: 0 };
  const countingAcquirer = {
    ...memory,
    get: (key: string) => {
      reads.count += 1;
      return memory.get(key);
    },
  };
  const configured = new Map([[ENTITY, upstream]]);
  const live = new Set<string>();
  const options = { simulator, upstreamOf: (id: string) => configured.get(id), isLive: (id: string) => live.has(id) };
  const acquirer = acquirerByTestMode({ ...options, memory: countingAcquirer });
  return { acquirer, simulator, upstream, configured, live, host, memory, clock, reads };
};

const internal = { entityId: ENTITY, testMode: 'INTERNAL' };
const plainChannel = { entityId: ENTITY };
const pendingPages = { get: async () => undefined, set: async () => {}, lock: () => undefined };
const foreignRequest = { entityId: 'f'.repeat(32), testMode: 'EXTERNAL' };

test.each([
  ['INTERNAL', internal],
  ['no test mode', plainChannel],
])('%s goes to the simulators, and so do its follow-ups', async (_, parameters) => {
  const { acquirer, simulator, host, reads } = await stage();
  const start = sale({ parameters });
  await acquirer.authorise(start);
  expect(reads.count).toBe(0);
  await acquirer.refer(follow(start.id, { parameters }));
  expect((await acquirer.inquire(start.id, 0))?.resultCode).toBe('000.100.110');
  expect([simulator.authorised.length, simulator.referred.length, simulator.inquired.length]).toEqual([1, 1, 1]);
  expect(host.counts().requests).toBe(0);
});

test('EXTERNAL on a channel that no longer has a processor goes to nobody', async () => {
  const { acquirer, simulator } = await stage();
  const start = sale({ parameters: foreignRequest });
  expect(acquirer.authoriseInTransaction?.(pendingPages, start)).toBeUndefined();
  expect(await acquirer.authorise(start)).toMatchObject({ resultCode: '600.200.500' });
  expect(simulator.authorised).toEqual([]);
});

test('EXTERNAL goes to the channel’s processor, and so do its follow-ups', async () => {
  const { acquirer, simulator, host, clock } = await stage();
  const start = sale({ at: clock.now() });
  host.next({ does: 'cuts', at: 'booked' });
  await acquirer.authorise(start);
  expect((await acquirer.inquire(start.id, start.at))?.resultCode).toBe('000.100.110');
  await acquirer.refer(follow(start.id, { parameters: plainChannel }));
  expect(host.posted).toHaveLength(2);
  expect([simulator.authorised, simulator.referred, simulator.inquired]).toEqual([[], [], []]);
});

test('a payment made before its channel had a processor stays with the simulators', async () => {
  const { acquirer, simulator, configured, upstream, host } = await stage();
  configured.clear();
  const start = sale();
  await acquirer.authorise(start);
  configured.set(ENTITY, upstream);
  await acquirer.refer(follow(start.id));
  expect(simulator.referred).toHaveLength(1);
  expect(host.posted).toEqual([]);
});

test('every operation of a live channel goes to its processor, whatever its test mode', async () => {
  const { acquirer, simulator, live, host } = await stage();
  live.add(ENTITY);
  for (const parameters of [plainChannel, internal]) {
    const start = sale({ parameters });
    await acquirer.authorise(start);
    await acquirer.refer(follow(start.id, { parameters }));
  }
  expect(host.posted).toHaveLength(4);
  expect([simulator.authorised, simulator.referred]).toEqual([[], []]);
});

test('a payment made while a live channel was a test channel allows no follow-up', async () => {
  const { acquirer, simulator, live, host } = await stage();
  const start = sale({ parameters: plainChannel });
  await acquirer.authorise(start);
  live.add(ENTITY);
  expect((await acquirer.refer(follow(start.id, { parameters: plainChannel }))).resultCode).toBe('600.200.500');
  expect(simulator.referred).toEqual([]);
  expect(host.posted).toEqual([]);
});

test('a live channel without its processor moves no money', async () => {
  const { acquirer, simulator, configured, live } = await stage();
  live.add(ENTITY);
  configured.clear();
  await expect(acquirer.authorise(sale({ parameters: plainChannel }))).rejects.toMatchObject({ code: 'host.silent' });
  expect(simulator.authorised).toEqual([]);
});

test('without its processor, a payment that went there is unknown to every inquiry', async () => {
  const { acquirer, simulator, configured } = await stage();
  const start = sale();
  await acquirer.authorise(start);
  configured.clear();
  await expect(acquirer.inquire(start.id, 0)).rejects.toMatchObject({ code: 'host.silent' });
  await expect(acquirer.refer(follow(start.id))).rejects.toMatchObject({ code: 'host.silent' });
  expect([simulator.referred, simulator.inquired]).toEqual([[], []]);
});

test('an id that nobody has seen is closed at both acquirers: neither accepts it later', async () => {
  const { acquirer, host } = await stage();
  const id = nextId();
  expect(await acquirer.inquire(id, 0)).toBeUndefined();
  expect((await acquirer.authorise(sale({ id }))).resultCode).toBe('800.100.191');
  expect(await acquirer.inquire(id, 0)).toBeUndefined();
  expect(host.counts().requests).toBe(0);
});

test('a request that starts during its own inquiry belongs to the processor', async () => {
  const { upstream, host, memory, clock } = await stage();
  const start = sale({ at: clock.now() });
  const simulator = {
    ...scriptedAcquirer(),
    // The processor receives it between the two inquiries.
    inquire: async () => {
      await upstream.authorise(start);
      return undefined;
    },
  };
  const acquirer = acquirerByTestMode({ simulator, upstreamOf: () => upstream, isLive: () => false, memory });
  expect((await acquirer.inquire(start.id, start.at))?.resultCode).toBe('000.100.110');
  expect(host.posted).toHaveLength(1);
});

test('an acquirer in another process finds what the first one sent', async () => {
  const { acquirer, host, memory, clock } = await stage();
  const start = sale({ at: clock.now() });
  await acquirer.authorise(start);
  const upstream = { baseUrl: host.baseUrl, entityId: 'e'.repeat(32), token: 'upstream-token' };
  const far = upstreamAcquirer({ upstream, entityId: ENTITY, memory, clock });
  const parts = { simulator: scriptedAcquirer(), upstreamOf: () => far, isLive: () => false };
  const other = acquirerByTestMode({ ...parts, memory });
  expect(await other.inquire(start.id, start.at)).toEqual(await acquirer.inquire(start.id, start.at));
  await far.close();
});
