/**
 * A clock that stands still until a test advances it. Timers fire in order, and what they wake runs before the next.
 */
import type { Clock } from '../../../src/base/clock.ts';

export type VirtualClock = Clock & {
  /** Advances time, firing timers on the way, each at its own moment. */
  advance(ms: number): Promise<void>;
  /** Lets everything that can run now run, without advancing time. */
  settle(): Promise<void>;
  /** Lets time pass while the program is blocked by a slow disk: timers that fall due meanwhile fire late. */
  lag(ms: number): void;
  /** How many timers are set, to check for leftovers. */
  waiting(): number;
  /**
   * Advances time, timer by timer, until the promise ends or `mostMs` have passed. Returns its result. Rejects when
   * more than `timersMost` timers have fired, which indicates an endless cycle.
   */
  until<T>(promise: Promise<T>, mostMs?: number, timersMost?: number): Promise<T>;
  /** Work that takes real time, such as stretching a key: virtual time stands still until it has ended. */
  real<T>(work: Promise<T>): Promise<T>;
};

type Timer = { at: number; order: number; callback: () => void };

/** Starts at `startMs` of wall time; its monotonic time starts at zero. */
export const virtualClock = (startMs = Date.UTC(2026, 0, 2, 12, 0, 0)): VirtualClock => {
  const timers = new Set<Timer>();
  let passed = 0;
  let order = 0;
  const working = new Set<Promise<unknown>>();

  const settle = async (): Promise<void> => {
    await turns();
    while (working.size > 0 || areLoading()) {
      await Promise.allSettled(working);
      await turns();
    }
  };

  /** The first timer that is due by then; of those due at the same time, the one set first. */
  const next = (limit: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) {
      const isFirst =
        first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order);
      if (timer.at <= limit && isFirst) first = timer;
    }
    return first;
  };

  const fire = async (timer: Timer): Promise<void> => {
    timers.delete(timer);
    passed = Math.max(passed, timer.at);
    timer.callback();
    await settle();
  };

  const advance = async (ms: number): Promise<void> => {
    const target = passed + ms;
    await settle();
    for (let timer = next(target); timer !== undefined; timer = next(target)) await fire(timer);
    passed = Math.max(passed, target);
  };

  return {
    now: () => startMs + Math.floor(passed),
    monotonic: () => passed,
    after(ms, callback) {
      const timer = { at: passed + Math.max(0, ms), order: order++, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance,
    settle,
    lag(ms) {
      passed += ms;
    },
    waiting: () => timers.size,
    real(work) {
      working.add(work);
      const end = () => void working.delete(work);
      work.then(end, end);
      return work;
    },
    async until(promise, mostMs = 3_600_000, timersMost = Number.POSITIVE_INFINITY) {
      const target = passed + mostMs;
      let isEnded = false;
      const end = () => {
        isEnded = true;
      };
      promise.then(end, end);
      let fired = 0;
      await settle();
      for (let timer = next(target); !isEnded && timer !== undefined; timer = next(target)) {
        fired += 1;
        if (fired > timersMost) throw new Error(`nothing ended, though ${timersMost} timers have fired`);
        await fire(timer);
      }
      if (!isEnded) throw new Error(`nothing ended within ${mostMs} ms of virtual time`);
      return promise;
    },
  };
};

/**
 * Whether vitest is loading a module, for `import()` in a system test: real work, during which a whole virtual hour
 * would otherwise pass on a busy machine. vitest's own way of waiting takes a millisecond each time. Module tests are
 * loaded by Node, within one turn of the event loop.
 */
const areLoading = (): boolean => (worker.__vitest_worker__?.resolvingModules?.size ?? 0) > 0;
const worker = globalThis as { __vitest_worker__?: { resolvingModules?: ReadonlySet<string> } };

/** Two turns of the event loop: all microtasks, and what they queue for the next turn. */
const turns = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
};
