/**
 * Files and folders: for their owner's eyes only, put in place as a whole though others hold them, made once by many,
 * and read whatever editor saved them.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, type PlatformPath, resolve } from 'node:path';
import { Fault, wordsOf } from './fault.ts';
import { toHex } from './hex.ts';
import type { Random } from './ids.ts';
import { systemCode } from './system-words.ts';
import { textIn } from './text.ts';

/**
 * Makes the folder and what is missing above it, one by one: the recursive way of the platform never returns under
 * /proc. Throws `folder.unusable` with the reason.
 */
export const makeFolder = (path: string): void => {
  try {
    for (const folder of missingFolders(path)) makeOne(folder);
    if (!statSync(path).isDirectory()) throw new Fault('folder.unusable', { path, why: 'it is a file' });
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('folder.unusable', { path, why: wordsOf(error) }, error);
  }
};

/** Paths as a platform writes them, and what is on its disks. */
export type Places = Pick<PlatformPath, 'resolve' | 'dirname'> & { exists(path: string): boolean };

/** The folders to make, the outermost first. Throws `folder.unusable` where the drive or share itself is not there. */
export const missingFolders = (
  path: string,
  { resolve: whole, dirname: above, exists }: Places = { resolve, dirname, exists: existsSync },
): string[] => {
  const missing: string[] = [];
  for (let at = whole(path); !exists(at); at = above(at)) {
    // On Windows nothing is above `E:\` and `\\server\share\`: going up would never end.
    if (above(at) === at) throw new Fault('folder.unusable', { path, why: noRoot(at) });
    missing.unshift(at);
  }
  return missing;
};

const noRoot = (root: string): string =>
  /^[a-z]:/i.test(root) ? `there is no drive ${root.slice(0, 2)}` : `there is no ${root}`;

/** Another process that starts in the same moment may be quicker. */
const makeOne = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
};

// Gives a file another name, though a virus scanner, a backup or a sync has it open. Windows refuses that for as long
// as they do, a moment as a rule. Other systems never refuse it, and what they say is told at once.

/** What Windows says of a file that another program has open; a folder’s permissions say the first two as well. */
const held: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Waits between the tries, ms: three seconds together. */
const WAITS_MS = [10, 20, 50, 100, 200, 500, 1_000, 1_000] as const;

/** The two calls of the system that this takes, and whether it is Windows. */
export type Renaming = {
  rename(from: string, to: string): void;
  /** Stops this thread: nobody sells in it for so long. */
  pause(ms: number): void;
  isWindows: boolean;
};

const system: Renaming = {
  rename: renameSync,
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  isWindows: process.platform === 'win32',
};

/**
 * The file or folder `from` is called `to` afterwards. Throws `file.held` where another program had one of them open
 * for three seconds, and else what the file system throws; `from` is as it was then.
 */
export const renameFile = (from: string, to: string, { rename, pause, isWindows }: Renaming = system): void => {
  const waits = isWindows ? [...WAITS_MS] : [];
  for (;;) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (!isWindows || !held.has(systemCode(error))) throw error;
      const ms = waits.shift();
      if (ms === undefined) throw new Fault('file.held', { file: to }, error);
      pause(ms);
    }
  }
};

/** The same where `fresh` was written for the place of `path` alone: it is taken away where it cannot have it. */
export const replaceFile = (fresh: string, path: string, renaming: Renaming = system): void => {
  try {
    renameFile(fresh, path, renaming);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
};

// A small file that many processes may make at once: one wins, and all read what the winner wrote.

/**
 * The file's bytes; made whole, readable by its owner only, and on the disk, if there is none. Throws what the file
 * system throws.
 */
export const madeOnce = (path: string, make: () => Uint8Array | string, random: Random): Uint8Array => {
  const known = readIfThere(path);
  if (known !== undefined) return known;
  const fresh = `${path}.${toHex(random(8))}`;
  try {
    writeFileSync(fresh, make(), { flag: 'wx', mode: 0o600, flush: true });
    linkSync(fresh, path);
    syncFolder(dirname(path));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return new Uint8Array(readFileSync(path));
};

const readIfThere = (path: string): Uint8Array | undefined => {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** A new name in a folder is on the disk only when the folder is. Windows has no handle for that, and needs none. */
export const syncFolder = (path: string): void => {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/** Of a path, or of standard input as 0. Throws what the system throws, and `NotUnicode`. */
export const readTextFile = (file: string | 0): string => textIn(readFileSync(file));
