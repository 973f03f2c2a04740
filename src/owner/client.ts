/** A command of the owner, before the till that works on a folder: typed by the till's own routes. */

import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { hc } from 'hono/client';
import { type Clock, pause, systemClock, within } from '../base/clock.ts';
import { systemCode } from '../base/system-words.ts';
import type { OwnerApi, OwnerStatus, StopProgress } from './api.ts';
import { findSocket } from './place.ts';

export type OwnerClient = {
  status(signal?: AbortSignal): Promise<OwnerStatus>;
  /**
   * Asks the till to end in peace, and tells of each step. Resolves when the connection has ended with the till's
   * process; `closed` when it said before that everything is closed.
   */
  stop(hear: (underWay: number) => void): Promise<{ closed: boolean }>;
};

/** `now`: as the till stood when it was found. */
export type FoundOwner = OwnerClient & { socket: string; now: OwnerStatus };

const ANSWER_MS = 10_000;

/**
 * The till that answers for this folder; undefined where none does. Throws why it is not to be spoken to, or that it
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
    // Nobody listens: a till that was killed left it.
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
    async stop(hear) {
      const { body } = (await api.stop.$post()) as unknown as Response;
      let closed = false;
      for await (const line of linesOf(body)) {
        if ('closed' in line) closed = true;
        else hear(line.underWay);
      }
      return { closed };
    },
  };
};

/** The lines of the answer, until the connection is gone: the till's process ends it by its own end. */
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
 * `fetch` over a till's socket: the port of the address says nothing, its name is the header Host. Rejects with the
 * system's error where nobody answers.
 */
export const fetchOver =
  (socketPath: string) =>
  (input: string | URL | Request, { method = 'GET', headers, body, signal }: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { pathname, search, host } = new URL(input instanceof Request ? input.url : input);
      const asked = request(
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
      asked.once('error', reject);
      asked.end(body);
    });

/** No answer of these statuses may have a body. */
const BODILESS: readonly number[] = [204, 205, 304];

const responseOf = (answer: IncomingMessage): Response => {
  const { statusCode: status = 500, rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (!BODILESS.includes(status)) return new Response(Readable.toWeb(answer) as ReadableStream, { status, headers });
  answer.resume();
  return new Response(null, { status, headers });
};

const LOOK_MS = 20;
const LOOKS = 250;

/**
 * Resolves when this process is gone, after five seconds at most: seen from another container its number is nobody's,
 * or somebody else's.
 */
export const waitForProcessEnd = async (pid: number, clock: Clock): Promise<void> => {
  for (let looks = 0; isAlive(pid) && looks < LOOKS; looks += 1) await pause(clock, LOOK_MS);
};

/** One that another user runs is not the till: its owner was let in to it. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !isDead(pid);
  } catch {
    return false;
  }
};

/** On Linux a process that has ended keeps its number until whoever started it has heard of that. */
const isDead = (pid: number): boolean => {
  if (process.platform !== 'linux') return false;
  try {
    // The name of the program, in brackets, may hold anything.
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
};
