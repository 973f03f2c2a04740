/** What differs between systems, for tests that state what holds on each. */
import { rmSync } from 'node:fs';
import { test } from 'vitest';
import { systemCode } from '../../../src/base/system-error-text.ts';

export const isWindows = process.platform === 'win32';

/**
 * The mode shown by a file or folder created with this mode: on Windows all of them are readable and writable, and the
 * folder's permissions protect it (`test/folder/folder-rights.test.ts`).
 */
export const modeHere = (mode: number): number => (isWindows ? 0o666 : mode);

/** A path of this project with slashes, as its texts have it. */
export const withSlashes = (path: string): string => path.replaceAll('\\', '/');

/** For what only POSIX systems have: pseudo terminals, modes, named pipes in folders, /proc, shell scripts. */
export const posixTest = test.skipIf(isWindows);

/** Deletes a folder that was in use until a simulated power cut: Windows does not delete open files. */
export const removeCutShort = (folder: string, { onWindows = isWindows, remove = removeWhole } = {}): void => {
  try {
    remove(folder);
  } catch (error) {
    if (!onWindows || !['EBUSY', 'EPERM'].includes(systemCode(error))) throw error;
  }
};

const removeWhole = (folder: string): void => rmSync(folder, { recursive: true, force: true });
