/**
 * The only way for the gateway to call an address supplied by somebody else.
 *
 * It connects only to the public internet, on the ports of the web, with certificates verified, and follows no
 * redirect. One deadline covers connecting, waiting and reading. The body is not needed, and little of it is read.
 */
import { lookup } from 'node:dns/promises';
import type { Agent } from 'undici';
import { type Clock, within } from '../../base/clock.ts';
import { reasonOf } from '../client/failed-call.ts';
import { ForbiddenAddress, guardedLookup, type Resolve, refusalReason, UnknownName } from './destination.ts';

export type OutgoingCall = {
  url: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** From the call to its end, ms, including the wait for a free connection. */
  timeoutMs: number;
};

/**
 * Why a call got no answer. forbidden: the address may not be called. unknown: no such host name. unreachable: no
 * connection. certificate: not valid for the name. late: no status in time. broken: the connection or the data on it.
 */
export type OutgoingFault = 'forbidden' | 'unknown' | 'unreachable' | 'certificate' | 'late' | 'broken';

export type CallOutcome =
  | { kind: 'answered'; status: number }
  /** `why` is for people, and contains nothing secret. */
  | { kind: 'failed'; fault: OutgoingFault; why: string };

export interface Outgoing {
  /** Calls once. Never rejects; a redirect counts as an answer. */
  send(call: OutgoingCall): Promise<CallOutcome>;
  /** Why this URL will not be called, as text for whoever supplied it; undefined if it will be tried. */
  refusalReason(url: string): string | undefined;
  /** Aborts calls in progress. */
  close(): Promise<void>;
}

export type OutgoingOptions = {
  clock: Clock;
  /** Allows every address and port: for tests, and for receivers in the own network. */
  allowPrivate?: boolean;
  /** Additional certificate authorities, PEM. */
  ca?: string;
  /** Resolves host names; the machine's own resolver by default. */
  resolve?: Resolve;
};

const CONNECTIONS_PER_HOST = 64;
/**
 * This much of a body is read so that its connection can be reused; a longer body is cut off and its connection closed.
 */
const BODY_MAX = 8 * 1024;
const IDLE_MS = 10_000;

/** Opens no connection yet, and loads its modules with the first call. */
export const openOutgoing = (options: OutgoingOptions): Outgoing => {
  const { clock, allowPrivate = false } = options;
  let agent: Promise<Agent> | undefined;
  let closed = false;
  const refusalReasonOf = (url: string) => refusalReason(url, allowPrivate);
  return {
    refusalReason: refusalReasonOf,
    async send(call) {
      const reason = refusalReasonOf(call.url);
      if (reason !== undefined) return { kind: 'failed', fault: 'forbidden', why: reason };
      if (closed) return { kind: 'failed', fault: 'broken', why: 'the gateway is stopping' };
      agent ??= agentOf(options, allowPrivate);
      return performCall(await agent, clock, call);
    },
    async close() {
      closed = true;
      await (await agent)?.destroy();
    },
  };
};

const agentOf = async ({ ca, resolve = systemResolve }: OutgoingOptions, allowPrivate: boolean): Promise<Agent> => {
  const { Agent } = await import('undici');
  return new Agent({
    connect: { lookup: guardedLookup(resolve, allowPrivate), rejectUnauthorized: true, allowH2: false, ca },
    allowH2: false,
    connections: CONNECTIONS_PER_HOST,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // The caller's deadline covers all of these.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
};

const systemResolve: Resolve = (name) => lookup(name, { all: true });

const LATE = new Error('no answer in time');

const performCall = async (agent: Agent, clock: Clock, call: OutgoingCall): Promise<CallOutcome> => {
  const abortController = new AbortController();
  let status: number | undefined;
  const exchange = async (): Promise<void> => {
    const answer = await agent.request({ ...requestOf(call), signal: abortController.signal });
    status = answer.statusCode;
    let read = 0;
    for await (const chunk of answer.body) {
      read += (chunk as Uint8Array).length;
      if (read > BODY_MAX) break;
    }
  };
  try {
    await within(clock, call.timeoutMs, exchange(), () => LATE);
  } catch (error) {
    abortController.abort();
    // A server that has sent the status has answered, whatever happened to the rest.
    if (status === undefined) return failureOf(error, call.timeoutMs);
  }
  return status === undefined ? failureOf(undefined, call.timeoutMs) : { kind: 'answered', status };
};

const requestOf = ({ url, method, headers, body }: OutgoingCall) => {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: `${pathname}${search}`,
    method,
    headers: { 'user-agent': 'tillgate', ...headers },
    body: body ?? null,
  };
};

const failureOf = (error: unknown, timeoutMs: number): CallOutcome => {
  if (error === LATE) return { kind: 'failed', fault: 'late', why: `no answer within ${timeoutMs / 1000} s` };
  const fault = faultOf(error);
  return { kind: 'failed', fault, why: error instanceof Error ? reasonOf(error) : 'no reason was given' };
};

const faultOf = (error: unknown, depth = 0): OutgoingFault => {
  if (!(error instanceof Error) || depth > 5) return 'broken';
  if (error instanceof ForbiddenAddress) return 'forbidden';
  if (error instanceof UnknownName) return 'unknown';
  const code = 'code' in error ? String(error.code) : '';
  if (/CERT|^UNABLE_TO_/.test(code)) return 'certificate';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'unreachable';
  if ('syscall' in error && error.syscall === 'connect') return 'unreachable';
  return error.cause === undefined ? 'broken' : faultOf(error.cause, depth + 1);
};
