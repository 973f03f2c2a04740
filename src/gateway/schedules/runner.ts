/** Carries out what falls due: round by round, many runs at a time, each once whoever else does the same. */

import { type BackgroundJob, rounds } from '../background-jobs.ts';
import type { Channel } from '../channel.ts';
import type { Gateway } from '../payments/endpoint.ts';
import { type Claimed, type Claiming, claimDue, claimNeglected } from './claim.ts';
import { finishRun } from './finish.ts';
import { carryOut } from './run.ts';

type Running = {
  gateway: Gateway;
  channels: readonly Channel[];
  /** How long a payment waits for its acquirer, ms. */
  patienceMs: number;
  /** Hears of runs that failed; somebody takes them up again. */
  report: (error: unknown) => void;
};

/** Together they share the syncs of the disk; one that waits for its bank holds up few others. */
const AT_ONCE = 64;
const BATCH = 2 * AT_ONCE;
/** Longer than everything that a batch can wait for. */
const LEASE_MS_LEAST = 300_000;

/** Alone on its data a gateway knows what comes next, unless its machine slept; of others' it learns by looking. */
const LONGEST_MS = 3_600_000;
const LONGEST_SHARED_MS = 10_000;

/** Does what is due now, and then whenever something falls due, until it is told to end. */
export const runSchedules = (running: Running): BackgroundJob => {
  const { gateway, report } = running;
  const { store, clock, scheduleBell } = gateway;
  const longestMs = store.shared ? LONGEST_SHARED_MS : LONGEST_MS;
  const claiming = claimingOf(running);
  let over = false;
  let first = true;
  const work = rounds({
    clock,
    everyMs: longestMs,
    report,
    async round() {
      // With the data to itself every claim is one of an earlier process, which has ended.
      const anyAge = first && !store.shared;
      await runDue(running, { isOver: () => over, anyAge });
      first = false;
      const next = await store.schedules.nextWork([...claiming.channels.keys()]);
      return next === undefined ? longestMs : Math.min(longestMs, next - clock.now());
    },
  });
  const deaf = scheduleBell.listen(() => work.wake());
  return {
    wake: () => work.wake(),
    async end() {
      over = true;
      deaf();
      await work.end();
    },
  };
};

const claimingOf = ({ gateway, channels, patienceMs, report }: Running): Claiming => ({
  report,
  store: gateway.store,
  channels: new Map(channels.map((channel) => [channel.entityId, channel])),
  leaseMs: Math.max(LEASE_MS_LEAST, 10 * patienceMs),
});

/** `anyAge`: claims that are still young are taken up too. */
type Round = { isOver: () => boolean; anyAge: boolean };

/** One round: what was left undone first, then what is due, until nothing is. How many runs were carried out. */
export const runDue = async (running: Running, { isOver, anyAge }: Round): Promise<number> => {
  const claiming = claimingOf(running);
  const { clock } = running.gateway;
  let done = 0;
  const carry = async (runs: readonly Claimed[]): Promise<void> => {
    done += runs.length;
    await atOnce(runs, (run) => (isOver() ? Promise.resolve() : carryThrough(running, claiming, run)));
  };
  const at = clock.now();
  const until = anyAge ? at + claiming.leaseMs : at;
  while (!isOver()) {
    const runs = await claimNeglected(claiming, { at, until, limit: BATCH });
    if (runs.length === 0) break;
    await carry(runs);
  }
  while (!isOver()) {
    const { runs, schedules } = await claimDue(claiming, { at: clock.now(), limit: BATCH });
    await carry(runs);
    if (schedules === 0) break;
  }
  return done;
};

/** What fails stays claimed, and is taken up again when its lease is over. */
const carryThrough = async (running: Running, { channels }: Claiming, run: Claimed): Promise<void> => {
  const channel = channels.get(run.entityId);
  if (channel === undefined) return;
  try {
    const outcome = await carryOut(running.gateway, channel, run);
    await finishRun(running.gateway, channel, { run, outcome });
  } catch (error) {
    running.report(error);
  }
};

const atOnce = async <T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> => {
  const left = [...all].reverse();
  const one = async (): Promise<void> => {
    for (let each = left.pop(); each !== undefined; each = left.pop()) await work(each);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, one));
};
