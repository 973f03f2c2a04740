/** The version on trial: how it fares in this run, what a start means for it, and what the way back from it needs. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Clock } from '../src/base/clock.ts';
import { wordsOf } from '../src/base/fault.ts';
import { type PutParts, putInPlace } from './put-in-place.ts';
import type { UpdateFiles } from './update-files.ts';
import { LIVES_MS, onCounted, onLived, onOwnFound, onStart, onUncounted, type UpdateState } from './updates.ts';

export type Trial = {
  /** The till listens. */
  listening(): void;
  died(): void;
  /** Another program works on its folder: whatever version this is, it could not have started. */
  held(): void;
  /** A person has it started again. */
  again(): void;
};

type TrialParts = {
  clock: Clock;
  files: UpdateFiles;
  version: string;
  /** Writes a report. */
  crash(process: string, how: string, tail: string): unknown;
};

/** This start of the app has been counted. */
export const keepTrial = ({ clock, files, version, crash }: TrialParts): Trial => {
  let lived = (): void => {};
  let isCounted = true;
  let hasDied = false;
  /** A full disk takes no note: the till goes on without. */
  const note = (state: UpdateState): void => {
    try {
      files.write(state);
    } catch (error) {
      crash('updater', `how this version fares could not be noted: ${wordsOf(error)}`, '');
    }
  };
  return {
    listening() {
      lived = clock.after(LIVES_MS, () => note(onLived(files.read())));
    },
    died() {
      lived();
      hasDied = true;
    },
    held() {
      lived();
      if (!isCounted || hasDied) return;
      note(onUncounted(files.read(), version));
      isCounted = false;
    },
    again() {
      if (!isCounted) note(onCounted(files.read(), version));
      isCounted = true;
    },
  };
};

// What a start means after an update: this version runs, or another one that was kept takes its place.

export type StartParts = {
  /** That is started. */
  version: string;
  files: UpdateFiles;
  /** How another version gets in place of this one. */
  put: Omit<PutParts, 'installer'>;
  /** Writes a report. */
  crash(process: string, how: string, tail: string): unknown;
};

/** True when this version did not live and another one has taken over: this process has nothing left but to end. */
export const goBackIfBad = async ({ version, files, put, crash }: StartParts): Promise<boolean> => {
  const { state, decision } = onStart(files.read(), version);
  try {
    files.write(decision.kind === 'goBack' ? { ...state, args: put.args } : state);
  } catch (error) {
    // What is not noted is not bounded: a version is put in place of this one when the disk takes the note.
    crash('updater', `this start could not be noted: ${wordsOf(error)}`, '');
    return false;
  }
  if (decision.kind === 'notInPlace')
    crash('updater', `version ${decision.version} was installed and is not in place: version ${version} goes on`, '');
  if (decision.kind !== 'goBack') return false;
  for (const way of decision.ways) {
    try {
      if (!files.isWhole(way)) throw new Error(`${way.installer} is not as it was kept`);
      await putInPlace({ ...put, installer: way.installer });
      crash('app', `went back to version ${way.version}: this one ended again and again`, '');
      return true;
    } catch (error) {
      crash('app', `could not go back to version ${way.version}: ${wordsOf(error)}`, '');
    }
  }
  return false;
};

// The installer of the version that runs, where its system keeps one: without it a first update has no way back.

export type OwnParts = {
  version: string;
  platform: string;
  /** Of an AppImage: the file that was started, which is its own installer. */
  appImage: string | undefined;
  /** `%LOCALAPPDATA%`. */
  localAppData: string | undefined;
  files: UpdateFiles;
};

/** What the installer of Windows leaves beside its updater's cache: a copy of itself (electron-builder's script). */
const leftBy = ({ platform, appImage, localAppData }: OwnParts): string | undefined => {
  if (appImage !== undefined) return appImage;
  if (platform !== 'win32' || localAppData === undefined) return undefined;
  return join(localAppData, 'tillgate-updater', 'installer.exe');
};

/** Keeps it, where it is not kept yet. Throws what the disk throws. */
export const keepOwnInstaller = (parts: OwnParts): void => {
  const { files, version } = parts;
  const state = files.read();
  if (state.kept.some((one) => one.version === version)) return;
  const installer = leftBy(parts);
  if (installer === undefined || !existsSync(installer)) return;
  files.write(onOwnFound(state, files.keep(version, installer)));
};

// The arguments that the app was started with: an update starts it again, and a kiosk stays one.

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
