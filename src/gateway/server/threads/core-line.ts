/** The edge's connection to the core: sends requests, matches answers, and passes on events. */
import type { Worker } from 'node:worker_threads';
import { Fault, wordsOf } from '../../../base/fault.ts';
import type { RequestFacts } from '../http/observer.ts';
import type { WrittenAnswer } from '../http/respond.ts';
import {
  batched,
  errorOf,
  type ParsedRequest,
  type RawRequest,
  type RawResponse,
  type ThreadReply,
  type ThreadRequest,
} from './messages.ts';

export type Core = {
  /** The key of request fingerprints. */
  secret: Uint8Array;
  read(endpoint: string, read: ParsedRequest): Promise<WrittenAnswer>;
  request(request: RawRequest): Promise<RawResponse>;
  ping(): Promise<void>;
  tryWrite(): Promise<void>;
  /** Closes the gateway and ends the thread. */
  close(): Promise<void>;
  /** Rejects when the thread has ended by itself. */
  failed: Promise<never>;
};

/** Receive events from the core. */
export type CoreListeners = {
  fault: (error: unknown) => void;
  committed: (works: number) => void;
  answered: (facts: RequestFacts) => void;
};

type Waiting = { resolve(reply: ThreadReply): void; reject(error: Error): void };
/** A request before it gets its correlation id. */
type Question = ThreadRequest extends infer Each ? (Each extends ThreadRequest ? Omit<Each, 'call'> : never) : never;

/** Resolves when the gateway in the thread is open. Throws why it is not. */
export const startCore = async (worker: Worker, listeners: CoreListeners): Promise<Core> => {
  const waiting = new Map<number, Waiting>();
  const opened = Promise.withResolvers<Uint8Array>();
  const failed = Promise.withResolvers<never>();
  // Every waiting caller is rejected anyway; nobody has to watch this promise as well.
  failed.promise.catch(() => {});
  let closing = false;
  let ended: Fault | undefined;
  const hear = hearing({ waiting, listeners, opened });
  worker.on('message', (messages: readonly ThreadReply[]) => {
    for (const reply of messages) hear(reply);
  });
  const over = (reason: string): void => {
    const fault = new Fault('gateway.state', { why: reason });
    ended = fault;
    opened.reject(fault);
    for (const { reject } of waiting.values()) reject(fault);
    waiting.clear();
    if (!closing) failed.reject(fault);
  };
  worker.on('error', (error) => over(wordsOf(error)));
  worker.on('exit', () => over('its core has ended'));

  const post = batched<ThreadRequest>((messages) => worker.postMessage(messages));
  let count = 0;
  const ask = (question: Question): Promise<ThreadReply> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended);
      count += 1;
      waiting.set(count, { resolve, reject });
      post({ ...question, call: count } as ThreadRequest);
    });
  try {
    const secret = await opened.promise;
    return {
      secret,
      read: async (endpoint, read) => as('written', await ask({ kind: 'read', endpoint, read })).written,
      request: async (request) => as('response', await ask({ kind: 'request', request })).response,
      ping: async () => void (await ask({ kind: 'ping' })),
      tryWrite: async () => void (await ask({ kind: 'tryWrite' })),
      async close() {
        closing = true;
        await ask({ kind: 'close' });
        await worker.terminate();
      },
      failed: failed.promise,
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
};

const as = <K extends ThreadReply['kind']>(kind: K, reply: ThreadReply): Extract<ThreadReply, { kind: K }> => {
  if (reply.kind !== kind) throw new TypeError(`the core answered ${reply.kind} to ${kind}`);
  return reply as Extract<ThreadReply, { kind: K }>;
};

type Hearing = {
  waiting: Map<number, Waiting>;
  listeners: CoreListeners;
  opened: { resolve(secret: Uint8Array): void; reject(error: Error): void };
};

const hearing =
  ({ waiting, listeners, opened }: Hearing) =>
  (reply: ThreadReply): void => {
    switch (reply.kind) {
      case 'open':
        opened.resolve(reply.secret);
        break;
      case 'shut':
        opened.reject(errorOf(reply.failure));
        break;
      case 'fault':
        listeners.fault(errorOf(reply.failure));
        break;
      case 'committed':
        listeners.committed(reply.works);
        break;
      case 'answered':
        listeners.answered(reply.facts);
        break;
      default:
        settle(waiting, reply);
    }
  };

const settle = (waiting: Map<number, Waiting>, reply: ThreadReply & { call: number }): void => {
  const asker = waiting.get(reply.call);
  waiting.delete(reply.call);
  if (reply.kind === 'failed') asker?.reject(errorOf(reply.failure));
  else asker?.resolve(reply);
};
