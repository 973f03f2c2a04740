/** Limits connections: their number, the refusal of those beyond it, and clients that do not read. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../base/clock.ts';
import { sendResponse } from './broken.ts';
import { type Limits, spareConnections } from './limits.ts';
import type { MayConnect } from './proxies.ts';
import type { GatewayApp } from './server.ts';

type ConnectionParts = {
  server: Server;
  /** Over TLS: before the handshake a connection cannot be sent an answer. */
  secure: boolean;
  limits: Limits;
  clock: Clock;
  mayConnect: MayConnect;
  refuse: GatewayApp['refuse'];
};

export type Connections = {
  count(): number;
  /** Whether requests of this connection are ignored from now on. */
  isTurnedAway(socket: Socket): boolean;
  /** Ignores everything that this connection sends from now on. */
  turnAway(socket: Socket): void;
  /**
   * Counts another request of a refused connection. Too many, and it is dropped: the platform keeps the parsed requests
   * in memory.
   */
  ignore(socket: Socket): void;
  /** Stops watching for slow readers. */
  stop(): void;
};

/** How long a refused client has to read the reason. */
const FAREWELL_MS = 1_000;
const IGNORED_MAX = 512;
/** The client has the wrong port: what it sent here was not encrypted. */
const NOT_TRUSTED = 'Use the https address of this gateway’s proxy. Nothing was done.';

/** Watches the server's connections until it is stopped. */
export const watchConnections = ({
  server,
  secure,
  limits,
  clock,
  mayConnect,
  refuse,
}: ConnectionParts): Connections => {
  const open = new Set<Socket>();
  /** With the number of their requests since then. */
  const turnedAway = new WeakMap<Socket, number>();
  const refusalOf = ({ remoteAddress = '' }: Socket): Response | undefined => {
    if (!mayConnect(remoteAddress)) return refuse(403, NOT_TRUSTED);
    if (open.size <= limits.connections) return undefined;
    return refuse(503, `More than ${limits.connections} connections are open. Try again later.`);
  };
  server.maxConnections = limits.connections + spareConnections(limits.connections);
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const refusal = refusalOf(socket);
    if (refusal === undefined) return;
    turnedAway.set(socket, 0);
    void sendResponse(socket, refusal);
    // If closed at once, the connection would be reset, and the answer lost, in case the request arrives only now.
    const cancelClose = clock.after(FAREWELL_MS, () => socket.destroy());
    socket.once('close', cancelClose);
  });
  const stop = cutSlowReaders(open, limits, clock);
  return {
    count: () => open.size,
    isTurnedAway: (socket) => turnedAway.has(socket),
    turnAway: (socket) => void turnedAway.set(socket, 0),
    ignore: (socket) => {
      const ignored = (turnedAway.get(socket) ?? 0) + 1;
      turnedAway.set(socket, ignored);
      if (ignored > IGNORED_MAX) socket.destroy();
    },
    stop,
  };
};

type Backlog = { since: number; sent: number };

/**
 * Destroys connections whose answers are unsent and do not move: a client that sends many requests and reads nothing
 * would fill the memory. Returns the function that stops it.
 */
const cutSlowReaders = (open: ReadonlySet<Socket>, { sendMs }: Limits, clock: Clock): (() => void) => {
  const backlogs = new WeakMap<Socket, Backlog>();
  const checkBacklog = (socket: Socket): void => {
    const now = clock.monotonic();
    const sent = socket.bytesWritten - socket.writableLength;
    const backlog = backlogs.get(socket);
    if (socket.writableLength === 0) backlogs.delete(socket);
    else if (backlog === undefined || backlog.sent !== sent) backlogs.set(socket, { since: now, sent });
    else if (now - backlog.since >= sendMs) socket.destroy();
  };
  let cancel = (): void => {};
  const checkAll = (): void => {
    for (const socket of open) checkBacklog(socket);
    cancel = clock.after(sendMs / 4, checkAll);
  };
  checkAll();
  return () => cancel();
};
