/** Signals by which a person or the system asks a program to end: once to finish its work, twice to end at once. */
import { constants } from 'node:os';

/**
 * On Windows there is no SIGTERM; SIGBREAK is Control-Break, and SIGHUP the closing of the console's window, after
 * which the system ends the process within seconds, whatever it is doing.
 */
export const stopSignalsOf = (platform: NodeJS.Platform): readonly NodeJS.Signals[] =>
  platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Hears each of these signals. The returned function stops that. */
export const onSignals = (
  hear: (signal: NodeJS.Signals) => void,
  signals = stopSignalsOf(process.platform),
): (() => void) => {
  for (const signal of signals) process.on(signal, hear);
  return () => {
    for (const signal of signals) process.off(signal, hear);
  };
};

/** Resolves at the first of them; a second one ends the process at once. */
export const stopped = (signals = stopSignalsOf(process.platform)): Promise<void> =>
  new Promise((resolve) => {
    let before = 0;
    onSignals((signal) => {
      before += 1;
      // As a shell says it of a process that a signal ended.
      if (before > 1) process.exit(128 + constants.signals[signal]);
      resolve();
    }, signals);
  });

/**
 * Of a service: SIGHUP is not its end, but says that its files were changed or moved away, as services have it. Windows
 * has no signal for that.
 */
export const serviceSignals = (
  platform: NodeJS.Platform,
): { stop: readonly NodeJS.Signals[]; renew: readonly NodeJS.Signals[] } => {
  const all = stopSignalsOf(platform);
  if (platform === 'win32') return { stop: all, renew: [] };
  return { stop: all.filter((signal) => signal !== 'SIGHUP'), renew: ['SIGHUP'] };
};
