/**
 * Why a disk takes no writes, as far as SQLite, PostgreSQL or the file system say; and which SQLite versions are safe.
 */
import { accessSync, constants } from 'node:fs';
import { systemCode } from './system-error-text.ts';

export const diskTroubles = ['diskFull', 'readOnly', 'diskFails'] as const;
export type DiskTrouble = (typeof diskTroubles)[number];

/**
 * The trouble that an error of SQLite about the file at `path` means. On a read-only file system SQLite reports only
 * that a write failed.
 */
export const sqliteTrouble = (error: unknown, path?: string): DiskTrouble | undefined => {
  const code = systemCode(error);
  if (code === 'SQLITE_FULL') return 'diskFull';
  if (code.startsWith('SQLITE_READONLY')) return 'readOnly';
  if (!code.startsWith('SQLITE_IOERR')) return undefined;
  try {
    if (path !== undefined) accessSync(path, constants.W_OK);
    return 'diskFails';
  } catch (refused) {
    return systemCode(refused) === 'EROFS' ? 'readOnly' : 'diskFails';
  }
};

/** Older versions of SQLite can corrupt a write-ahead log when it is reset. */
const oldest = [3, 51, 3] as const;

/** Why this version cannot be trusted with money; undefined when it can. */
export const tooOldReason = (version: string): string | undefined => {
  const parts = version.split('.').map(Number);
  const difference = oldest.map((required, i) => (parts[i] || 0) - required).find((each) => each !== 0) ?? 0;
  return difference < 0 ? `SQLite ${version} is older than ${oldest.join('.')}, which fixes a loss of data` : undefined;
};
