/**
 * Where a till's owner socket is: in the till's folder; in the system's temporary folder if the path would be too long
 * or the disk has no sockets; on Windows a named pipe. In the last two cases a pointer file in the till's folder names
 * it.
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
import { systemCode } from '../base/system-error-text.ts';

/** A separate subfolder of the till's folder, because the till's folder itself may be open to a group. */
export const SOCKET_FOLDER = 'owner';
export const SOCKET_NAME = 'till.sock';
const POINTER = 'owner.json';
/** The kernel's limit without the terminating zero: 107 bytes on Linux, 103 on macOS and the BSDs. */
const PATH_BYTES: Partial<Readonly<Record<NodeJS.Platform, number>>> = { linux: 107 };
const LEAST_PATH_BYTES = 103;

export const fitsSocketPath = (path: string): boolean =>
  Buffer.byteLength(path) <= (PATH_BYTES[process.platform] ?? LEAST_PATH_BYTES);

export const socketIn = (folder: string): string => join(resolve(folder), SOCKET_FOLDER, SOCKET_NAME);

/** The name of a Windows pipe: pipes have no location, so it is random, and nobody can take it before the till does. */
export const pipeName = (random: Random): string => `\\\\.\\pipe\\tillgate-${Buffer.from(random(16)).toString('hex')}`;

/** Folders for a socket that does not fit, the system's first: a person may have set a long one. */
export const temporaryFolders = (): string[] => [...new Set([tmpdir(), '/tmp'])];

/** A page beside the socket, readable only by the owner, that leads a browser to the screens with the code. */
export const openingFile = (socket: string): string => join(dirname(socket), 'open.html');

export const writePointer = (folder: string, socket: string): void => {
  const temporary = join(folder, `${POINTER}.new`);
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify({ socket })}\n`, { mode: 0o600, flag: 'wx' });
  replaceFile(temporary, join(folder, POINTER));
};

const readPointer = (folder: string): string | undefined => {
  const file = join(folder, POINTER);
  if (!existsSync(file)) return undefined;
  try {
    const { socket } = JSON.parse(readFileSync(file, 'utf8')) as { socket?: unknown };
    return typeof socket === 'string' ? socket : undefined;
  } catch {
    // The pointer is half written, or not ours: a running till writes its pointer again.
    return undefined;
  }
};

/** Deletes the pointer if it names this socket. */
export const removePointer = (folder: string, socket: string): void => {
  if (readPointer(folder) === socket) rmSync(join(folder, POINTER), { force: true });
};

/** The socket of the till that works on this folder, or last did. Throws why it must not be used. */
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

/** Deletes what a killed till left: its pointer, and the temporary folder it names. */
export const removeLeftovers = async (folder: string): Promise<void> => {
  const socket = readPointer(folder);
  rmSync(join(folder, POINTER), { force: true });
  if (socket === undefined || process.platform === 'win32') return;
  try {
    requireOwnSocket(socket, folder);
  } catch {
    // The socket belongs to somebody else, so it is not deleted here.
    return;
  }
  const place = dirname(socket);
  if (!/^tillgate-\w{6}$/.test(basename(place)) || (await isSocketAnswered(socket))) return;
  rmSync(place, { recursive: true, force: true });
};

/** Whether a program listens there. */
const isSocketAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = connect(path);
    request.once('connect', () => resolve(true)).once('error', () => resolve(false));
    request.once('close', () => request.destroy());
    request.once('connect', () => request.end());
  });

/** Frees the path for a new socket. Throws when something else has its name, or a program answers there. */
export const freeSocket = async (path: string): Promise<void> => {
  if (!existsSync(path)) return;
  if (!lstatSync(path).isSocket()) throw new Error('something else has this name');
  if (await isSocketAnswered(path)) throw Object.assign(new Error('in use'), { code: 'EADDRINUSE' });
  unlinkSync(path);
};

// Folders and sockets that only one user of the operating system can reach.

/** This user. Undefined on systems without user ids, which protect a person's folders by their own rules. */
const ownId = (): number | undefined => process.getuid?.();

const isClosedTo = (stats: Stats, owner: number): boolean => stats.uid === owner && (stats.mode & 0o077) === 0;

/** Creates the folder, or uses an existing one. Throws why it would not be private to this user. */
export const makePrivateFolder = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  const owner = ownId();
  if (owner === undefined) return;
  // Follows no symbolic link, because its creator chose where it leads.
  if (!lstatSync(path).isDirectory()) throw new Error(`${path} is not a folder`);
  if (lstatSync(path).uid === owner) chmodSync(path, 0o700);
  if (!isClosedTo(lstatSync(path), owner)) throw new Error(`other users can open ${path}`);
};

/** A new folder inside a world-writable one, with an unpredictable name. */
export const makeTemporaryFolder = (parent: string): string => {
  const path = mkdtempSync(join(parent, 'tillgate-'));
  makePrivateFolder(path);
  return path;
};

/**
 * Throws why this socket must not be used: it must belong to this user, in a folder that is theirs alone. The
 * administrator may use the socket of the user whose `folder` it serves.
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
