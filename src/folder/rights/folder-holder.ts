/** Who works on a till's folder that was found busy, as far as this user of the operating system may know it. */
import { systemCode } from '../../base/system-words.ts';
import { findOwner } from '../../owner/client.ts';
import { findSocket } from '../../owner/place.ts';
import { tillFolder } from '../till-folder.ts';

/**
 * `self`: a till of this user, which answers. `other`: a till of another user, as of another sign-in of Windows.
 * `nobody`: a program that does not answer, as a command.
 */
export type FolderHolder = 'self' | 'other' | 'nobody';

type Find = (folder: string) => Promise<object | undefined>;

/** Windows does not let one user write to another's pipe (`EPERM`), nor Linux and macOS to another's socket. */
const refusals = ['EACCES', 'EPERM'];

export const folderHolder = async (dataDir: string, find: Find = findOwner): Promise<FolderHolder> => {
  const folder = tillFolder(dataDir);
  try {
    findSocket(folder);
  } catch {
    // Why it is not to be spoken to: it is not this user's.
    return 'other';
  }
  try {
    return (await find(folder)) === undefined ? 'nobody' : 'self';
  } catch (error) {
    return refusals.includes(systemCode(error)) ? 'other' : 'nobody';
  }
};
