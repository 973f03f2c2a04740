/** An owner's command as a client of the till that works on a folder, typed by the till's own routes. */

import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { hc } from 'hono/client';
import { type Clock, pause, systemClock, within } from '../base/clock.ts';
import { systemCode } from '../base/system-error-text.ts';
import type { OwnerApi, OwnerStatus, StopProgress } from './api.ts';
import { findSocket } from './place.ts';

export type OwnerClient = {
  status(signal?: AbortSignal): Promise<OwnerStatus>;
  /**
   * Asks the till to stop gracefully, and reports its progress. Resolves when the till's process has closed the
   * connection; `closed` tells whether it had reported that everything is closed.
   */
  stop(listener: (underWay: number) => void): Promise<{ closed: boolean }>;
};

/** `now`: the till's status when it was found. */
export type FoundOwner = OwnerClient & { socket: string; now: OwnerStatus };

const ANSWER_MS = 10_000;

/**
 * The till that answers for this folder. Undefined if there is none. Throws why its socket must not be used, or that it
 * does not answer.
 */
export const findOwner = async (folder: string, clock: Clock = systemClock): Promise<FoundOwner | undefined> => {
  const socket = findSocket(folder);
  if (socket === undefined) return undefined;
  const client = ownerClient(socket);
  const late = new AbortController();
  try {
    const now = await within(clock, ANSWER_MS, client.status(late.signal), () => new Error('it does not answer'));
    return { ...client, socket, now };
  } catch (error) {
    // Nobody listens: a killed till left the socket.
    if (['ECONNREFUSED', 'ENOENT'].includes(systemCode(error))) return undefined;
    throw error;
  } finally {
    late.abort();
  }
};

export const ownerClient = (socket: string): OwnerClient => {
  const api = hc<OwnerApi>('http://till', { fetch: fetchOver(socket) });
  return {
    async status(signal) {
      const answer = await api.status.$get({}, signal && { init: { signal } });
      return (await answer.json()) as OwnerStatus;
    },
    async stop(listener) {
      const { body } = (await api.stop.$post()) as unknown as Response;
      let closed = false;
      for await (const line of linesOf(body)) {
        if ('closed' in line) closed = true;
        else listener(line.underWay);
      }
      return { closed };
    },
  };
};

/** The lines of the answer until the connection closes, which happens when the till's process ends. */
async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<StopProgress> {
  let held = '';
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body ?? []) {
      held += decoder.decode(bytes, { stream: true });
      const lines = held.split('\n');
      held = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as StopProgress;
    }
  } catch (error) {
    if (systemCode(error) !== 'ECONNRESET') throw error;
  }
}

/**
 * `fetch` over a till's socket: the address's port is ignored, and its host name becomes the Host header. A body may be
 * a stream. Rejects with the system's error when nobody answers, and with the error of the body.
 */
export const fetchOver =
  (socketPath: string) =>
  (input: string | URL | Request, { method = 'GET', headers, body, signal }: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { pathname, search, host } = new URL(input instanceof Request ? input.url : input);
      const outgoing = request(
        {
          socketPath,
          method,
          path: `${pathname}${search}`,
          headers: { host, ...Object.fromEntries(new Headers(headers)) },
          agent: false,
          signal: signal || undefined,
        },
        (answer) => resolve(responseOf(answer)),
      );
      outgoing.once('error', reject);
      if (body instanceof ReadableStream) pipeline(Readable.fromWeb(body), outgoing, (error) => error && reject(error));
      else outgoing.end(body);
    });

/** Answers with these statuses have no body. */
const BODILESS: readonly number[] = [204, 205, 304];

const responseOf = (answer: IncomingMessage): Response => {
  const { statusCode: status = 500, rawHeaders } = answer;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  if (!BODILESS.includes(status)) return new Response(Readable.toWeb(answer) as ReadableStream, { status, headers });
  answer.resume();
  return new Response(null, { status, headers });
};

const LOOK_MS = 20;
const LOOKS = 250;

/**
 * Resolves when this process is gone, after at most five seconds: in another container its id may belong to nobody, or
 * to a different process.
 */
export const waitForProcessEnd = async (pid: number, clock: Clock): Promise<void> => {
  for (let lookCount = 0; isAlive(pid) && lookCount < LOOKS; lookCount += 1) await pause(clock, LOOK_MS);
};

/** A process of another user is not the till, because the till's owner runs this command. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !isDead(pid);
  } catch {
    return false;
  }
};

/** On Linux an ended process keeps its id until its parent has collected it. */
const isDead = (pid: number): boolean => {
  if (process.platform !== 'linux') return false;
  try {
    // The program name, in brackets, can contain anything.
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
};
