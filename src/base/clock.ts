/** Time is passed as an argument. This file has the only bare timers and `Date.now` of the product. */

export interface Clock {
  /** Wall time, ms since 1970 UTC. For printing and records; never for deciding how long something took. */
  now(): number;
  /** Milliseconds since the machine was started: they only increase, also from one process to the next. */
  monotonic(): number;
  /** Calls back once after `ms`, unless the returned function is called first. */
  after(ms: number, callback: () => void): () => void;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The platform's timers fire at once beyond this: longer waits are split. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint() / 1000n) / 1000,
  after(ms, callback) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (leftMs: number): void => {
      timer =
        leftMs > TIMER_MAX_MS
          ? setTimeout(() => wait(leftMs - TIMER_MAX_MS), TIMER_MAX_MS)
          : setTimeout(callback, leftMs);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

export const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, resolve);
  });

/** A timer that fires this late shows that the program stood still. */
const STANDSTILL_MS = 250;

/**
 * Calls back if no answer came within `ms`, unless the returned function is called first. After a standstill (the
 * machine overloaded or stopped) an answer may be waiting unread behind the timer, and the answering side may have
 * stood still too: the lost time is waited for again, up to `ms` of it.
 */
export const deadline = (clock: Clock, ms: number, callback: () => void): (() => void) => {
  let stop: () => void;
  const wait = (leftMs: number): void => {
    const due = clock.monotonic() + leftMs;
    stop = clock.after(leftMs, () => {
      const lost = clock.monotonic() - due;
      if (lost < STANDSTILL_MS) callback();
      else wait(Math.min(lost, ms));
    });
  };
  wait(ms);
  return () => stop();
};

/** The promise's outcome, or the error made by `late` if `ms` of this clock pass first. The loser is ignored. */
export const within = <T>(clock: Clock, ms: number, promise: Promise<T>, late: () => Error): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const stop = deadline(clock, ms, () => reject(late()));
    promise.then(resolve, reject).finally(stop);
  });

/** `yyyy-MM-dd HH:mm:ss` in UTC, the host API's DATETIME. */
export const dateTime = (ms: number): string => {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
};
