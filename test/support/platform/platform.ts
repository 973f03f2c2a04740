/** What differs between systems, for tests that state what holds on each. */
import { rmSync } from 'node:fs';
import { test } from 'vitest';
import { systemCode } from '../../../src/base/system-words.ts';

export const isWindows = process.platform === 'win32';

/**
 * The mode that a file or folder shows which was made with this one: on Windows all of them say that they may be read
 * and written, and rights of the folder protect it (`test/folder/folder-rights.test.ts`).
 */
export const modeHere = (mode: number): number => (isWindows ? 0o666 : mode);

/** A path of this project as its texts name it, with slashes. */
export const withSlashes = (path: string): string => path.replaceAll('\\', '/');

/** What is there on POSIX systems alone: pseudo terminals, modes, named pipes in folders, /proc, shell scripts. */
export const posixTest = test.skipIf(isWindows);

/** Takes away a folder in which a life ended as by a power cut: Windows removes no files that are open. */
export const removeCutShort = (folder: string, { onWindows = isWindows, remove = removeWhole } = {}): void => {
  try {
    remove(folder);
  } catch (error) {
    if (!onWindows || !['EBUSY', 'EPERM'].includes(systemCode(error))) throw error;
  }
};

const removeWhole = (folder: string): void => rmSync(folder, { recursive: true, force: true });
