/** Makes a folder for data that only its owner may see. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, type PlatformPath, resolve } from 'node:path';
import { Fault, wordsOf } from './fault.ts';
import { systemCode } from './system-words.ts';

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
