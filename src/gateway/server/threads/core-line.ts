/** The edge's connection to the core: sends requests, matches answers, and passes on events. */
import type { Worker } from 'node:worker_threads';
import { errorText, Fault } from '../../../base/fault.ts';
import type { RequestFacts } from '../http/observer.ts';
import type { WrittenAnswer } from '../http/respond.ts';
import {
  createBatcher,
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
  onFault: (error: unknown) => void;
  onCommit: (workCount: number) => void;
  onAnswer: (facts: RequestFacts) => void;
};

type Waiting = { resolve(reply: ThreadReply): void; reject(error: Error): void };
/** A request before it gets its correlation id. */
type CoreRequest = ThreadRequest extends infer Each ? (Each extends ThreadRequest ? Omit<Each, 'call'> : never) : never;

/** Resolves when the gateway in the thread is open; rejects with the reason if it cannot be opened. */
export const startCore = async (worker: Worker, listeners: CoreListeners): Promise<Core> => {
  const waiting = new Map<number, Waiting>();
  const ready = Promise.withResolvers<Uint8Array>();
  const failed = Promise.withResolvers<never>();
  // Every waiting caller is rejected anyway; nobody has to watch this promise as well.
  failed.promise.catch(() => {});
  let closing = false;
  let endFault: Fault | undefined;
  const handleReply = createReplyHandler({ waiting, listeners, opened: ready });
  worker.on('message', (messages: readonly ThreadReply[]) => {
    for (const reply of messages) handleReply(reply);
  });
  const endWorker = (reason: string): void => {
    const fault = new Fault('gateway.state', { why: reason });
    endFault = fault;
    ready.reject(fault);
    for (const { reject } of waiting.values()) reject(fault);
    waiting.clear();
    if (!closing) failed.reject(fault);
  };
  worker.on('error', (error) => endWorker(errorText(error)));
  worker.on('exit', () => endWorker('its core has ended'));

  const post = createBatcher<ThreadRequest>((messages) => worker.postMessage(messages));
  let count = 0;
  const request = (question: CoreRequest): Promise<ThreadReply> =>
    new Promise((resolve, reject) => {
      if (endFault !== undefined) return reject(endFault);
      count += 1;
      waiting.set(count, { resolve, reject });
      post({ ...question, call: count } as ThreadRequest);
    });
  try {
    const secret = await ready.promise;
    return {
      secret,
      read: async (endpoint, read) => expectReply('written', await request({ kind: 'read', endpoint, read })).written,
      request: async (raw) => expectReply('response', await request({ kind: 'request', request: raw })).response,
      ping: async () => void (await request({ kind: 'ping' })),
      tryWrite: async () => void (await request({ kind: 'tryWrite' })),
      async close() {
        closing = true;
        await request({ kind: 'close' });
        await worker.terminate();
      },
      failed: failed.promise,
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
};

const expectReply = <K extends ThreadReply['kind']>(kind: K, reply: ThreadReply): Extract<ThreadReply, { kind: K }> => {
  if (reply.kind !== kind) throw new TypeError(`the core answered ${reply.kind} to ${kind}`);
  return reply as Extract<ThreadReply, { kind: K }>;
};

type ReplyContext = {
  waiting: Map<number, Waiting>;
  listeners: CoreListeners;
  opened: { resolve(secret: Uint8Array): void; reject(error: Error): void };
};

const createReplyHandler =
  ({ waiting, listeners, opened }: ReplyContext) =>
  (reply: ThreadReply): void => {
    switch (reply.kind) {
      case 'open':
        opened.resolve(reply.secret);
        break;
      case 'shut':
        opened.reject(errorOf(reply.failure));
        break;
      case 'fault':
        listeners.onFault(errorOf(reply.failure));
        break;
      case 'committed':
        listeners.onCommit(reply.workCount);
        break;
      case 'answered':
        listeners.onAnswer(reply.facts);
        break;
      default:
        settleReply(waiting, reply);
    }
  };

const settleReply = (waiting: Map<number, Waiting>, reply: ThreadReply & { call: number }): void => {
  const caller = waiting.get(reply.call);
  waiting.delete(reply.call);
  if (reply.kind === 'failed') caller?.reject(errorOf(reply.failure));
  else caller?.resolve(reply);
};
