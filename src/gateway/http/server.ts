/** The host API over HTTP (spec 4, 5, 7): Request in, Response out. */
import { Hono } from 'hono';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Acquirer } from '../acquirers/acquirer.ts';
import { endpoints } from '../operations/all.ts';
import type { Gateway } from '../operations/endpoint.ts';
import { processing } from '../processing.ts';
import { type Answer, frame, type Refusal, refusal } from '../response.ts';
import { resultCodes } from '../results.ts';
import type { Store } from '../store/store.ts';
import type { Channel } from './authentication.ts';
import { receiver } from './receive.ts';

export type GatewayAppOptions = {
  store: Store;
  acquirer: Acquirer;
  channels: readonly Channel[];
  clock: Clock;
  ids: Ids;
  /** Keys the fingerprints of requests: 32 bytes that outlive the process and are kept apart from the store. */
  secret: Uint8Array;
  /** How long a request waits for the acquirer. */
  patienceMs?: number;
  /** Hears of faults inside; they never reach a client. */
  report?: (error: unknown) => void;
};

export type GatewayApp = {
  /** Never rejects: whatever goes wrong inside is an answer with status 500 and result code 999.999.888. */
  fetch(request: Request): Promise<Response>;
  /** The answer to what came over a line and is no request: 405 for a method, else that it is malformed. */
  refuse(status: number, why: string): Response;
  /** Resolves when what an earlier process left open has been ended. Requests wait for it too. */
  ready: Promise<void>;
  /** Waits for what is under way. The store is its owner's to close. */
  close(): Promise<void>;
};

const PATIENCE_MS = 30_000;
const INTERNAL = '999.999.888';
const METHOD = '200.300.403';
const MALFORMED = '200.100.103';

export const gatewayApp = (options: GatewayAppOptions): GatewayApp => {
  const { store, acquirer, channels, clock, ids, secret, patienceMs = PATIENCE_MS, report = () => {} } = options;
  const work = processing({ store, acquirer, clock, patienceMs, report });
  const gateway: Gateway = { store, acquirer, clock, ids, processing: work };
  const receive = receiver({ gateway, channels, secret });
  const ready = work.recover();
  // Without this the process would end on a failed start before a request has asked for it.
  ready.catch(() => {});

  const refuse = (why: Refusal): Response => respond(refusal(why, frame('', ids.next(), clock.now())));

  const app = new Hono();
  for (const { operation, ...rest } of endpoints) {
    // With an empty id a path means what it means without one: clients send `POST /v1/payments/`.
    const paths = operation.path.includes(':id') ? [operation.path] : [operation.path, `${operation.path}/`];
    app.on(operation.method, paths, async ({ req }) =>
      respond(await receive({ operation, ...rest }, req.raw, req.param('id'))),
    );
  }
  app.get('/v1/resultcodes', () => respond({ status: 200, body: { resultCodes } }));
  const methods = Map.groupBy(
    [...endpoints.map(({ operation }) => operation), { method: 'GET', path: '/v1/resultcodes' }],
    ({ path }) => path,
  );
  for (const [path, operations] of methods) {
    const headers = { allow: operations.map(({ method }) => method).join(', ') };
    app.all(path, () => refuse({ code: METHOD, status: 405, headers }));
  }
  app.notFound(() => refuse({ code: '200.300.406', status: 404 }));
  app.onError((error) => {
    report(error);
    return refuse({ code: INTERNAL, status: 500 });
  });

  return {
    async fetch(request) {
      try {
        await ready;
      } catch (error) {
        report(error);
        return refuse({ code: INTERNAL, status: 500 });
      }
      return app.fetch(request);
    },
    refuse: (status, why) => refuse({ code: status === 405 ? METHOD : MALFORMED, status, why }),
    ready,
    close: () => work.quiet(),
  };
};

/** JSON with its length, in one write: a client that reads the first piece only has read all. */
const respond = ({ status, body, headers }: Answer): Response => {
  const text = JSON.stringify(body);
  return new Response(text, {
    status,
    headers: {
      'content-type': 'application/json;charset=UTF-8',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-store',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
};
