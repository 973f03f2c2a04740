/** A folder in memory for temporary files, where the machine has room for one: what tests make and remove at once. */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux keeps this one in memory. */
const IN_MEMORY = '/dev/shm';
/** The tests of modules need some fifty megabytes at a time; containers are often given that much and no more. */
const LEAST_FREE_BYTES = 2 ** 31;

/** Removed when this process ends; undefined where there is none, or too little room. */
export const memoryFolder = (): string | undefined => {
  if (freeBytes() < LEAST_FREE_BYTES) return undefined;
  const folder = mkdtempSync(join(IN_MEMORY, 'tests-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const freeBytes = (): number => {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize;
  } catch {
    return 0;
  }
};
