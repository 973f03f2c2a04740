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
  round: () => Promise<number | undefined>;
  /** Called with the error of a failed round; the next round runs regardless. */
  report: (error: unknown) => void;
};

/** Runs one round now, and then again and again. Never two at once. */
export const rounds = ({ clock, everyMs, round, report }: Rounds): BackgroundJob => {
  let stop = (): void => {};
  let isOver = false;
  let runs = false;
  let again = false;
  let current: Promise<void> = Promise.resolve();

  const run = async (): Promise<void> => {
    let waitMs: number | undefined;
    do {
      again = false;
      try {
        waitMs = await round();
      } catch (error) {
        report(error);
        waitMs = undefined;
      }
    } while (again && !isOver);
    runs = false;
    if (!isOver) stop = clock.after(Math.max(0, waitMs ?? everyMs), begin);
  };
  const begin = (): void => {
    runs = true;
    current = run();
  };
  begin();

  return {
    wake() {
      if (isOver) return;
      if (runs) {
        again = true;
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
  /** Calls `heard` at each signal until the returned function is called. */
  listen(heard: () => void): () => void;
}

/** The job, woken by each signal until it ends. */
export const wokenBy = (signal: Pick<WakeSignal, 'listen'>, { wake, end }: BackgroundJob): BackgroundJob => {
  const deafen = signal.listen(wake);
  return {
    wake,
    end() {
      deafen();
      return end();
    },
  };
};

export const createWakeSignal = (): WakeSignal => {
  const listeners = new Set<() => void>();
  return {
    wake() {
      for (const heard of listeners) heard();
    },
    listen(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
  };
};
