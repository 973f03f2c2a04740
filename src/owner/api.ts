/**
 * The requests that a till's owner can make over its socket. Whoever reaches that socket is the operating system's user
 * who runs the till, so status and stop need no PIN. Everything else is the till's local API, which requires a session.
 */
import type { ServerResponse } from 'node:http';
import { Hono } from 'hono';
import type { DisplayMode } from '../base/mode.ts';

export type OwnerStatus = {
  version: string;
  /** The process id of the till. */
  pid: number;
  mode: DisplayMode;
  state: 'open' | 'stopping';
  /** Where the screens are: `http://127.0.0.1:8800/`, or the path of a socket. */
  address: string;
  /** Opens the screens while there are no people; absent once there are. */
  code?: string;
  /** The number of sales in progress. */
  underWay: number;
};

/** A line of the answer to a stop: first the number of sales it waits for, finally that everything is closed. */
export type StopProgress = { underWay: number } | { closed: true };

/** The till from the view of its owner's commands. */
export type OwnerPort = {
  status(): OwnerStatus;
  /** Stops the till as a first Control-C does. A second call changes nothing. */
  stop(): void;
  /** Calls `listener` when the number of sales in progress may have changed, until the returned function is called. */
  listen(listener: () => void): () => void;
  /** Answers requests below `/api`, with the permissions of their session and not those of the owner. */
  api(request: Request): Promise<Response>;
};

/** The environment that Node's server adapter provides. */
type Env = { Bindings: { outgoing: ServerResponse } };

/** Clients that requested the stop and wait for it. */
export type StopWaiters = Set<(line: StopProgress) => Promise<void>>;

export const ownerApi = (service: OwnerPort, waiters: StopWaiters) =>
  new Hono<Env>()
    .get('/status', (c) => c.json(service.status()))
    /** This answer ends only with the process: the system closes the connection when everything else is closed. */
    .post('/stop', (c) => {
      const { outgoing } = c.env;
      const send = (line: StopProgress): Promise<void> =>
        new Promise((resolve) => {
          // On a closed Windows pipe, a write may never call back.
          outgoing.once('close', resolve);
          if (outgoing.closed || outgoing.destroyed) return resolve();
          outgoing.write(`${JSON.stringify(line)}\n`, () => {
            outgoing.off('close', resolve);
            resolve();
          });
        });
      outgoing.writeHead(202, { 'content-type': 'application/x-ndjson' });
      let last = service.status().underWay;
      void send({ underWay: last });
      const unlisten = service.listen(() => {
        const { underWay } = service.status();
        if (underWay !== last) void send({ underWay });
        last = underWay;
      });
      waiters.add(send);
      outgoing.once('close', () => {
        unlisten();
        waiters.delete(send);
      });
      service.stop();
      // The library's mark for an answer that was already written depends on which of its servers was created first.
      return new Promise<Response>(() => {});
    })
    .all('/api/*', (c) => service.api(c.req.raw));

export type OwnerApi = ReturnType<typeof ownerApi>;
