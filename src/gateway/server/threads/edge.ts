/**
 * A gateway in two threads, for a server: this thread authenticates, decodes and parses requests and sends answers; the
 * core, a thread with the store, processes them. A request that needs stored data for authentication is passed on
 * unparsed.
 */
import { Worker } from 'node:worker_threads';
import { Hono } from 'hono';
import type { Clock } from '../../../base/clock.ts';
import type { Ids } from '../../../base/ids.ts';
import { merchantChannels } from '../../channel.ts';
import { readBytes } from '../../client/body.ts';
import { type Endpoint, type Incoming, strictnessOf, traitsOf } from '../../payments/endpoint.ts';
import { canClaim } from '../../payments/repeats.ts';
import { endpoints } from '../all-endpoints.ts';
import type { Observer } from '../http/observer.ts';
import { createReceiver } from '../http/receive.ts';
import {
  type AppEnvironment,
  addEndpoints,
  createResponder,
  INTERNAL,
  MALFORMED,
  type Responder,
} from '../http/routes.ts';
import { type Core, startCore } from './core-line.ts';
import { type CoreTask, flatten, type ParsedRequest, type RawRequest } from './messages.ts';

export type ThreadedOptions = CoreTask & {
  clock: Clock;
  ids: Ids;
  observers?: readonly Observer[];
  /** Called with internal errors; they never reach a client. */
  report?: (error: unknown) => void;
  /** Called after each commit with the number of transactions that it made durable. */
  onCommit?: (workCount: number) => void;
};

export type ThreadedGateway = {
  /** Never rejects, like `GatewayApp.fetch`. */
  fetch(request: Request, base?: string): Promise<Response>;
  refuse: Responder['refuse'];
  /** Resolves when the store answers; throws `gateway.state` if it does not. */
  ping(): Promise<void>;
  /** Resolves when the store has made something durable; throws `gateway.state` if it accepts no writes. */
  tryWrite(): Promise<void>;
  /** Waits for requests in progress, and closes the store. */
  close(): Promise<void>;
  /** Rejects when the core has ended by itself: nothing can be processed any more. */
  failed: Promise<never>;
};

/** A request's objects live only as long as the request: a larger young generation would only use more memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/** Opens the gateway in a thread of its own, and is then ready. Throws what `openGateway` throws. */
export const openThreadedGateway = async (options: ThreadedOptions): Promise<ThreadedGateway> => {
  const { clock, ids, observers = [], report = () => {}, onCommit, ...task } = options;
  const worker = new Worker(new URL('./core.ts', import.meta.url), { workerData: task, resourceLimits });
  const core = await startCore(worker, {
    onFault: report,
    onCommit: (workCount) => onCommit?.(workCount),
    onAnswer: (facts) => {
      for (const observer of observers) observer.onAnswer(facts);
    },
  });
  const { respondTo, writeRefusal, refuse } = createResponder({ clock, ids, observers });
  const receive = createReceiver({
    channels: [...options.channels, ...merchantChannels(options.merchants ?? [], options.channels)],
    secret: core.secret,
    clock,
    ids,
    ownerOf: async () => undefined,
    answer: (endpoint, incoming) => core.read(nameOf(endpoint), readOf(endpoint, incoming)),
  });
  const app = new Hono<AppEnvironment>();
  addEndpoints(app, { endpoints: endpoints.filter(isReadHere), receive, clock, observers });
  app.notFound(({ req, env }) =>
    forwardToCore(core, { request: req.raw, base: env.base }, () =>
      respondTo(req.raw, writeRefusal({ code: MALFORMED })),
    ),
  );
  app.onError((error, { req }) => {
    report(error);
    return respondTo(req.raw, writeRefusal({ code: INTERNAL, status: 500 }));
  });
  return {
    fetch: async (request, base) => app.fetch(request, { base }),
    refuse,
    ping: core.ping,
    tryWrite: core.tryWrite,
    close: core.close,
    failed: core.failed,
  };
};

/** A shopper's requests are authorised by the checkout that they name, which only the core can look up. */
const isReadHere = ({ operation }: Endpoint): boolean => operation.access !== 'checkout';

const nameOf = ({ operation }: Endpoint): string => `${operation.method} ${operation.path}`;

const readOf = (endpoint: Endpoint, { channel, sent, fingerprint, id, key, ...rest }: Incoming): ParsedRequest => {
  // Whether parsing is strict is known only with the request's channel.
  const parsed =
    channel.dispatch === undefined ? endpoint.parse?.(sent, strictnessOf(channel), traitsOf(channel)) : undefined;
  const { errors, repeats, requestId, base, at } = rest;
  return {
    entityId: channel.entityId,
    fingerprint: canClaim(sent, key) ? fingerprint() : undefined,
    errors,
    repeats,
    requestId,
    base,
    at,
    id,
    key,
    ...(parsed === undefined ? { sent: flatten(sent) } : flattenParsed(parsed)),
  };
};

type EdgeParsed = ReturnType<NonNullable<Endpoint['parse']>>;

const flattenParsed = (parsed: EdgeParsed) =>
  'errors' in parsed
    ? { wrong: parsed.errors }
    : // A request contains only texts, by their wire names.
      { request: flatten(parsed.request as Readonly<Record<string, string>>), warnings: parsed.warnings };

/** For a page or a shopper’s form; more than any of them needs. */
const BYTES_MAX = 1024 * 1024;

type ForwardedRequest = { request: Request; base: string | undefined };

const forwardToCore = async (
  core: Core,
  { request, base }: ForwardedRequest,
  broken: () => Response,
): Promise<Response> => {
  const { method, url, headers } = request;
  const raw: RawRequest = { method, url, headers: [...headers], base };
  if (method === 'GET' || method === 'HEAD') return answerOf(await core.request(raw));
  const body = await readBytes(request, BYTES_MAX).catch(() => undefined);
  return body === undefined ? broken() : answerOf(await core.request({ ...raw, body }));
};

const answerOf = ({ status, headers, body }: Awaited<ReturnType<Core['request']>>): Response =>
  new Response(body.length === 0 ? null : Buffer.from(body), { status, headers: headers as [string, string][] });
