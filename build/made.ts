/** What every build does: tells whether what it made is made of the sources as they stand, and puts it in place. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { renameFile } from '../src/base/files.ts';

export const root = join(import.meta.dirname, '..');

/** All files below a folder of the project, as absolute paths in order. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Of names and contents, hex. */
export const hashOf = (files: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const path of files) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
};

/** The fresh folder in the target's place, all at once: nobody finds half of it. */
export const putInPlace = (fresh: string, target: string, isFresh: () => boolean): void => {
  const old = `${fresh}.old`;
  try {
    if (existsSync(target)) renameFile(target, old);
    renameFile(fresh, target);
  } catch (error) {
    // Another build was quicker, and made the same.
    rmSync(fresh, { recursive: true, force: true });
    if (!isFresh()) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
};
