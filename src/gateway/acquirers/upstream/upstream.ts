/**
 * A channel's processor: another host API of the same specification, posted to once. An unknown result is resolved by
 * inquiry, never by posting again.
 */

import { Agent, buildConnector } from 'undici';
import type { Clock } from '../../../base/clock.ts';
import { Fault } from '../../../base/fault.ts';
import { codes } from '../../../base/result-codes.ts';
import type { Channel } from '../../channel.ts';
import { type GatewayClient, gatewayClient } from '../../client/client.ts';
import { createProvingConnector } from '../../client/failed-call.ts';
import { type Acquirer, acceptsPartialAmount, type Reference } from '../../payments/acquirer.ts';
import { followUps } from '../../payments/payments.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import { meaningOf } from '../../spec/results.ts';
import type { AcquirerMemory } from '../../store/documents.ts';
import { judgeAnswer, judgeLookup, judgeQuery, type UpstreamVerdict, unsentAnswer } from './judge.ts';
import {
  intentOf,
  isEnded,
  openRecords,
  type RecordOf,
  type UpstreamAnswer,
  type UpstreamIntent,
  type UpstreamOperation,
  type UpstreamRecords,
} from './record.ts';
import { paymentForm, paymentTypeOf, referenceForm, type UpstreamForm } from './request.ts';
import { returnOf } from './shopper-return.ts';

export type Upstream = NonNullable<Channel['upstream']>;

export type UpstreamOptions = {
  /** baseUrl is https, or a loopback address. */
  upstream: Upstream;
  /** The entityId of the channel here. */
  entityId: string;
  memory: AcquirerMemory;
  clock: Clock;
  /** Additional certificate authorities, PEM. */
  ca?: string;
};

export type UpstreamAcquirer = Acquirer & {
  /** Aborts calls in progress; they are inquired about later. */
  close(): Promise<void>;
};

const TIMEOUT_MS = 30_000;
/**
 * By its timeout a request has ended here; for this long afterwards it may still be in progress inside the processor.
 */
const GRACE_BEYOND_TIMEOUT_MS = 60_000;

/** Timeout: the result is unknown. */
const UNCERTAIN: AcquirerAnswer = { resultCode: codes.uncertain, details: {} };
/** The answer for a closed id: declined, "transaction declined by the authorisation system". */
const CLOSED: AcquirerAnswer = { resultCode: codes.acquirerStateWrong, details: {} };
const DUPLICATE: AcquirerAnswer = { resultCode: codes.duplicate, details: {} };

/**
 * The acquirer of one channel. Any number of them can share one memory, in any number of processes. Throws
 * `config.malformed` for an address to which card data must not be sent. Its operations throw what the memory throws,
 * `amount.unrepresentable`, and `host.silent` if nothing was sent and nothing is known.
 */
export const upstreamAcquirer = (options: UpstreamOptions): UpstreamAcquirer => {
  const { upstream, entityId, memory, clock, ca } = options;
  const { baseUrl, timeoutMs = TIMEOUT_MS } = upstream;
  refuseUnsafe(baseUrl);
  const line = openLine({ timeoutMs, ca });
  const { fetch } = line;
  const host = gatewayClient({ ...upstream, fetch, clock, timeoutMs, redirects: 'doubted' });
  const records = openRecords(memory);
  const inquire = inquirer({ host, records, clock, graceMs: timeoutMs + GRACE_BEYOND_TIMEOUT_MS });
  const transaction: UpstreamContext = { host, records, clock, inquire };
  return {
    authorise: (request) => {
      const { id, paymentType, amount } = request;
      const partial = acceptsPartialAmount(request) || undefined;
      const intent: UpstreamIntent = { ...intentOf(entityId, paymentType, amount), partial };
      const returnAddress = returnOf(request);
      const form = paymentForm(request, returnAddress?.page);
      return post(transaction, { id, intent, path: 'v1/payments', form, returnTo: returnAddress?.to });
    },
    refer: (request) => refer(transaction, entityId, request),
    inquire,
    close: () => line.close(),
  };
};

type UpstreamContext = { host: GatewayClient; records: UpstreamRecords; clock: Clock; inquire: Acquirer['inquire'] };
type OperationRequest = { id: string; intent: UpstreamIntent; path: string; form: UpstreamForm; returnTo?: string };

