/** The host API's routes over HTTP (spec 4, 5, 7), in one thread or two. */
import type { Context, Hono } from 'hono';
import type { Clock } from '../../../base/clock.ts';
import type { Ids } from '../../../base/ids.ts';
import { codes as resultCodes } from '../../../base/result-codes.ts';
import type { Endpoint } from '../../payments/endpoint.ts';
import { answerFrame, type Refusal, refuseWith } from '../../payments/response.ts';
import type { Observer } from './observer.ts';
import type { Receive } from './receive.ts';
import { notifyObservers, respond, type WrittenAnswer, writeAnswer } from './respond.ts';

export type Responder = {
  /** The answer to a request without an endpoint, reported to the observers. */
  respondTo(request: Request, answer: WrittenAnswer): Response;
  writeRefusal(reason: Refusal): WrittenAnswer;
  /** The answer to bytes on a connection that are not a request: 405 for a method, otherwise malformed. */
  refuse(status: number, reason: string): Response;
};

export type ResponderParts = { clock: Clock; ids: Ids; observers: readonly Observer[] };

export const INTERNAL = resultCodes.platformError;
export const METHOD = resultCodes.methodInvalid;
export const MALFORMED = resultCodes.requestMalformed;
/** The request was not processed: send it again. */
const BUSY = resultCodes.throttled;

const codes: Readonly<Record<number, string>> = { 405: METHOD, 503: BUSY };

export const createResponder = ({ clock, ids, observers }: ResponderParts): Responder => {
  const writeRefusal = (reason: Refusal): WrittenAnswer =>
    writeAnswer(refuseWith(reason, answerFrame('', ids.next(), clock.now())));
  return {
    writeRefusal,
    respondTo(request, answer) {
      const requestId = ids.next();
      const { response, bytes } = respond(answer, requestId);
      notifyObservers(observers, { ...answer.facts, requestId, method: request.method, durationMs: 0, bytes });
      return response;
    },
    refuse: (status, why) =>
      respond(writeRefusal({ code: codes[status] ?? MALFORMED, status, why }), ids.next()).response,
  };
};

export type EndpointParts = {
  endpoints: readonly Endpoint[];
  receive: Receive;
  clock: Clock;
  observers: readonly Observer[];
};

/** Passed with each request: the gateway's external address, if that is not the request's own origin. */
export type AppEnvironment = { Bindings: { base: string | undefined } };

export const addEndpoints = (
  app: Hono<AppEnvironment>,
  { endpoints, receive, clock, observers }: EndpointParts,
): void => {
  for (const endpoint of endpoints) {
    const { method, path } = endpoint.operation;
    const serve = async ({ req, env }: Context<AppEnvironment>): Promise<Response> => {
      const startedAt = clock.monotonic();
      const { answer, requestId, entityId } = await receive(endpoint, req.raw, { id: req.param('id'), base: env.base });
      const { response, bytes } = respond(answer, requestId);
      const requestFacts = { entityId: entityId || undefined, requestId, method, endpoint: path };
      notifyObservers(observers, {
        ...answer.facts,
        ...requestFacts,
        durationMs: clock.monotonic() - startedAt,
        bytes,
      });
      return response;
    };
    // With an empty id a path means the same as without one: clients send `POST /v1/payments/`.
    app.on(method, path.includes(':id') ? [path] : [path, `${path}/`], serve);
  }
};
