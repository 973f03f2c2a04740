/**
 * A gateway in two threads, for a server: here requests are let in, decoded and parsed, and answers sent; the core, a
 * thread with the store, carries them out. A request that needs what is kept, to know who asks, goes as it came.
 */
import { Worker } from 'node:worker_threads';
import { Hono } from 'hono';
import type { Clock } from '../../../base/clock.ts';
import type { Ids } from '../../../base/ids.ts';
import { doorsOf } from '../../channel.ts';
import { readBytes } from '../../client/body.ts';
import { type Endpoint, type Incoming, strictnessOf, traitsOf } from '../../payments/endpoint.ts';
import { mayClaim } from '../../payments/repeats.ts';
import { endpoints } from '../all-endpoints.ts';
import type { Observer } from '../http/observer.ts';
import { receiver } from '../http/receive.ts';
import { addEndpoints, INTERNAL, MALFORMED, type Reaching, type Teller, tellerOf } from '../http/routes.ts';
import { type Core, startCore } from './core-line.ts';
import { type CoreTask, flat, type ParsedRequest, type RawRequest } from './messages.ts';

export type ThreadedOptions = CoreTask & {
  clock: Clock;
  ids: Ids;
  /** Hear of every answer. */
  observers?: readonly Observer[];
  /** Hears of faults inside; they never reach a client. */
  report?: (error: unknown) => void;
  /** Told after each commit how many works it made durable. */
  committed?: (works: number) => void;
};

export type ThreadedGateway = {
  /** Never rejects, as `GatewayApp.fetch`. */
  fetch(request: Request, base?: string): Promise<Response>;
  refuse: Teller['refuse'];
  /** Resolves when the store answers; throws `gateway.state` when it does not. */
  ping(): Promise<void>;
  /** Resolves when the store has made something durable; throws `gateway.state` when it takes no writes. */
  tryWrite(): Promise<void>;
  /** Waits for what is under way, and closes the store. */
  close(): Promise<void>;
  /** Rejects when the core has ended by itself: nothing can be carried out any more. */
  failed: Promise<never>;
};

/** What a request leaves behind is gone with it: a larger place for it would only be a larger process. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/** Opens the gateway in a thread of its own, and is then ready. Throws what `openGateway` throws. */
export const openThreadedGateway = async (options: ThreadedOptions): Promise<ThreadedGateway> => {
  const { clock, ids, observers = [], report = () => {}, committed, ...task } = options;
  const worker = new Worker(new URL('./core.ts', import.meta.url), { workerData: task, resourceLimits });
  const core = await startCore(worker, {
    fault: report,
    committed: (works) => committed?.(works),
    answered: (facts) => {
      for (const observer of observers) observer.answered(facts);
    },
  });
  const { told, refused, refuse } = tellerOf({ clock, ids, observers });
  const receive = receiver({
    channels: [...options.channels, ...doorsOf(options.merchants ?? [], options.channels)],
    secret: core.secret,
    clock,
    ids,
    ownerOf: async () => undefined,
    answer: (endpoint, incoming) => core.read(nameOf(endpoint), readOf(endpoint, incoming)),
  });
  const app = new Hono<Reaching>();
  addEndpoints(app, { endpoints: endpoints.filter(isReadHere), receive, clock, observers });
  app.notFound(({ req, env }) =>
    passedOn(core, { request: req.raw, base: env.base }, () => told(req.raw, refused({ code: MALFORMED }))),
  );
  app.onError((error, { req }) => {
    report(error);
    return told(req.raw, refused({ code: INTERNAL, status: 500 }));
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

/** A shopper's requests are let in by the checkout that they name, which only the core can look up. */
const isReadHere = ({ operation }: Endpoint): boolean => operation.access !== 'checkout';

const nameOf = ({ operation }: Endpoint): string => `${operation.method} ${operation.path}`;

const readOf = (endpoint: Endpoint, { channel, sent, fingerprint, id, key, ...rest }: Incoming): ParsedRequest => {
  // How strict it is read is known with the channel that it is for.
  const parsed =
    channel.dispatch === undefined ? endpoint.parse?.(sent, strictnessOf(channel), traitsOf(channel)) : undefined;
  const { errors, repeats, requestId, base, at } = rest;
  return {
    entityId: channel.entityId,
    fingerprint: mayClaim(sent, key) ? fingerprint() : undefined,
    errors,
    repeats,
    requestId,
    base,
    at,
    id,
    key,
    ...(parsed === undefined ? { sent: flat(sent) } : parsedFlat(parsed)),
  };
};

type ParsedHere = ReturnType<NonNullable<Endpoint['parse']>>;

const parsedFlat = (parsed: ParsedHere) =>
  'errors' in parsed
    ? { wrong: parsed.errors }
    : // Texts alone stand in a request, under their wire names.
      { request: flat(parsed.request as Readonly<Record<string, string>>), warnings: parsed.warnings };

/** Of a page or a shopper’s form; more than any of them takes. */
const BYTES_MAX = 1024 * 1024;

type Passed = { request: Request; base: string | undefined };

const passedOn = async (core: Core, { request, base }: Passed, broken: () => Response): Promise<Response> => {
  const { method, url, headers } = request;
  const raw: RawRequest = { method, url, headers: [...headers], base };
  if (method === 'GET' || method === 'HEAD') return answerOf(await core.request(raw));
  const body = await readBytes(request, BYTES_MAX).catch(() => undefined);
  return body === undefined ? broken() : answerOf(await core.request({ ...raw, body }));
};

const answerOf = ({ status, headers, body }: Awaited<ReturnType<Core['request']>>): Response =>
  new Response(body.length === 0 ? null : Buffer.from(body), { status, headers: headers as [string, string][] });
