/** The host API over HTTP (spec 4, 5, 7): Request in, Response out. */
import { createHmac, createSecretKey } from 'node:crypto';
import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { Clock } from '../../../base/clock.ts';
import { type Ids, type Random, systemRandom } from '../../../base/ids.ts';
import { codes } from '../../../base/result-codes.ts';
import { createWakeSignal } from '../../background-jobs.ts';
import { type Channel, type Merchant, merchantChannels } from '../../channel.ts';
import { type Outgoing, openOutgoing } from '../../outgoing/outgoing.ts';
import type { Acquirer } from '../../payments/acquirer.ts';
import type { Gateway } from '../../payments/endpoint.ts';
import { createProcessing } from '../../payments/processing.ts';
import type { ApiOperation } from '../../spec/operation.ts';
import { resultCodes } from '../../spec/results.ts';
import type { Store } from '../../store/store.ts';
import type { Vault } from '../../vault/vault.ts';
import { addNotification } from '../../webhooks/notification-url.ts';
import { endpoints } from '../all-endpoints.ts';
import { answerDispatched } from '../dispatch.ts';
import type { Observer } from './observer.ts';
import { createReceiver } from './receive.ts';
import { writeAnswer } from './respond.ts';
import { type AppEnvironment, addEndpoints, createResponder, INTERNAL, METHOD, type Responder } from './routes.ts';
import { securityHeaders } from './security-headers.ts';
import { createOwnerFinder } from './shopper.ts';

export type GatewayAppOptions = {
  store: Store;
  acquirer: Acquirer;
  vault: Vault;
  channels: readonly Channel[];
  /** Merchant entities, each with rules that lead to channels. */
  merchants?: readonly Merchant[];
  clock: Clock;
  ids: Ids;
  /** The key of request fingerprints: 32 bytes that outlive the process and are stored apart from the database. */
  secret: Uint8Array;
  /** How long a request waits for the acquirer. */
  patienceMs?: number;
  /** Calls addresses supplied by others; by default only on the public internet. Its owner closes it. */
  outgoing?: Outgoing;
  random?: Random;
  /** Called with internal errors; they never reach a client. */
  report?: (error: unknown) => void;
  observers?: readonly Observer[];
  /** Pages that are not part of the host API: those of the simulated bank, where a shopper decides. */
  pages?: readonly { path: string; handle: (request: Request) => Promise<Response> }[];
};

export type GatewayApp = {
  /**
   * Never rejects: an internal error is an answer with status 500 and result code 999.999.888. `base` is the gateway's
   * external address, `https://host/path`; by default the request's own origin.
   */
  fetch(request: Request, base?: string): Promise<Response>;
  refuse: Responder['refuse'];
  /** The services of the operations, for work that was not requested over HTTP. */
  gateway: Gateway;
  /** Resolves when the payments that an earlier process left open are ended. Requests wait for it too. */
  ready: Promise<void>;
  /** Waits for requests in progress. The store's owner closes the store. */
  close(): Promise<void>;
};

const operations = endpoints.map(({ operation }) => operation);

const PATIENCE_MS = 30_000;

export const gatewayApp = (options: GatewayAppOptions): GatewayApp => {
  const { clock, ids, report = () => {}, observers = [] } = options;
  const work = createProcessing({ ...options, patienceMs: options.patienceMs ?? PATIENCE_MS, report });
  const gateway = gatewayOf(options, work);
  const receive = createReceiver({
    ...options,
    channels: [...options.channels, ...merchantChannels(options.merchants ?? [], options.channels)],
    ownerOf: createOwnerFinder(options.store, options.channels),
    answer: async (endpoint, incoming) => writeAnswer(await answerDispatched(endpoint, gateway, incoming)),
  });
  const ready = work.recover();
  // Otherwise a failed start would end the process before a request has asked for it.
  ready.catch(() => {});

  const { respondTo, writeRefusal, refuse } = createResponder({ clock, ids, observers });

  // Hono would select it too, after finding out with much work that other routers cannot handle these paths.
  const app = new Hono<AppEnvironment>({ router: new TrieRouter() });
  addEndpoints(app, { endpoints, receive, clock, observers });
  app.get('/v1/resultcodes', ({ req }) => respondTo(req.raw, writeAnswer({ status: 200, body: { resultCodes } })));
  addDocuments(app, operations);
  for (const { path, handle } of options.pages ?? []) app.all(path, ({ req }) => handle(req.raw));
  refuseOtherMethods(app, (request, allow) =>
    respondTo(request, writeRefusal({ code: METHOD, status: 405, headers: { allow } })),
  );
  app.notFound(({ req }) => respondTo(req.raw, writeRefusal({ code: codes.entityNotFound, status: 404 })));
  app.onError((error, { req }) => {
    report(error);
    return respondTo(req.raw, writeRefusal({ code: INTERNAL, status: 500 }));
  });

  return {
    async fetch(request, base) {
      try {
        await ready;
      } catch (error) {
        report(error);
        return respondTo(request, writeRefusal({ code: INTERNAL, status: 500 }));
      }
      return app.fetch(request, { base });
    },
    refuse,
    gateway,
    ready,
    close: () => work.whenIdle(),
  };
};

const gatewayOf = (options: GatewayAppOptions, work: Gateway['processing']): Gateway => {
  const { store, acquirer, vault, clock, ids, secret, random = systemRandom } = options;
  const { outgoing = openOutgoing({ clock }) } = options;
  const key = createSecretKey(secret);
  const hashOf = (text: string): string => createHmac('sha256', key).update(text).digest('hex');
  const signals = {
    signal: createWakeSignal(),
    checkoutSignal: createWakeSignal(),
    scheduleSignal: createWakeSignal(),
  };
  return {
    random,
    store,
    acquirer,
    vault,
    clock,
    ids,
    hash: hashOf,
    processing: work,
    outgoing,
    addNotification,
    ...signals,
  };
};

/** Refuses existing paths with a method that they do not have. */
const refuseOtherMethods = (app: Hono<AppEnvironment>, refuse: (request: Request, allow: string) => Response): void => {
  const documented = [...operations, { method: 'GET', path: '/v1/resultcodes' }];
  for (const [path, sameMethods] of Map.groupBy(documented, (operation) => operation.path)) {
    const allow = sameMethods.map(({ method }) => method).join(', ');
    app.all(path, ({ req }) => refuse(req.raw, allow));
  }
};

// The descriptions of the API, made from its tables: /openapi.json for tools, /docs for people.

/** Both are made at the first request, and their code is loaded then. */
const addDocuments = (app: Hono<AppEnvironment>, operations: readonly ApiOperation[]): void => {
  const openApi = cacheResult(async () => {
    const { openApiOf } = await import('../documents/openapi.ts');
    return JSON.stringify(openApiOf(operations, { title: 'Tillgate host API', version: '1' }));
  });
  const reference = cacheResult(async () => {
    const { referenceHeaders, referencePage } = await import('../documents/reference.ts');
    return { text: referencePage(operations), headers: referenceHeaders };
  });
  app.get('/openapi.json', async () => {
    const headers = { ...securityHeaders, 'content-type': 'application/json;charset=UTF-8' };
    return new Response(await openApi(), { headers });
  });
  app.get('/docs', async () => {
    const { text, headers } = await reference();
    return new Response(text, { headers: { ...securityHeaders, ...headers } });
  });
};

const cacheResult = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let promise: Promise<T> | undefined;
  return () => {
    promise ??= make();
    return promise;
  };
};
