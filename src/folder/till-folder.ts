/**
 * Finds the folder in which a till is opened. The test till is in the data folder itself. A live till that a manager
 * has begun is in its `live` subfolder, and is opened from then on.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isFault } from '../base/fault.ts';
import type { DisplayMode, Mode } from '../base/mode.ts';
import { systemCode } from '../base/system-error-text.ts';
import { openSqlToRead } from '../journal/sql.ts';
import { findOwner } from '../owner/client.ts';
import { findSocket } from '../owner/place.ts';
import { journalFile } from './config.ts';
import { holdsTill, liveFolder } from './till-exists.ts';
import { readMode } from './till-mode.ts';

/** The live till's folder if it exists and the test till is not requested; else the data folder. */
export const tillFolder = (dataDir: string, { test = false }: { test?: boolean } = {}): string => {
  const live = liveFolder(dataDir);
  return !test && holdsTill(live) ? live : dataDir;
};

/** The mode shown to people and programs: the till in `training` is for training. */
export const displayModeOf = (folder: string, mode: Mode): DisplayMode =>
  mode === 'test' && basename(resolve(folder)) === 'training' ? 'training' : mode;

/** Whether a till works on this folder, with its screens or as a command. */
export const isFolderBusy = (folder: string): boolean => {
  const file = journalFile(folder);
  if (!existsSync(file)) return false;
  try {
    const sql = openSqlToRead(file, { waitMs: 0 });
    try {
      // SQLite takes its lock with the first read, not when it opens the file.
      sql.get('PRAGMA user_version');
      return false;
    } finally {
      sql.close();
    }
  } catch (error) {
    return isFault(error, 'journal.busy');
  }
};

/**
 * The mode of this folder's till, without opening the till; a till that was never started is a test till. Undefined
 * while a till works on the folder, and for an unreadable journal.
 */
export const modeOfFolder = (folder: string): DisplayMode | undefined => {
  const file = journalFile(folder);
  if (!existsSync(file) || statSync(file).size === 0) return displayModeOf(folder, 'test');
  try {
    const sql = openSqlToRead(file, { waitMs: 0 });
    try {
      return displayModeOf(folder, readMode(sql));
    } finally {
      sql.close();
    }
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
};

// Finds out who works on a busy folder, as far as this user of the operating system can know.

/**
 * `self`: a till of this user, which answers. `other`: a till of another user, or of another Windows session. `nobody`:
 * a program that does not answer, such as a command.
 */
export type FolderHolder = 'self' | 'other' | 'nobody';

type FindTill = (folder: string) => Promise<object | undefined>;

/** Windows does not let one user write to another's pipe (`EPERM`), nor Linux and macOS to another's socket. */
const refusals = ['EACCES', 'EPERM'];

export const folderHolder = async (dataDir: string, find: FindTill = findOwner): Promise<FolderHolder> => {
  const folder = tillFolder(dataDir);
  try {
    findSocket(folder);
  } catch {
    // The socket belongs to another user.
    return 'other';
  }
  try {
    return (await find(folder)) === undefined ? 'nobody' : 'self';
  } catch (error) {
    return refusals.includes(systemCode(error)) ? 'other' : 'nobody';
  }
};
