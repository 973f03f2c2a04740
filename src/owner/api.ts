/**
 * What the owner of a till asks of it over its socket. Whoever reaches that socket is the operating system's user who
 * runs the till, so its state and its end ask for no PIN. All else is the till's local API, which asks who it is.
 */
import type { ServerResponse } from 'node:http';
import { Hono } from 'hono';
import type { DisplayMode } from '../base/mode.ts';

export type OwnerStatus = {
  version: string;
  /** Of the till's process. */
  pid: number;
  mode: DisplayMode;
  state: 'open' | 'stopping';
  /** Where the screens are: `http://127.0.0.1:8800/`, or the path of a socket. */
  address: string;
  /** Opens the screens while no people are known; absent once anybody is. */
  code?: string;
  /** How many sales are under way. */
  underWay: number;
};

/** A line of the answer to a stop: first how many sales it waits for, at last that everything is closed. */
export type StopProgress = { underWay: number } | { closed: true };

/** The till, as its owner's commands see it. */
export type OwnerPort = {
  status(): OwnerStatus;
  /** Ends the till as a first Control-C does. A second call changes nothing. */
  stop(): void;
  /** Calls `hear` when the number of sales under way may have changed, until the returned function is called. */
  listen(hear: () => void): () => void;
  /** Answers what stands below `/api`: with the permissions of a session there, not those of the owner. */
  api(request: Request): Promise<Response>;
};

/** As Node's own server hands them over. */
type Env = { Bindings: { outgoing: ServerResponse } };

/** Those who asked for the stop, and wait for it. */
export type StopWaiters = Set<(line: StopProgress) => Promise<void>>;

export const ownerApi = (service: OwnerPort, waiters: StopWaiters) =>
  new Hono<Env>()
    .get('/status', (c) => c.json(service.status()))
    /** Its answer has no end but that of the process: the system closes the connection when all else is closed. */
    .post('/stop', (c) => {
      const { outgoing } = c.env;
      const tell = (line: StopProgress): Promise<void> =>
        new Promise((resolve) => {
          // Of a pipe of Windows that has ended, a write may never be heard of again.
          outgoing.once('close', resolve);
          if (outgoing.closed || outgoing.destroyed) return resolve();
          outgoing.write(`${JSON.stringify(line)}\n`, () => {
            outgoing.off('close', resolve);
            resolve();
          });
        });
      outgoing.writeHead(202, { 'content-type': 'application/x-ndjson' });
      let last = service.status().underWay;
      void tell({ underWay: last });
      const unlisten = service.listen(() => {
        const { underWay } = service.status();
        if (underWay !== last) void tell({ underWay });
        last = underWay;
      });
      waiters.add(tell);
      outgoing.once('close', () => {
        unlisten();
        waiters.delete(tell);
      });
      service.stop();
      // What the library takes for an answer that was written already depends on which of its servers was made first.
      return new Promise<Response>(() => {});
    })
    .all('/api/*', (c) => service.api(c.req.raw));

/** What the client is typed by. */
export type OwnerApi = ReturnType<typeof ownerApi>;
