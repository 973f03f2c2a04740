/** Opens a till's socket for the operating system's user who owns the till, and for nobody else. */
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Random } from '../base/ids.ts';
import { systemErrorText } from '../base/system-error-text.ts';
import { type OwnerPort, ownerApi, type StopWaiters } from './api.ts';
import {
  fitsSocketPath,
  freeSocket,
  makePrivateFolder,
  makeTemporaryFolder,
  openingFile,
  pipeName,
  removeLeftovers,
  removePointer,
  socketIn,
  temporaryFolders,
  writePointer,
} from './place.ts';

export type OwnerSocket = {
  /** The path of the socket. Undefined if none could be opened. */
  path: string | undefined;
  /** Why there is no socket. */
  why?: string;
  connections: ReadonlySet<Socket>;
  /**
   * Accepts no more requests, and tells those who wait for the till's stop that everything is closed. Their connections
   * end with the process.
   */
  close(): Promise<void>;
};

type Parts = {
  /** The till's folder, which nobody else works on. */
  folder: string;
  service: OwnerPort;
  random: Random;
  /** Folders for a socket that does not fit in the till's folder; the system's own if absent. */
  temporary?: readonly string[];
};

/** Never throws: without it the till still sells, and Control-C stops it. */
export const openOwnerSocket = async (parts: Parts): Promise<OwnerSocket> => {
  const waiters: StopWaiters = new Set();
  const server = createServer(
    getRequestListener(ownerApi(parts.service, waiters).fetch as (request: Request) => Response | Promise<Response>),
  );
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    // The connection must not keep the process alive: its end tells a command that the process has ended.
    socket.unref();
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  try {
    const place = await listenSomewhere(server, parts);
    return {
      path: place.path,
      connections,
      async close() {
        server.close();
        server.closeIdleConnections();
        await Promise.all([...waiters].map((send) => send({ closed: true })));
        place.leave();
      },
    };
  } catch (error) {
    return { path: undefined, why: systemErrorText(error), connections, close: async () => {} };
  }
};

type Found = { path: string; leave(): void };

const listenSomewhere = async (server: Server, parts: Parts): Promise<Found> => {
  const { folder, random, temporary = temporaryFolders() } = parts;
  await removeLeftovers(folder);
  if (process.platform === 'win32') return listenByPointer(server, folder, pipeName(random));
  try {
    return await listenInFolder(server, folder);
  } catch (error) {
    for (const parent of temporary) {
      const found = await listenInTemporary(server, folder, parent).catch(() => undefined);
      if (found !== undefined) return found;
    }
    throw error;
  }
};

const listenInFolder = async (server: Server, folder: string): Promise<Found> => {
  const path = socketIn(folder);
  if (!fitsSocketPath(path)) throw new Error(`${path} is too long for a socket`);
  makePrivateFolder(dirname(path));
  await freeSocket(path);
  await listen(server, path);
  return { path, leave: () => rmSync(openingFile(path), { force: true }) };
};

const listenInTemporary = async (server: Server, folder: string, parent: string): Promise<Found> => {
  const place = makeTemporaryFolder(parent);
  const removePlace = (): void => rmSync(place, { recursive: true, force: true });
  try {
    const path = `${place}/till.sock`;
    if (!fitsSocketPath(path)) throw new Error(`${path} is too long for a socket`);
    const found = await listenByPointer(server, folder, path);
    return {
      path,
      leave() {
        found.leave();
        removePlace();
      },
    };
  } catch (error) {
    removePlace();
    throw error;
  }
};

const listenByPointer = async (server: Server, folder: string, path: string): Promise<Found> => {
  await listen(server, path);
  try {
    writePointer(folder, path);
  } catch (error) {
    server.close();
    throw error;
  }
  return { path, leave: () => removePointer(folder, path) };
};

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.unref().listen(path, () => {
      server.off('error', reject);
      // The enclosing folder is closed to others already; a Windows pipe is not a file.
      if (process.platform !== 'win32') chmodSync(path, 0o600);
      resolve();
    });
  });
