/**
 * A folder in memory for temporary files, if the machine has room for one: for files that tests create and delete at
 * once.
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux keeps this folder in memory. */
const IN_MEMORY = '/dev/shm';
/** The module tests need about fifty megabytes at a time, which is often all that a container has. */
const LEAST_FREE_BYTES = 2 ** 31;

/** Deleted when this process ends. Undefined if there is none, or too little room. */
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
