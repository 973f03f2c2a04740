/**
 * Any graph of sales, their follow-ups and reversals, over any line: the order rules hold at each moment, each message
 * is settled once, and nothing is left when the faults stop.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pause } from '../../src/base/clock.ts';
import { journalIn } from '../../src/journal/journal.ts';
import { createForwarder, type Delivery } from '../../src/queue/forwarder.ts';
import { type Message, openOutbox } from '../../src/queue/outbox.ts';
import type { TryOutcome } from '../../src/queue/policy.ts';
import { sealer } from '../../src/queue/seal.ts';
import { dice } from '../support/chance/dice.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { byNight } from '../support/night/night.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

type Planned = { kind: 'forward' | 'repeat' | 'reversal'; after?: number; atMs: number };

/** Each can follow an earlier one and never exists before it: nobody voids a sale that is not written yet. */
const plan = fc
  .array(
    fc.record({
      kind: fc.constantFrom<Planned['kind']>('forward', 'forward', 'repeat', 'reversal'),
      after: fc.option(fc.nat(), { nil: undefined }),
      atMs: fc.constantFrom(0, 0, 0, 40, 150, 2_000),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((all) => {
    const plans: Planned[] = [];
    for (const [n, { kind, after, atMs }] of all.entries()) {
      const follows = kind !== 'reversal' && after !== undefined && n > 0 ? after % n : undefined;
      const parent = follows === undefined ? undefined : plans[follows];
      const children = follows === undefined ? {} : { after: follows };
      plans.push({ kind, ...children, atMs: Math.max(atMs, parent?.atMs ?? 0) });
    }
    return plans;
  });

const faults: TryOutcome[] = [
  'silent',
  'notSent',
  'later',
  'unknown',
  'undecided',
  'refused',
  'mend',
  'pending',
  'held',
];

type World = ReturnType<typeof openWorld>;

/** A gateway that answers at random while `faulty`, and checks that nothing comes out of order. */
const openWorld = (clock: VirtualClock, seed: number, plans: readonly Planned[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphs-'));
  const chance = dice(seed);
  const path = join(folder, 'journal.db');
  const journal = journalIn(openSqlUnsynced(path), path, { clock });
  const outbox = openOutbox(journal.sql, sealer(new Uint8Array(32), chance.random));
  const state = { faulty: true, settled: new Map<string, number>(), wrong: [] as string[], under: new Set<string>() };

  const watch = (message: Message): void => {
    const parent = message.after;
    if (parent !== undefined && outbox.holds(parent)) state.wrong.push(`${message.id} before ${parent}`);
    const follower = outbox.waiting().find(({ after }) => parent !== undefined && after === parent);
    if (follower !== undefined && follower.id !== message.id)
      state.wrong.push(`${message.id} overtakes ${follower.id}`);
    if (state.under.has(message.id)) state.wrong.push(`${message.id} twice at once`);
    if (state.settled.has(message.id)) state.wrong.push(`${message.id} after it was settled`);
    // A due reversal goes first: it can only pass messages that are already under way.
    if (message.kind !== 'reversal')
      for (const { id } of outbox.due(clock.now(), 'reversals'))
        if (!state.under.has(id)) state.wrong.push(`${message.id} before reversal ${id}`);
    state.under.add(message.id);
    if (state.under.size > 8) state.wrong.push('too many at once');
  };

  const deliver = async (message: Message): Promise<Delivery> => {
    watch(message);
    await pause(clock, chance.between(1, 200));
    state.under.delete(message.id);
    const means = state.faulty && chance.percent(60) ? chance.one(faults as [TryOutcome, ...TryOutcome[]]) : 'approved';
    return {
      means,
      note: means,
      settle() {
        state.settled.set(message.id, (state.settled.get(message.id) ?? 0) + 1);
        outbox.settle(message.id);
      },
    };
  };
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const sender = createForwarder({ outbox, deliver, clock, random: chance.random, report });
  const put = ({ kind, after }: Planned, n: number): void => {
    const follows = after === undefined ? {} : { after: `s${after}` };
    outbox.put({ id: `m${n}`, kind, sale: `s${n}`, key: `k${n}`, body: '{}', ...follows }, clock.now());
    sender.wake();
  };
  for (const [n, one] of plans.entries()) {
    if (one.atMs === 0) put(one, n);
    else clock.after(one.atMs, () => put(one, n));
  }
  return { state, outbox, sender, reported, folder, journal };
};

const close = async ({ sender, journal, folder }: World, clock: VirtualClock): Promise<void> => {
  await clock.until(sender.stop());
  journal.close();
  rmSync(folder, { recursive: true, force: true });
};

test('in every graph over every line the order rules hold, and nothing is settled twice or left', async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.nat(), async (plans, seed) => {
      const clock = virtualClock();
      const created = openWorld(clock, seed, plans);
      const { state, sender, outbox, reported } = created;
      sender.start();
      await clock.advance(20_000);
      state.faulty = false;
      // A person resumes what was parked.
      outbox.unpark(clock.now());
      sender.wake();
      // A backoff lasts five minutes at most; chains proceed link by link.
      await clock.advance(600_000);
      const left = [...outbox.waiting(), ...outbox.parked()].map(({ id }) => id);
      const firstRun = plans.map((_, n) => state.settled.get(`m${n}`));
      await close(created, clock);
      expect({ wrong: state.wrong, left, reported, once: firstRun }).toEqual({
        wrong: [],
        left: [],
        reported: [],
        once: plans.map(() => 1),
      });
    }),
    { numRuns: byNight({ day: 40, night: 1_000 }) },
  );
}, 300_000);

test('a chain of any depth proceeds link by link in one pass', async () => {
  const clock = virtualClock();
  const depth = 60;
  const plans = Array.from({ length: depth }, (_, n): Planned => {
    return { kind: 'forward', after: n > 0 ? n - 1 : undefined, atMs: 0 };
  });
  const created = openWorld(clock, 1, plans);
  created.state.faulty = false;
  expect(await clock.until(created.sender.drain())).toEqual({ done: depth, later: 0, parked: 0 });
  expect([...created.state.settled.keys()]).toEqual(plans.map((_, n) => `m${n}`));
  await close(created, clock);
});

test('only the follow-ups of a parked sale wait with it', async () => {
  const clock = virtualClock();
  const created = openWorld(clock, 1, [
    { kind: 'forward', atMs: 0 },
    { kind: 'forward', after: 0, atMs: 0 },
    { kind: 'forward', atMs: 0 },
  ]);
  const { outbox, sender, state } = created;
  state.faulty = false;
  outbox.park('m0', 'for a person');
  expect(await clock.until(sender.drain('all'))).toEqual({ done: 1, later: 0, parked: 0 });
  expect(outbox.waiting().map(({ id }) => id)).toEqual(['m1']);
  // A started forwarder does not loop over what cannot be sent.
  expect(outbox.nextAt()).toBeUndefined();
  outbox.unpark(clock.now());
  expect((await clock.until(sender.drain())).done).toBe(2);
  await close(created, clock);
});
