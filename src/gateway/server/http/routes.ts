/** The host API's routes over HTTP (spec 4, 5, 7), in one thread or two. */
import type { Context, Hono } from 'hono';
import type { Clock } from '../../../base/clock.ts';
import type { Ids } from '../../../base/ids.ts';
import { codes as resultCodes } from '../../../base/result-codes.ts';
import type { Endpoint } from '../../payments/endpoint.ts';
import { frame, type Refusal, refusal } from '../../payments/response.ts';
import type { Observer } from './observer.ts';
import type { Receive } from './receive.ts';
import { notifyObservers, respond, type WrittenAnswer, written } from './respond.ts';

export type Teller = {
  /** The answer to a request without an endpoint, reported to the observers. */
  told(request: Request, answer: WrittenAnswer): Response;
  refused(reason: Refusal): WrittenAnswer;
  /** The answer to bytes on a connection that are not a request: 405 for a method, otherwise malformed. */
  refuse(status: number, reason: string): Response;
};

export type TellerParts = { clock: Clock; ids: Ids; observers: readonly Observer[] };

export const INTERNAL = resultCodes.platformError;
export const METHOD = resultCodes.methodInvalid;
export const MALFORMED = resultCodes.requestMalformed;
/** The request was not processed: send it again. */
const BUSY = resultCodes.throttled;

const codes: Readonly<Record<number, string>> = { 405: METHOD, 503: BUSY };

export const tellerOf = ({ clock, ids, observers }: TellerParts): Teller => {
  const refused = (reason: Refusal): WrittenAnswer => written(refusal(reason, frame('', ids.next(), clock.now())));
  return {
    refused,
    told(request, answer) {
      const requestId = ids.next();
      const { response, bytes } = respond(answer, requestId);
      notifyObservers(observers, { ...answer.facts, requestId, method: request.method, durationMs: 0, bytes });
      return response;
    },
    refuse: (status, why) => respond(refused({ code: codes[status] ?? MALFORMED, status, why }), ids.next()).response,
  };
};

export type EndpointParts = {
  endpoints: readonly Endpoint[];
  receive: Receive;
  clock: Clock;
  observers: readonly Observer[];
};

/** Passed with each request: the gateway's external address, if that is not the request's own origin. */
export type Reaching = { Bindings: { base: string | undefined } };

export const addEndpoints = (app: Hono<Reaching>, { endpoints, receive, clock, observers }: EndpointParts): void => {
  for (const endpoint of endpoints) {
    const { method, path } = endpoint.operation;
    const serve = async ({ req, env }: Context<Reaching>): Promise<Response> => {
      const startedAt = clock.monotonic();
      const { answer, requestId, entityId } = await receive(endpoint, req.raw, { id: req.param('id'), base: env.base });
      const { response, bytes } = respond(answer, requestId);
      const about = { entityId: entityId || undefined, requestId, method, endpoint: path };
      notifyObservers(observers, { ...answer.facts, ...about, durationMs: clock.monotonic() - startedAt, bytes });
      return response;
    };
    // With an empty id a path means the same as without one: clients send `POST /v1/payments/`.
    app.on(method, path.includes(':id') ? [path] : [path, `${path}/`], serve);
  }
};
