/**
 * Files and folders: readable by their owner only, replaced as a whole even while others have them open, created once
 * by many processes, and read whatever editor saved them.
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
import { open, stat } from 'node:fs/promises';
import { dirname, type PlatformPath, resolve } from 'node:path';
import { errorText, Fault } from './fault.ts';
import { toHex } from './hex.ts';
import type { Random } from './ids.ts';
import { systemCode } from './system-error-text.ts';
import { textIn } from './text.ts';

/**
 * Creates the folder and its missing parents, one by one: the platform's recursive way never returns under /proc.
 * Throws `folder.unusable` with the reason.
 */
export const makeFolder = (path: string): void => {
  try {
    for (const folder of missingFolders(path)) makeOne(folder);
    if (!statSync(path).isDirectory()) throw new Fault('folder.unusable', { path, why: 'it is a file' });
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('folder.unusable', { path, why: errorText(error) }, error);
  }
};

/** A platform's path functions, and what exists on its disks. */
export type Places = Pick<PlatformPath, 'resolve' | 'dirname'> & { exists(path: string): boolean };

/** The folders to create, the outermost first. Throws `folder.unusable` if the drive or share itself is missing. */
export const missingFolders = (
  path: string,
  { resolve: resolvePath, dirname: parentOf, exists }: Places = { resolve, dirname, exists: existsSync },
): string[] => {
  const missing: string[] = [];
  for (let at = resolvePath(path); !exists(at); at = parentOf(at)) {
    // On Windows nothing is above `E:\` and `\\server\share\`: the search for a parent would never end.
    if (parentOf(at) === at) throw new Fault('folder.unusable', { path, why: missingRootText(at) });
    missing.unshift(at);
  }
  return missing;
};

const missingRootText = (root: string): string =>
  /^[a-z]:/i.test(root) ? `there is no drive ${root.slice(0, 2)}` : `there is no ${root}`;

/** Another process that starts at the same moment may be faster. */
const makeOne = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
};

// Renames a file although a virus scanner, a backup or a sync has it open. Windows refuses that while they do, usually
// for a moment. Other systems never refuse it, and their errors are thrown at once.

/** The codes that Windows reports when another program has a file open; the first two can also mean permissions. */
const openFileCodes: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** The waits between the attempts, ms: about three seconds in total. */
const WAITS_MS = [10, 20, 50, 100, 200, 500, 1_000, 1_000] as const;

/** The two system calls needed, and whether this is Windows. */
export type RenameCalls = {
  rename(from: string, to: string): void;
  /** Blocks this thread: no sales meanwhile. */
  pause(ms: number): void;
  isWindows: boolean;
};

const system: RenameCalls = {
  rename: renameSync,
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  isWindows: process.platform === 'win32',
};

/**
 * Renames the file or folder `from` to `to`. Throws `file.held` if another program had one of them open for three
 * seconds, otherwise what the file system throws; `from` is then unchanged.
 */
export const renameFile = (from: string, to: string, { rename, pause, isWindows }: RenameCalls = system): void => {
  const delaysMs = isWindows ? [...WAITS_MS] : [];
  for (;;) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (!isWindows || !openFileCodes.has(systemCode(error))) throw error;
      const ms = delaysMs.shift();
      if (ms === undefined) throw new Fault('file.held', { file: to }, error);
      pause(ms);
    }
  }
};

/** The same for a file `temporary` that was written only to replace `path`: it is removed if the renaming fails. */
export const replaceFile = (temporary: string, path: string, renaming: RenameCalls = system): void => {
  try {
    renameFile(temporary, path, renaming);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};

// A small file that many processes may create at once: one wins, and all read what it wrote.

/** The file's bytes; if there is none, it is first created whole and private. Throws what the file system throws. */
export const readOrCreate = (path: string, make: () => Uint8Array | string, random: Random): Uint8Array => {
  const existing = readIfThere(path);
  if (existing !== undefined) return existing;
  const temporary = `${path}.${toHex(random(8))}`;
  try {
    writeFileSync(temporary, make(), { flag: 'wx', mode: 0o600, flush: true });
    linkSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
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

/** A new name in a folder is durable only once the folder is synced. Windows has no handle for that, and needs none. */
export const syncFolder = (path: string): void => {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/** Reads a path, or standard input as 0. Throws what the system throws, and `NotUnicode`. */
export const readTextFile = (file: string | 0): string => textIn(readFileSync(file));

/**
 * The file's bytes as they were when it was opened. Throws the system's error, and an error that says so for a folder,
 * and at the end for a file that was written to meanwhile.
 */
export async function* readUnchanged(file: string): AsyncGenerator<Uint8Array> {
  const stats = await stat(file);
  if (!stats.isFile()) throw new Error(stats.isDirectory() ? 'it is a folder' : 'it is no file');
  const handle = await open(file);
  try {
    const { size, mtimeMs } = await handle.stat();
    if (size > 0) yield* handle.createReadStream({ end: size - 1, autoClose: false });
    const after = await handle.stat();
    if (after.size !== size || after.mtimeMs !== mtimeMs)
      throw new Error('it was changed while it was read: wait until it is complete');
  } finally {
    await handle.close();
  }
}

export type NewFile = { write(text: string): Promise<void>; close(): Promise<void>; discard(): Promise<void> };

/** Creates a private file. `discard` deletes it. Throws the system's error; if the file exists, one that says so. */
export const createFile = async (path: string): Promise<NewFile> => {
  const handle = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw systemCode(error) === 'EEXIST' ? new Error(`${path} is there already`) : error;
  });
  return {
    write: (text) => handle.writeFile(text),
    close: () => handle.close(),
    async discard() {
      await handle.close().catch(() => {});
      rmSync(path, { force: true });
    },
  };
};
