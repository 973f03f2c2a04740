/** The core's thread: opens the gateway and processes the requests that the edge has read. Started by `edge.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock as clock } from '../../../base/clock.ts';
import { systemIds as ids, systemRandom as random } from '../../../base/ids.ts';
import { merchantChannels } from '../../channel.ts';
import type { Incoming } from '../../payments/endpoint.ts';
import type { Parsed } from '../../spec/parameters/parser.ts';
import { endpoints } from '../all-endpoints.ts';
import { answerDispatched } from '../dispatch.ts';
import { type Embedded, openGateway } from '../embedded.ts';
import { type WrittenAnswer, writeAnswer } from '../http/respond.ts';
import {
  type CoreTask,
  createBatcher,
  failureOf,
  type ParsedRequest,
  type RawRequest,
  type RawResponse,
  type ThreadReply,
  type ThreadRequest,
  unflatten,
} from './messages.ts';

/**
 * The maximum number of transactions in one group. With all requests in progress in one group, each thread would wait
 * for the other in turn.
 */
const GROUP = 24;

const task = workerData as CoreTask;
const notify = createBatcher<ThreadReply>((messages) => parentPort?.postMessage(messages));

const byName = new Map(endpoints.map((each) => [`${each.operation.method} ${each.operation.path}`, each]));
const allChannels = [...task.channels, ...merchantChannels(task.merchants ?? [], task.channels)];
const channels = new Map(allChannels.map((channel) => [channel.entityId, channel]));
const unknownChannel = { entityId: '', token: '' };
const noParameters: Incoming['sent'] = Object.create(null);

const readParsed = (read: ParsedRequest): Parsed<unknown> | undefined => {
  if ('request' in read) return { request: unflatten(read.request), warnings: read.warnings };
  return 'wrong' in read ? { errors: read.wrong } : undefined;
};

const incomingOf = (read: ParsedRequest): Incoming => {
  const { entityId, fingerprint, id, key, errors, repeats, requestId, base, at } = read;
  const parsed = readParsed(read);
  return {
    channel: channels.get(entityId) ?? unknownChannel,
    sent: 'sent' in read ? unflatten(read.sent) : noParameters,
    parsed,
    id,
    errors,
    repeats,
    fingerprint: () => {
      if (fingerprint === undefined) throw new TypeError('a request without a claim has no fingerprint');
      return fingerprint;
    },
    key,
    requestId,
    base,
    at,
  };
};

const carryOut = async ({ gateway }: Embedded, name: string, read: ParsedRequest): Promise<WrittenAnswer> => {
  const endpoint = byName.get(name);
  if (endpoint === undefined) throw new TypeError(`there is no endpoint ${name}`);
  return writeAnswer(await answerDispatched(endpoint, gateway, incomingOf(read)));
};

/**
 * The platform cannot construct requests with these methods, and a route only needs the fact that the method differs.
 */
const forbiddenMethods = new Set(['CONNECT', 'TRACE', 'TRACK']);

const answerRaw = async (app: Embedded, { method, url, headers, body, base }: RawRequest): Promise<RawResponse> => {
  const appRequest = new Request(url, {
    method: forbiddenMethods.has(method.toUpperCase()) ? 'POST' : method,
    headers: headers as [string, string][],
    body: body && Buffer.from(body),
  });
  if (appRequest.method !== method) Object.defineProperty(appRequest, 'method', { value: method });
  const response = await app.fetch(appRequest, base);
  return {
    status: response.status,
    headers: [...response.headers],
    body: new Uint8Array(await response.arrayBuffer()),
  };
};

const answer = async (app: Embedded, request: ThreadRequest): Promise<void> => {
  const { call } = request;
  try {
    if (request.kind === 'read')
      notify({ kind: 'written', call, written: await carryOut(app, request.endpoint, request.read) });
    if (request.kind === 'request') notify({ kind: 'response', call, response: await answerRaw(app, request.request) });
    if (request.kind === 'ping') await app.store.ping();
    if (request.kind === 'tryWrite') await app.store.tryWrite();
    if (request.kind === 'close') await app.close();
    if (request.kind !== 'read' && request.kind !== 'request') notify({ kind: 'done', call });
  } catch (error) {
    notify({ kind: 'failed', call, failure: failureOf(error) });
  }
};

const open = async (): Promise<void> => {
  try {
    const { group = GROUP, ...options } = task;
    const app = await openGateway({
      ...options,
      clock,
      ids,
      random,
      report: (error) => notify({ kind: 'fault', failure: failureOf(error) }),
      observers: [{ onAnswer: (facts) => notify({ kind: 'answered', facts }) }],
      storeOptions: { onCommit: (workCount) => notify({ kind: 'committed', workCount }), group },
    });
    parentPort?.on('message', (messages: readonly ThreadRequest[]) => {
      for (const request of messages) void answer(app, request);
    });
    notify({ kind: 'open', secret: app.secret });
  } catch (error) {
    notify({ kind: 'shut', failure: failureOf(error) });
  }
};

await open();
