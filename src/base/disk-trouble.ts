/** Why a disk takes no writes, as far as SQLite, PostgreSQL or the file system say it. */
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
