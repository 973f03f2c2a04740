/** Where screens and programs of this machine reach the till: a port of 127.0.0.1, or a socket file. Nowhere else. */
import { chmodSync, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { systemWords } from '../base/system-words.ts';
import { freeSocket } from '../owner/place.ts';

export type ServeAddress =
  /** 0 takes a free one. */
  | { port: number }
  /** Path of a socket file that only this user may open, or of a named pipe on Windows. */
  | { socket: string };

export type Listening = {
  /** `http://127.0.0.1:8800/`, or the socket's path. */
  address: string;
  /** What the header Host may say. */
  hosts: readonly string[];
  /** What the header Origin may say of the till's own page. */
  origins: readonly string[];
  /** Takes no more requests, and ends the streams that are open. */
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
/** Of a window that shows the screens under a scheme of its own, and comes over the socket. */
const WINDOW_ORIGIN = 'till://app';
const HEAD_BYTES = 16_384;
const HEAD_MS = 10_000;
/** A settlement file of a million lines over loopback takes seconds. */
const REQUEST_MS = 120_000;
/** What was answered last gets so long to be read. */
const FAREWELL_MS = 1_000;

/** Throws `screens.port` with why it cannot be had. */
export const listenAt = async (
  place: ServeAddress,
  clock: Clock,
  answer: (request: Request) => Promise<Response>,
): Promise<Listening> => {
  const server = createServer(
    { maxHeaderSize: HEAD_BYTES, headersTimeout: HEAD_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: 65_000 },
    getRequestListener(answer, { errorHandler: () => new Response('Malformed request\n', { status: 400 }) }),
  );
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      const cut = clock.after(FAREWELL_MS, () => server.closeAllConnections());
      server.close(() => {
        cut();
        resolve();
      });
      server.closeIdleConnections();
    });
  if ('socket' in place) {
    await bound(server, place.socket, () => freeSocket(place.socket));
    return { address: place.socket, hosts: ['localhost'], origins: [WINDOW_ORIGIN, 'http://localhost'], close };
  }
  await bound(server, place.port);
  const { port } = server.address() as AddressInfo;
  const hosts = [`${HOST}:${port}`, `localhost:${port}`];
  return { address: `http://${HOST}:${port}/`, hosts, origins: hosts.map((host) => `http://${host}`), close };
};

const bound = async (server: Server, where: string | number, before = async (): Promise<void> => {}): Promise<void> => {
  const refuse = (error: unknown): Fault =>
    new Fault(
      'screens.port',
      { where: typeof where === 'string' ? where : `${HOST}:${where}`, why: systemWords(error) },
      error,
    );
  await before().catch((error: unknown) => {
    throw refuse(error);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(refuse(error)));
    if (typeof where === 'string') server.listen(where, resolve);
    else server.listen(where, HOST, resolve);
  });
  if (typeof where === 'string' && existsSync(where)) chmodSync(where, 0o600);
};
