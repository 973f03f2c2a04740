/**
 * Which folder of a data folder a till is opened in. The test till lives in the data folder itself; the live till that
 * a manager began beside it lives in `live` inside, and is the one that is opened from then on.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which going live makes the live till of a data folder. */
export const liveFolder = (dataDir: string): string => join(dataDir, 'live');

/** A till was made there. One whose journal is lost counts too: opening it has to say so, not open another till. */
const holdsTill = (folder: string): boolean =>
  existsSync(join(folder, 'journal.db')) || existsSync(join(folder, 'till.json'));

/** The live till's folder once there is one and the test till beside it is not asked for; else the data folder. */
export const tillFolder = (dataDir: string, { test = false }: { test?: boolean } = {}): string => {
  const live = liveFolder(dataDir);
  return !test && holdsTill(live) ? live : dataDir;
};
