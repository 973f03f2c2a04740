/**
 * Shared by all builds: checks whether a build result is up to date with its sources, and moves a result into place.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { renameFile } from '../src/base/files.ts';

export const root = join(import.meta.dirname, '..');

/** All files below a folder of the project, as sorted absolute paths. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Hash of names and contents, as hex. */
export const hashOf = (files: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const path of files) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
};

/** Moves the new folder to the target atomically: no reader sees a partial result. */
export const putInPlace = (staging: string, target: string, isFresh: () => boolean): void => {
  const old = `${staging}.old`;
  try {
    if (existsSync(target)) renameFile(target, old);
    renameFile(staging, target);
  } catch (error) {
    // Another build finished first with the same result.
    rmSync(staging, { recursive: true, force: true });
    if (!isFresh()) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
};
