/**
 * The one way for the gateway to call an address that somebody else gave it.
 *
 * It goes to the public network only, on the ports of the web, with certificates verified, and follows no redirect. A
 * deadline bounds connecting, waiting and reading together; of the body nothing is needed, and little is read.
 */
import { lookup } from 'node:dns/promises';
import type { Agent } from 'undici';
import { type Clock, within } from '../../base/clock.ts';
import { reasonOf } from '../client/failed-call.ts';
import { ForbiddenAddress, guardedLookup, type Resolve, UnknownName, whyRefused } from './destination.ts';

export type OutgoingCall = {
  url: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** From the call to its end, ms: a line that must wait for a free connection waits within it. */
  timeoutMs: number;
};

/**
 * What kept a call from being answered. forbidden: the address is none that is called. unknown: no such name.
 * unreachable: no connection. certificate: not the one that the name stands for. late: no status within the time.
 * broken: the line, or what came over it.
 */
export type OutgoingFault = 'forbidden' | 'unknown' | 'unreachable' | 'certificate' | 'late' | 'broken';

export type CallOutcome =
  | { kind: 'answered'; status: number }
  /** `why` is for people, and holds nothing secret. */
  | { kind: 'failed'; fault: OutgoingFault; why: string };

export interface Outgoing {
  /** Calls once. Never rejects; a redirect is an answer like others. */
  send(call: OutgoingCall): Promise<CallOutcome>;
  /** Why no such URL will be called, in words for whoever gave it; undefined when it will be tried. */
  whyRefused(url: string): string | undefined;
  /** Cuts what is under way. */
  close(): Promise<void>;
}

export type OutgoingOptions = {
  clock: Clock;
  /** Lets it go anywhere, on any port: for tests, and for receivers in the own network. */
  allowPrivate?: boolean;
  /** Further certificate authorities, PEM. */
  ca?: string;
  /** What a name stands for; the machine's own way of knowing unless told. */
  resolve?: Resolve;
};

const CONNECTIONS_PER_HOST = 64;
/** So much of a body is read, that its connection may serve again; a longer one is cut off, with its connection. */
const BODY_MAX = 8 * 1024;
const IDLE_MS = 10_000;

/** Opens no connection yet, and loads what it needs with the first call. */
export const openOutgoing = (options: OutgoingOptions): Outgoing => {
  const { clock, allowPrivate = false } = options;
  let agent: Promise<Agent> | undefined;
  let closed = false;
  const refusal = (url: string) => whyRefused(url, allowPrivate);
  return {
    whyRefused: refusal,
    async send(call) {
      const why = refusal(call.url);
      if (why !== undefined) return { kind: 'failed', fault: 'forbidden', why };
      if (closed) return { kind: 'failed', fault: 'broken', why: 'the gateway is stopping' };
      agent ??= agentOf(options, allowPrivate);
      return calling(await agent, clock, call);
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
    // The caller's deadline is over all of them.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
};

const systemResolve: Resolve = (name) => lookup(name, { all: true });

const LATE = new Error('no answer in time');

const calling = async (agent: Agent, clock: Clock, call: OutgoingCall): Promise<CallOutcome> => {
  const cut = new AbortController();
  let status: number | undefined;
  const ask = async (): Promise<void> => {
    const answer = await agent.request({ ...requestOf(call), signal: cut.signal });
    status = answer.statusCode;
    let read = 0;
    for await (const chunk of answer.body) {
      read += (chunk as Uint8Array).length;
      if (read > BODY_MAX) break;
    }
  };
  try {
    await within(clock, call.timeoutMs, ask(), () => LATE);
  } catch (error) {
    cut.abort();
    // Whoever has told the status has answered, whatever became of the rest.
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
