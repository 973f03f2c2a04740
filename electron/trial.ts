/** The version on trial: its state in this run, the consequences of a start, and the requirements for going back. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Clock } from '../src/base/clock.ts';
import { errorText } from '../src/base/fault.ts';
import { type PutParts, putInPlace } from './put-in-place.ts';
import type { UpdateFiles } from './update-files.ts';
import { LIVES_MS, onCounted, onLived, onOwnFound, onStart, onUncounted, type UpdateState } from './updates.ts';

export type Trial = {
  listening(): void;
  died(): void;
  /** Another program uses its folder: no version could have started. */
  held(): void;
  /** A person has it restarted. */
  startAgain(): void;
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
  let cancelLived = (): void => {};
  let isCounted = true;
  let hasDied = false;
  /** On a full disk nothing can be noted; the till continues without. */
  const saveState = (state: UpdateState): void => {
    try {
      files.write(state);
    } catch (error) {
      crash('updater', `how this version fares could not be noted: ${errorText(error)}`, '');
    }
  };
  return {
    listening() {
      cancelLived = clock.after(LIVES_MS, () => saveState(onLived(files.read())));
    },
    died() {
      cancelLived();
      hasDied = true;
    },
    held() {
      cancelLived();
      if (!isCounted || hasDied) return;
      saveState(onUncounted(files.read(), version));
      isCounted = false;
    },
    startAgain() {
      if (!isCounted) saveState(onCounted(files.read(), version));
      isCounted = true;
    },
  };
};

// The decision at a start after an update: this version runs, or another stored one replaces it.

export type StartParts = {
  /** The started version. */
  version: string;
  files: UpdateFiles;
  /** How another version replaces this one. */
  put: Omit<PutParts, 'installer'>;
  /** Writes a report. */
  crash(process: string, how: string, tail: string): unknown;
};

/** True if this version did not work and another one has taken over: this process can only end. */
export const goBackIfBad = async ({ version, files, put, crash }: StartParts): Promise<boolean> => {
  const { state, decision } = onStart(files.read(), version);
  try {
    files.write(decision.kind === 'goBack' ? { ...state, args: put.args } : state);
  } catch (error) {
    // Without a note the attempts are not limited, so a version is put in place only when the disk accepts the note.
    crash('updater', `this start could not be noted: ${errorText(error)}`, '');
    return false;
  }
  if (decision.kind === 'notInPlace')
    crash('updater', `version ${decision.version} was installed and is not in place: version ${version} continues`, '');
  if (decision.kind !== 'goBack') return false;
  for (const way of decision.ways) {
    try {
      if (!files.isWhole(way)) throw new Error(`${way.installer} is not as it was kept`);
      await putInPlace({ ...put, installer: way.installer });
      crash('app', `went back to version ${way.version}: this one ended again and again`, '');
      return true;
    } catch (error) {
      crash('app', `could not go back to version ${way.version}: ${errorText(error)}`, '');
    }
  }
  return false;
};

// The installer of the running version, if its system keeps one: without it a first update cannot be undone.

export type OwnParts = {
  version: string;
  platform: string;
  /** The AppImage file that was started, which is its own installer. */
  appImage: string | undefined;
  /** `%LOCALAPPDATA%`. */
  localAppData: string | undefined;
  files: UpdateFiles;
};

/**
 * The file that the Windows installer leaves beside its updater's cache: a copy of itself (electron-builder's script).
 */
const leftoverFolder = ({ platform, appImage, localAppData }: OwnParts): string | undefined => {
  if (appImage !== undefined) return appImage;
  if (platform !== 'win32' || localAppData === undefined) return undefined;
  return join(localAppData, 'tillgate-updater', 'installer.exe');
};

/** Stores it, unless it is already stored. Throws what the disk throws. */
export const keepOwnInstaller = (parts: OwnParts): void => {
  const { files, version } = parts;
  const state = files.read();
  if (state.kept.some((one) => one.version === version)) return;
  const installer = leftoverFolder(parts);
  if (installer === undefined || !existsSync(installer)) return;
  files.write(onOwnFound(state, files.keep(version, installer)));
};

// The arguments that the app was started with: an update restarts it, and a kiosk stays one.

/** Added by the Windows installer when it starts the app after an update (electron-builder's script). */
const UPDATED = '--updated';

/** Meant for one start only. */
const once: ReadonlySet<string> = new Set([UPDATED, '--end', '--start-at-login', '--no-start-at-login']);

/**
 * All except the program and those meant for one start. The till’s folder becomes an absolute path, for a start
 * elsewhere.
 */
export const keptArguments = (argv: readonly string[]): string[] =>
  argv
    .slice(1)
    .filter((argument) => !once.has(argument))
    .map((argument, i, all) => (all[i - 1] === '--data' ? resolve(argument) : argument));

/**
 * The arguments for this start. The Windows installer and the Mac updater start a version without the previous
 * arguments: then the recorded ones count. Those given by a person or a link take precedence.
 */
export const argumentsAtStart = (
  argv: readonly string[],
  { state, version }: { state: UpdateState; version: string },
): readonly string[] => {
  const { trial, args = [] } = state;
  const isAfterUpdate = argv.includes(UPDATED) || (trial?.version === version && trial.starts === 0);
  return isAfterUpdate && keptArguments(argv).length === 0 ? [...argv, ...args] : argv;
};
