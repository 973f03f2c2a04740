/** How much of the gateway's time and memory one client may use, and all of them together. */

export type Limits = {
  /** Bytes of a request's first line and its headers. */
  headBytes: number;
  headers: number;
  /** How long a request may take to arrive, from its first byte to its last; a TLS handshake, too. */
  receiveMs: number;
  /** How long answers may be unsent on a connection that accepts no data. */
  sendMs: number;
  /** How long a connection may stay open between two requests. */
  idleMs: number;
  /** Maximum number of connections. Further ones get an answer and are closed. */
  connections: number;
  requestsPerConnection: number;
  /** Maximum number of requests of one connection that wait for their answers. */
  pipelined: number;
};

export const defaultLimits: Limits = {
  headBytes: 16_384,
  headers: 100,
  receiveMs: 30_000,
  sendMs: 60_000,
  idleMs: 20_000,
  connections: 1024,
  requestsPerConnection: 10_000,
  pipelined: 32,
};

/** Connections beyond the limit that are being answered. Further ones are closed without an answer. */
export const spareConnections = (connections: number): number => Math.max(16, Math.floor(connections / 8));
