/** How a process is told to end: once to finish its work, twice to end at once. */
import { constants } from 'node:os';

export type Stop = {
  /** Resolves at the first signal. */
  asked: Promise<void>;
  /** SIGHUP: files were changed or moved away. */
  onRenew(renew: () => void): void;
};

/** Listens to the signals of this process from now on. */
export const stopSignals = (): Stop => {
  const asked = new Promise<void>((resolve) => {
    let before = 0;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        before += 1;
        // As a shell says it of a process that a signal ended.
        if (before > 1) process.exit(128 + constants.signals[signal]);
        resolve();
      });
    }
  });
  return { asked, onRenew: (renew) => void process.on('SIGHUP', renew) };
};
