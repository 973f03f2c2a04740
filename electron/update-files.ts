/** The notes and installers of updates: `updates.json` and `installers/` in the app's own folder. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { replaceFile } from '../src/base/files.ts';
import { nothingYet, type StoredInstaller, type UpdateState } from './updates.ts';

export type UpdateFiles = {
  read(): UpdateState;
  write(state: UpdateState): void;
  /**
   * Copies an installer to its place, complete and synced to the disk. Throws what the disk throws, and leaves nothing
   * behind then.
   */
  keep(version: string, installer: string): StoredInstaller;
  /** Whether it is unchanged since it was stored. */
  isWhole(saved: StoredInstaller): boolean;
  /** Removes the files that are in this folder. A file that cannot be removed because it is open stays. */
  remove(paths: readonly string[]): void;
};

export const updateFiles = (folder: string): UpdateFiles => {
  const file = join(folder, 'updates.json');
  const installers = join(folder, 'installers');
  return {
    read() {
      try {
        return existsSync(file) ? { ...nothingYet, ...JSON.parse(readFileSync(file, 'utf8')) } : nothingYet;
      } catch {
        // Unreadable notes count as none: at worst, going back from a version is not possible.
        return nothingYet;
      }
    },
    write(state) {
      mkdirSync(folder, { recursive: true });
      try {
        writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { flush: true });
      } catch (error) {
        rmSync(`${file}.new`, { force: true });
        throw error;
      }
      replaceFile(`${file}.new`, file);
    },
    keep(version, installer) {
      mkdirSync(installers, { recursive: true });
      const stored = join(installers, `${version}${extname(installer)}`);
      if (resolve(installer) !== resolve(stored)) copySynced(installer, stored);
      return { version, installer: stored, sha256: hashOf(stored) };
    },
    isWhole({ installer, sha256 }) {
      try {
        return sha256 === undefined ? existsSync(installer) : hashOf(installer) === sha256;
      } catch {
        return false;
      }
    },
    remove(paths) {
      for (const path of paths) if (path.startsWith(installers)) removeIfCan(path);
    },
  };
};

const removeIfCan = (path: string): void => {
  try {
    rmSync(path, { force: true });
  } catch {
    // It takes space and does no harm.
  }
};

const copySynced = (from: string, to: string): void => {
  const newFile = `${to}.new`;
  try {
    copyFileSync(from, newFile);
    const file = openSync(newFile, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    rmSync(newFile, { force: true });
    throw error;
  }
  replaceFile(newFile, to);
};

const PORTION = 1 << 20;

/** Installers have hundreds of megabytes, so they are read in portions. */
const hashOf = (path: string): string => {
  const hash = createHash('sha256');
  const portion = Buffer.alloc(PORTION);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, portion); read > 0; read = readSync(file, portion))
      hash.update(portion.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
};
