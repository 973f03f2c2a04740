/** A small file that many processes may make at once: one wins, and all read what the winner wrote. */
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { toHex } from './hex.ts';
import type { Random } from './ids.ts';
import { systemCode } from './system-words.ts';

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
