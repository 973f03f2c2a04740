/**
 * Where a till's socket for its owner is: in the till's folder; in the temporary folder of the system where the path
 * would be too long or the disk has no sockets; on Windows a named pipe. A pointer in the till's folder names the other
 * two.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { replaceFile } from '../base/files.ts';
import type { Random } from '../base/ids.ts';
import { systemCode } from '../base/system-words.ts';

/** In the till's folder. Its own folder, because that of the till may be open to a group. */
export const SOCKET_FOLDER = 'owner';
export const SOCKET_NAME = 'till.sock';
const POINTER = 'owner.json';
/** What the kernel takes, without the zero at the end: 107 on Linux, 103 on macOS and the BSDs. */
const PATH_BYTES: Partial<Readonly<Record<NodeJS.Platform, number>>> = { linux: 107 };
const LEAST_PATH_BYTES = 103;

export const fitsSocketPath = (path: string): boolean =>
  Buffer.byteLength(path) <= (PATH_BYTES[process.platform] ?? LEAST_PATH_BYTES);

/** In the till's own folder. */
export const socketIn = (folder: string): string => join(resolve(folder), SOCKET_FOLDER, SOCKET_NAME);

/** Of Windows: pipes have a name and no place, so this one can be known to nobody before the till has it. */
export const pipeName = (random: Random): string => `\\\\.\\pipe\\tillgate-${Buffer.from(random(16)).toString('hex')}`;

/** Folders for what does not fit, the system's own first: a person may have set a long one. */
export const temporaryFolders = (): string[] => [...new Set([tmpdir(), '/tmp'])];

/** Beside the socket, where nobody else reads: a page that leads a browser to the screens, code and all. */
export const openingFile = (socket: string): string => join(dirname(socket), 'open.html');

export const writePointer = (folder: string, socket: string): void => {
  const fresh = join(folder, `${POINTER}.new`);
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify({ socket })}\n`, { mode: 0o600, flag: 'wx' });
  replaceFile(fresh, join(folder, POINTER));
};

const readPointer = (folder: string): string | undefined => {
  const file = join(folder, POINTER);
  if (!existsSync(file)) return undefined;
  try {
    const { socket } = JSON.parse(readFileSync(file, 'utf8')) as { socket?: unknown };
    return typeof socket === 'string' ? socket : undefined;
  } catch {
    // Half written, or not ours: the till that runs there says its place anew.
    return undefined;
  }
};

/** Takes the pointer away if it names this socket. */
export const removePointer = (folder: string, socket: string): void => {
  if (readPointer(folder) === socket) rmSync(join(folder, POINTER), { force: true });
};

/** The socket of the till that works on this folder, or worked there last. Throws why it is not to be spoken to. */
export const findSocket = (folder: string): string | undefined => {
  const found = readPointer(folder) ?? socketIn(folder);
  if (process.platform === 'win32') return readPointer(folder);
  try {
    requireOwnSocket(found, folder);
    return found;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return undefined;
    throw error;
  }
};

/** What a killed till left: its pointer, and the temporary folder that this named. */
export const removeLeftovers = async (folder: string): Promise<void> => {
  const socket = readPointer(folder);
  rmSync(join(folder, POINTER), { force: true });
  if (socket === undefined || process.platform === 'win32') return;
  try {
    requireOwnSocket(socket, folder);
  } catch {
    // Not ours to take away.
    return;
  }
  const place = dirname(socket);
  if (!/^tillgate-\w{6}$/.test(basename(place)) || (await isSocketAnswered(socket))) return;
  rmSync(place, { recursive: true, force: true });
};

/** Whether a program listens there. */
const isSocketAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = connect(path);
    asked.once('connect', () => resolve(true)).once('error', () => resolve(false));
    asked.once('close', () => asked.destroy());
    asked.once('connect', () => asked.end());
  });

/** Makes the path free for a socket. Throws when something else has its name, or a program answers there. */
export const freeSocket = async (path: string): Promise<void> => {
  if (!existsSync(path)) return;
  if (!lstatSync(path).isSocket()) throw new Error('something else has this name');
  if (await isSocketAnswered(path)) throw Object.assign(new Error('in use'), { code: 'EADDRINUSE' });
  unlinkSync(path);
};

// Folders and sockets that nobody but one user of the operating system reaches.

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
const requireOwnSocket = (socket: string, folder: string): void => {
  const user = ownId();
  if (user === undefined) return;
  const owner = user === 0 ? lstatSync(folder).uid : user;
  const stats = lstatSync(socket);
  if (!stats.isSocket()) throw new Error(`${socket} is no socket`);
  const place = lstatSync(dirname(socket));
  if (stats.uid !== owner || !place.isDirectory() || !isClosedTo(place, owner))
    throw new Error(`${socket} is not this user’s alone`);
};
