/** Folders and sockets that nobody but one user of the operating system reaches. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../base/system-words.ts';

/** This user; undefined on a system that has no numbers of users, whose own rules guard a person's folders. */
const ownId = (): number | undefined => process.getuid?.();

const isClosedTo = (stats: Stats, owner: number): boolean => stats.uid === owner && (stats.mode & 0o077) === 0;

/** Makes the folder, or takes one that is there. Throws why it would not be this user's alone. */
export const makePrivateFolder = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  const owner = ownId();
  if (owner === undefined) return;
  // Never through a symbolic link: whoever made it chose where it leads.
  if (!lstatSync(path).isDirectory()) throw new Error(`${path} is no folder`);
  if (lstatSync(path).uid === owner) chmodSync(path, 0o700);
  if (!isClosedTo(lstatSync(path), owner)) throw new Error(`other users may open ${path}`);
};

/** A new folder in one that everybody may write in, by a name that nobody can know before. */
export const makeTemporaryFolder = (within: string): string => {
  const path = mkdtempSync(join(within, 'tillgate-'));
  makePrivateFolder(path);
  return path;
};

/**
 * Throws why this socket is not to be spoken to: it is this user's own, in a folder that is theirs alone. The
 * administrator may speak to that of the user whose `folder` it serves.
 */
export const requireOwnSocket = (socket: string, folder: string): void => {
  const user = ownId();
  if (user === undefined) return;
  const owner = user === 0 ? lstatSync(folder).uid : user;
  const stats = lstatSync(socket);
  if (!stats.isSocket()) throw new Error(`${socket} is no socket`);
  const place = lstatSync(dirname(socket));
  if (stats.uid !== owner || !place.isDirectory() || !isClosedTo(place, owner))
    throw new Error(`${socket} is not this user’s alone`);
};