/** Records, sends, records the answer, answers. */
const post = async (
  { host, records, clock }: UpstreamContext,
  { id, intent, path, form, returnTo }: OperationRequest,
): Promise<AcquirerAnswer> => {
  const newRecord: UpstreamOperation = { kind: 'operation', at: clock.now(), intent, returnTo };
  const existing = await records.begin(id, newRecord);
  if (existing !== undefined) return repeatAnswer(existing, intent);
  const verdict = judgeAnswer(await host.post(path, form, id), { ...intent, id });
  // Nothing more to record: the operation is already marked as possibly sent.
  if (verdict.kind === 'unknown' || verdict.kind === 'notFound') return UNCERTAIN;
  const answer: UpstreamAnswer = verdict.kind === 'unsent' ? { answer: unsentAnswer(verdict.why) } : verdict;
  const current = await records.recordAnswer(id, answer);
  if (current.kind === 'operation') return current.answer ?? UNCERTAIN;
  const { resultCode } = answer.answer;
  throw new Fault('host.silent', { why: `${resultCode} for ${id} came after its id had been closed` });
};

const repeatAnswer = (existing: RecordOf, intent: UpstreamIntent): AcquirerAnswer => {
  if (existing.kind === 'closed') return CLOSED;
  const isSame = (Object.keys({ ...intent, ...existing.intent }) as (keyof UpstreamIntent)[]).every(
    (name) => intent[name] === existing.intent[name],
  );
  return isSame ? (existing.answer ?? UNCERTAIN) : DUPLICATE;
};

/**
 * Sends a follow-up of an earlier operation by the processor's id; if that operation was uncertain, queries it first.
 */
const refer = async (transaction: UpstreamContext, entityId: string, request: Reference): Promise<AcquirerAnswer> => {
  const { id, of, operation, amount } = request;
  const type = paymentTypeOf[operation];
  const form = referenceForm(request);
  const intent = { ...intentOf(entityId, type, amount), of };
  const existing = await transaction.records.read(id);
  if (existing !== undefined) return repeatAnswer(existing, intent);
  const target = await targetOf(transaction, request);
  if (target === undefined) return { resultCode: followUps[type].missingCode, details: {} };
  return post(transaction, { id, intent, path: `v1/payments/${target}`, form });
};

/** The processor's id of the followed operation; undefined if there is none. */
const targetOf = async (
  transaction: UpstreamContext,
  { of, parent, operation }: Reference,
): Promise<string | undefined> => {
  const parentRecord = parent === undefined || parent === of ? undefined : await resolveOperation(transaction, parent);
  if (parentRecord?.upstreamId !== undefined) return parentRecord.upstreamId;
  const start = await resolveOperation(transaction, of);
  const { capture, chargeback } = start?.last ?? {};
  if (operation === 'chargebackReversal') return chargeback;
  if (operation === 'refund' || operation === 'chargeback') return capture ?? start?.upstreamId;
  return start?.upstreamId;
};

const resolveOperation = async (
  { records, inquire }: UpstreamContext,
  id: string,
): Promise<UpstreamOperation | undefined> => {
  const initial = await records.read(id);
  if (initial?.kind !== 'operation' || initial.upstreamId !== undefined || isEnded(initial))
    return operationOf(initial);
  await inquire(id, initial.at);
  return operationOf(await records.read(id));
};

const operationOf = (record: RecordOf | undefined): UpstreamOperation | undefined =>
  record?.kind === 'operation' ? record : undefined;

/** Card data leaves this machine only over TLS. */
const refuseUnsafe = (baseUrl: string): void => {
  const refuse = (reason: string) => new Fault('config.malformed', { file: 'of a channel’s upstream', why: reason });
  if (!URL.canParse(baseUrl)) throw refuse('its baseUrl is not a URL');
  const { protocol, hostname, username, search, hash } = new URL(baseUrl);
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback)) throw refuse('its baseUrl is not https');
  if (username !== '' || search !== '' || hash !== '') throw refuse('its baseUrl has more than a host and a path');
};

// Finds the outcome of an operation at the processor: by inquiry, never by posting.

