/** What one client may take of the gateway's time and memory, and all of them together. */

export type Limits = {
  /** Bytes of a request's first line and its headers. */
  headBytes: number;
  headers: number;
  /** How long a request may take to arrive, from its first byte to its last; a TLS handshake, too. */
  receiveMs: number;
  /** How long answers may lie unsent on a connection that takes nothing. */
  sendMs: number;
  /** How long a connection may stay open between two requests. */
  idleMs: number;
  /** Connections at a time. Those beyond are told so, and closed. */
  connections: number;
  requestsPerConnection: number;
  /** Requests of one connection that wait for their answers. */
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

/** Connections beyond the limit that are being told so. Those beyond these are closed without a word. */
export const spare = (connections: number): number => Math.max(16, Math.floor(connections / 8));
