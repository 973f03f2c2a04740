/**
 * What databases say of themselves: why a disk takes no writes, as far as SQLite, PostgreSQL or the file system say it;
 * and versions of SQLite.
 */
import { accessSync, constants } from 'node:fs';
import { systemCode } from './system-words.ts';

export const diskTroubles = ['diskFull', 'readOnly', 'diskFails'] as const;
export type DiskTrouble = (typeof diskTroubles)[number];

/**
 * From what SQLite has thrown about the file at `path`. Of a file system that was made read-only under it SQLite says
 * no more than that a write failed.
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

/** Before this one SQLite can corrupt a write-ahead log when it is reset. */
const oldest = [3, 51, 3] as const;

/** Why this version cannot be trusted with money, or undefined when it can. */
export const whyTooOld = (version: string): string | undefined => {
  const parts = version.split('.').map(Number);
  const difference = oldest.map((wanted, at) => (parts[at] || 0) - wanted).find((each) => each !== 0) ?? 0;
  return difference < 0 ? `SQLite ${version} is older than ${oldest.join('.')}, which mends a loss of data` : undefined;
};
