/** Makes a folder for data that only its owner may see. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Fault, wordsOf } from './fault.ts';
import { systemCode } from './system-words.ts';

/**
 * Makes the folder and what is missing above it, one by one: the recursive way of the platform never returns under
 * /proc. Throws `folder.unusable` with the reason.
 */
export const makeFolder = (path: string): void => {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  try {
    for (const folder of missing) makeOne(folder);
    if (!statSync(path).isDirectory()) throw new Fault('folder.unusable', { path, why: 'it is a file' });
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('folder.unusable', { path, why: wordsOf(error) }, error);
  }
};

/** Another process that starts in the same moment may be quicker. */
const makeOne = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
};
