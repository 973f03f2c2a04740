/** Signals with which a person or the system stops a program: the first lets it finish, the second ends it at once. */
import { constants } from 'node:os';

/**
 * Windows has no SIGTERM. There SIGBREAK is Control-Break, and SIGHUP is the closing of the console window, after which
 * the system ends the process within seconds.
 */
export const stopSignalsOf = (platform: NodeJS.Platform): readonly NodeJS.Signals[] =>
  platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Calls `hear` for each of these signals, until the returned function is called. */
export const onSignals = (
  hear: (signal: NodeJS.Signals) => void,
  signals = stopSignalsOf(process.platform),
): (() => void) => {
  for (const signal of signals) process.on(signal, hear);
  return () => {
    for (const signal of signals) process.off(signal, hear);
  };
};

/** Resolves at the first of these signals. The second one ends the process at once. */
export const waitForStop = (signals = stopSignalsOf(process.platform)): Promise<void> =>
  new Promise((resolve) => {
    let before = 0;
    onSignals((signal) => {
      before += 1;
      // The exit code that a shell reports for a process that a signal ended.
      if (before > 1) process.exit(128 + constants.signals[signal]);
      resolve();
    }, signals);
  });

/**
 * The signals of a service. SIGHUP does not stop it but tells it that its files were changed or moved. Windows has no
 * signal for that.
 */
export const serviceSignals = (
  platform: NodeJS.Platform,
): { stop: readonly NodeJS.Signals[]; renew: readonly NodeJS.Signals[] } => {
  const all = stopSignalsOf(platform);
  if (platform === 'win32') return { stop: all, renew: [] };
  return { stop: all.filter((signal) => signal !== 'SIGHUP'), renew: ['SIGHUP'] };
};
