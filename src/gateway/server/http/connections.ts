/** Connections as such: how many there are, who must go because there are too many, and who does not read. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../base/clock.ts';
import { say } from './broken.ts';
import { type Limits, spare } from './limits.ts';
import type { MayConnect } from './proxies.ts';
import type { GatewayApp } from './server.ts';

type Parts = {
  server: Server;
  /** Of TLS: a connection that has not shaken hands cannot be told anything. */
  secure: boolean;
  limits: Limits;
  clock: Clock;
  mayConnect: MayConnect;
  refuse: GatewayApp['refuse'];
};

export type Connections = {
  count(): number;
  /** Whether requests of this connection are looked at no more. */
  isTurnedAway(socket: Socket): boolean;
  /** From now on nothing that this connection sends is looked at. */
  turnAway(socket: Socket): void;
  /** Another request of one turned away. Too many, and it is cut off: the platform holds what it parsed. */
  ignore(socket: Socket): void;
  /** Ends the watch over slow readers. */
  stop(): void;
};

/** How long one who was turned away has to read why. */
const FAREWELL_MS = 1_000;
const IGNORED_MAX = 512;
/** The client is at the wrong door: what it has sent here was not encrypted. */
const NOT_TRUSTED = 'This gateway is reached through its proxy, at its https address. Nothing was done.';

/** Watches over the server's connections until it is stopped. */
export const watchConnections = ({ server, secure, limits, clock, mayConnect, refuse }: Parts): Connections => {
  const open = new Set<Socket>();
  /** With the number of their requests since. */
  const away = new WeakMap<Socket, number>();
  const refusalOf = ({ remoteAddress = '' }: Socket): Response | undefined => {
    if (!mayConnect(remoteAddress)) return refuse(403, NOT_TRUSTED);
    if (open.size <= limits.connections) return undefined;
    return refuse(503, `More than ${limits.connections} connections are open. Try again later.`);
  };
  server.maxConnections = limits.connections + spare(limits.connections);
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const refusal = refusalOf(socket);
    if (refusal === undefined) return;
    away.set(socket, 0);
    void say(socket, refusal);
    // Closed at once it would be reset, and the words lost, should the request arrive only now.
    const farewell = clock.after(FAREWELL_MS, () => socket.destroy());
    socket.once('close', farewell);
  });
  const stop = cutSlowReaders(open, limits, clock);
  return {
    count: () => open.size,
    isTurnedAway: (socket) => away.has(socket),
    turnAway: (socket) => void away.set(socket, 0),
    ignore: (socket) => {
      const ignored = (away.get(socket) ?? 0) + 1;
      away.set(socket, ignored);
      if (ignored > IGNORED_MAX) socket.destroy();
    },
    stop,
  };
};

type Backlog = { since: number; sent: number };

/**
 * Destroys connections whose answers lie unsent, none of them moving: a client that asks much and reads nothing would
 * fill the memory. Gives the way to stop.
 */
const cutSlowReaders = (open: ReadonlySet<Socket>, { sendMs }: Limits, clock: Clock): (() => void) => {
  const backlogs = new WeakMap<Socket, Backlog>();
  const look = (socket: Socket): void => {
    const now = clock.monotonic();
    const sent = socket.bytesWritten - socket.writableLength;
    const backlog = backlogs.get(socket);
    if (socket.writableLength === 0) backlogs.delete(socket);
    else if (backlog === undefined || backlog.sent !== sent) backlogs.set(socket, { since: now, sent });
    else if (now - backlog.since >= sendMs) socket.destroy();
  };
  let cancel = (): void => {};
  const round = (): void => {
    for (const socket of open) look(socket);
    cancel = clock.after(sendMs / 4, round);
  };
  round();
  return () => cancel();
};
