/** The arguments that the app was started with: an update starts it again, and a kiosk stays one. */
import { resolve } from 'node:path';
import type { UpdateState } from './updates.ts';

/** What the installer for Windows adds when it starts the app after an update (electron-builder's script). */
const UPDATED = '--updated';

/** Meant for one start alone. */
const once: ReadonlySet<string> = new Set([UPDATED, '--end', '--start-at-login', '--no-start-at-login']);

/** All but the program and what is meant for one start. The till’s folder is a whole path, for a start elsewhere. */
export const keptArguments = (argv: readonly string[]): string[] =>
  argv
    .slice(1)
    .filter((word) => !once.has(word))
    .map((word, at, all) => (all[at - 1] === '--data' ? resolve(word) : word));

/**
 * What this start has to go by. The installer for Windows and the updater of a Mac start a version without the
 * arguments of the one before: then those count that were noted. What a person or a link says goes before them.
 */
export const argumentsAtStart = (
  argv: readonly string[],
  { state, version }: { state: UpdateState; version: string },
): readonly string[] => {
  const { trial, args = [] } = state;
  const isAfterUpdate = argv.includes(UPDATED) || (trial?.version === version && trial.starts === 0);
  return isAfterUpdate && keptArguments(argv).length === 0 ? [...argv, ...args] : argv;
};