type Options = {
  host: GatewayClient;
  records: UpstreamRecords;
  clock: Clock;
  /** For this long after the start of an operation, "not found" and uncertain results are not believed. */
  graceMs: number;
};

/**
 * The acquirer's `inquire`. A known ending is returned without a query. An id without any record is closed: nothing was
 * sent, and nothing will be. "Not found" closes it only after the grace period.
 */
const inquirer = ({ host, records, clock, graceMs }: Options): Acquirer['inquire'] => {
  const queryProcessor = async (id: string, { intent, upstreamId }: UpstreamOperation): Promise<UpstreamVerdict> => {
    if (upstreamId === undefined) {
      return judgeQuery(await host.get('v1/query', { merchantTransactionId: id }), { ...intent, id });
    }
    return judgeLookup(await host.get(`v1/payments/${upstreamId}`), { ...intent, id, upstreamId });
  };

  return async (id, startedAt) => {
    const stored = (await records.read(id)) ?? (await records.close(id, 'unsent'));
    if (stored.kind === 'closed' || isEnded(stored)) return recordedAnswer(stored);
    const verdict = await queryProcessor(id, stored);
    const isRecent = clock.now() < Math.max(startedAt, stored.at) + graceMs;
    if (verdict.kind === 'said') {
      const { resultCode } = verdict.answer;
      if (isRecent && meaningOf(resultCode) === 'unknown') throw silentFault(`its result is uncertain: ${resultCode}`);
      return recordedAnswer(await records.recordAnswer(id, verdict));
    }
    if (verdict.kind === 'notFound' && stored.upstreamId === undefined && !isRecent) {
      return recordedAnswer(await records.close(id, 'unanswered'));
    }
    throw silentFault(verdict.kind === 'notFound' ? 'not found, but it may still be on its way' : verdict.why);
  };
};

const recordedAnswer = (record: RecordOf) => (record.kind === 'operation' ? record.answer : undefined);

const silentFault = (reason: string): Fault => new Fault('host.silent', { why: reason });

type Line = {
  /**
   * Sends the request once and reads the whole answer; a redirect counts as an answer. Rejects with `host.unreachable`
   * if no connection was established, so that no byte of the request was written; after any other error the outcome is
   * unknown.
   */
  fetch(request: Request): Promise<Response>;
  /** Resolves when the connections are closed. Aborts calls in progress. */
  close(): Promise<void>;
};

export type LineOptions = {
  /** Limit for the headers and for the body of an answer each, ms. The caller's own timeout ends a call earlier. */
  timeoutMs: number;
  /** Additional certificate authorities, PEM: a processor's own. */
  ca?: string;
};

/** Time limit for connecting; a handshake that hangs is a certain failure. */
const CONNECT_WITHIN_MS = 5_000;
const CONNECTIONS = 16;
const ANSWER_MAX = 1024 * 1024;
/** Statuses without a body: the Response constructor refuses one. */
const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** The line to the processor; it opens no connection yet. Certificates are verified whatever the environment says. */
export const openLine = ({ timeoutMs, ca }: LineOptions): Line => {
  const agent = new Agent({
    connect: createProvingConnector(connectorOf(ca)),
    connections: CONNECTIONS,
    // One request at a time on a connection: a broken connection takes no other request with it, and none is sent
    // again.
    pipelining: 1,
    allowH2: false,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: ANSWER_MAX,
  });
  return {
    async fetch(request) {
      const { origin, pathname, search } = new URL(request.url);
      const answer = await agent.request({
        origin,
        path: `${pathname}${search}`,
        method: request.method === 'GET' ? 'GET' : 'POST',
        headers: Object.fromEntries(request.headers),
        body: request.method === 'GET' ? null : await request.text(),
        signal: request.signal,
      });
      const bytes = await answer.body.arrayBuffer();
      return new Response(BODYLESS.has(answer.statusCode) ? null : bytes, { status: answer.statusCode });
    },
    close: () => agent.destroy(),
  };
};

/** Verifies certificates. */
const connectorOf = (ca: string | undefined): buildConnector.connector =>
  buildConnector({ timeout: CONNECT_WITHIN_MS, allowH2: false, rejectUnauthorized: true, ca });
