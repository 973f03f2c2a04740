/** Whether a folder contains a till, decided without opening anything; the desktop app's shell uses this too. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which going live creates the live till of a data folder. */
export const liveFolder = (dataDir: string): string => join(dataDir, 'live');

/**
 * Whether a till was created there, even if its journal is lost: opening it must report that, and must not create
 * another till.
 */
export const holdsTill = (folder: string): boolean =>
  existsSync(join(folder, 'journal.db')) || existsSync(join(folder, 'till.json'));

/** The same for a data folder, which can contain a live till. */
export const holdsAnyTill = (dataDir: string): boolean => holdsTill(dataDir) || holdsTill(liveFolder(dataDir));
