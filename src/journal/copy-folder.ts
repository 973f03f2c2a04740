/** Where a second copy lies, and when its folder may be made. */
import { basename, dirname, join } from 'node:path';
import { makeFolder, missingFolders } from '../base/files.ts';

const LIVE = 'live';

/** Of a live till that began beside a test till: one folder holds the copy of one till. */
export const liveCopyIn = (folder: string): string => join(folder, LIVE);

/**
 * Makes the last folder, and of a live till's copy the one that it lies in too. Where more is missing the disk is: on
 * Linux what is made there instead would lie on the till's own disk, and look like a second copy. Throws that, and
 * `folder.unusable`.
 */
export const makeCopyFolder = (path: string): void => {
  const missing = missingFolders(path);
  const mayMake = basename(path) === LIVE ? 2 : 1;
  if (missing.length > mayMake) throw new Error(`there is no folder ${dirname(missing.at(-mayMake) ?? path)}`);
  makeFolder(path);
};
