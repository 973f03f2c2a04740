/** Where a till can be reached: by screens and programs at a port or a socket file, and by its owner's commands. */
import { chmodSync, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { systemErrorText } from '../base/system-error-text.ts';
import type { OwnerPort, OwnerStatus } from '../owner/api.ts';
import { freeSocket } from '../owner/place.ts';
import { type OwnerSocket, openOwnerSocket } from '../owner/socket.ts';
import { type ServerContext, salesInProgress, type TillInstance } from './till-instance.ts';

export type ServeAddress =
  /** 0 uses a free port. */
  | { port: number }
  /** The path of a socket file that only this user can open, or of a named pipe on Windows. */
  | { socket: string };

export type ListeningServer = {
  /** `http://127.0.0.1:8800/`, or the socket's path. */
  address: string;
  /** Allowed values of the Host header. */
  hosts: readonly string[];
  /** Allowed values of the Origin header for the till's own pages. */
  origins: readonly string[];
  /** Accepts no more requests, and ends the open streams. */
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
/** The origin of the desktop window, which loads the screens under its own scheme through the socket. */
const WINDOW_ORIGIN = 'till://app';
const HEAD_BYTES = 16_384;
const HEAD_MS = 10_000;
/** A settlement file of a million lines takes seconds over loopback. */
const REQUEST_MS = 120_000;
/** Time for clients to read the last answers. */
const CLOSE_WITHIN_MS = 1_000;

/** Throws `screens.port` with the reason why it cannot be opened. */
export const listenAt = async (
  place: ServeAddress,
  clock: Clock,
  answer: (request: Request) => Promise<Response>,
): Promise<ListeningServer> => {
  const server = createServer(
    { maxHeaderSize: HEAD_BYTES, headersTimeout: HEAD_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: 65_000 },
    getRequestListener(answer, { errorHandler: () => new Response('Malformed request\n', { status: 400 }) }),
  );
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      const cancelTimer = clock.after(CLOSE_WITHIN_MS, () => server.closeAllConnections());
      server.close(() => {
        cancelTimer();
        resolve();
      });
      server.closeIdleConnections();
    });
  if ('socket' in place) {
    await listenOn(server, place.socket, () => freeSocket(place.socket));
    return { address: place.socket, hosts: ['localhost'], origins: [WINDOW_ORIGIN, 'http://localhost'], close };
  }
  await listenOn(server, place.port);
  const { port } = server.address() as AddressInfo;
  const hosts = [`${HOST}:${port}`, `localhost:${port}`];
  return { address: `http://${HOST}:${port}/`, hosts, origins: hosts.map((host) => `http://${host}`), close };
};

const listenOn = async (
  server: Server,
  target: string | number,
  prepare = async (): Promise<void> => {},
): Promise<void> => {
  const refuse = (error: unknown): Fault =>
    new Fault(
      'screens.port',
      { where: typeof target === 'string' ? target : `${HOST}:${target}`, why: systemErrorText(error) },
      error,
    );
  await prepare().catch((error: unknown) => {
    throw refuse(error);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(refuse(error)));
    if (typeof target === 'string') server.listen(target, resolve);
    else server.listen(target, HOST, resolve);
  });
  if (typeof target === 'string' && existsSync(target)) chmodSync(target, 0o600);
};

// The served till's socket for its owner's commands: in the folder that the till works on, also after going live.

export type ServedOwner = {
  /** Where the socket is now, or why there is none. */
  socket(): Pick<OwnerSocket, 'path' | 'why'>;
  /** Resolves when the owner has asked the till to stop. */
  stopAsked: Promise<void>;
  /** Call it when the till was reopened, in another folder once it went live. */
  follow(instance: TillInstance): Promise<void>;
  close(): Promise<void>;
};

type Parts = {
  context: ServerContext;
  /** Undefined while the till is reopened. */
  instance(): TillInstance | undefined;
  address: string;
  api: OwnerPort['api'];
};

export const serveOwner = async (parts: Parts, firstInstance: TillInstance): Promise<ServedOwner> => {
  const stop = Promise.withResolvers<void>();
  const service = ownerPortOver(parts, firstInstance, stop.resolve);
  const openIn = ({ dataDir }: TillInstance) =>
    openOwnerSocket({ folder: dataDir, service, random: parts.context.random });
  let folder = firstInstance.dataDir;
  let socket = await openIn(firstInstance);
  return {
    socket: () => socket,
    stopAsked: stop.promise,
    async follow(instance) {
      if (instance.dataDir === folder) return;
      folder = instance.dataDir;
      const prepare = socket;
      socket = await openIn(instance);
      await prepare.close();
    },
    close: () => socket.close(),
  };
};

const ownerPortOver = (
  { context, instance, address, api }: Parts,
  firstInstance: TillInstance,
  onStop: () => void,
): OwnerPort => {
  let state: OwnerStatus['state'] = 'open';
  let { mode } = firstInstance.running;
  return {
    status() {
      const now = instance();
      mode = now?.running.mode ?? mode;
      const code = now && context.sessions.startCode();
      return {
        version: context.options().version,
        pid: process.pid,
        address,
        state,
        mode: context.training ? 'training' : mode,
        code,
        underWay: now === undefined ? 0 : salesInProgress(now.open.services.selling).length,
      };
    },
    stop() {
      state = 'stopping';
      onStop();
    },
    api,
    listen: (listener) => context.events.listen(() => listener()),
  };
};
