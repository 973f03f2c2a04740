/** Whether a till was begun in a folder, told without opening anything: the desktop app's shell asks, too. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which going live makes the live till of a data folder. */
export const liveFolder = (dataDir: string): string => join(dataDir, 'live');

/** A till was made there. One whose journal is lost counts too: opening it has to say so, not open another till. */
export const holdsTill = (folder: string): boolean =>
  existsSync(join(folder, 'journal.db')) || existsSync(join(folder, 'till.json'));

/** The same of a data folder, which has its live till inside. */
export const holdsAnyTill = (dataDir: string): boolean => holdsTill(dataDir) || holdsTill(liveFolder(dataDir));
