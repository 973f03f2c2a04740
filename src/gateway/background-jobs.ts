/** Background jobs: work that the gateway repeats by itself, without a request. */
import type { Clock } from '../base/clock.ts';

export interface BackgroundJob {
  /** Starts the next round at once, or right after the running one. */
  wake(): void;
  /** Starts no new round, and resolves when the running one is over. */
  end(): Promise<void>;
}

export type Rounds = {
  clock: Clock;
  /** From the end of one round to the start of the next, ms, unless the round returns another value. */
  everyMs: number;
  /** One round. Resolves with the ms until the next, if it knows. */
  runRound: () => Promise<number | undefined>;
  /** Called with the error of a failed round; the next round runs regardless. */
  report: (error: unknown) => void;
};

/** Runs one round now, and then again and again. Never two at once. */
export const startRounds = ({ clock, everyMs, runRound, report }: Rounds): BackgroundJob => {
  let stop = (): void => {};
  let isOver = false;
  let isRunning = false;
  let isWoken = false;
  let current: Promise<void> = Promise.resolve();

  const run = async (): Promise<void> => {
    let waitMs: number | undefined;
    do {
      isWoken = false;
      try {
        waitMs = await runRound();
      } catch (error) {
        report(error);
        waitMs = undefined;
      }
    } while (isWoken && !isOver);
    isRunning = false;
    if (!isOver) stop = clock.after(Math.max(0, waitMs ?? everyMs), begin);
  };
  const begin = (): void => {
    isRunning = true;
    current = run();
  };
  begin();

  return {
    wake() {
      if (isOver) return;
      if (isRunning) {
        isWoken = true;
        return;
      }
      stop();
      begin();
    },
    async end() {
      isOver = true;
      stop();
      await current;
    },
  };
};

/** Tells background jobs that there may be something to do, within one process. */
export interface WakeSignal {
  wake(): void;
  /** Calls `listener` at each signal until the returned function is called. */
  listen(listener: () => void): () => void;
}

/** The job, woken by each signal until it ends. */
export const wakeOnSignal = (signal: Pick<WakeSignal, 'listen'>, { wake, end }: BackgroundJob): BackgroundJob => {
  const stopListening = signal.listen(wake);
  return {
    wake,
    end() {
      stopListening();
      return end();
    },
  };
};

export const createWakeSignal = (): WakeSignal => {
  const listeners = new Set<() => void>();
  return {
    wake() {
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
