/**
 * The till's local API, typed from the server's own routes. Refusals are thrown as `RequestRefused` with the server's
 * text.
 */
import { hc } from 'hono/client';
import type { Api } from '../api/app.ts';
import type { Problem } from '../api/contract/problem.ts';
import { idleMs } from './idle.ts';
import { firstAnswer } from './prefetched-session.ts';

/** A refusal by the till in its own words, or a failure to reach it (`code` is `till.away`). */
export class RequestRefused extends Error {
  override readonly name = 'Refused';
  readonly problem: Problem;
  readonly status: number;

  constructor(problem: Problem, status: number) {
    super(problem.says);
    this.problem = problem;
    this.status = status;
  }
}

const tillAway: Problem = {
  code: 'till.away',
  says: 'The till program does not answer',
  money: 'A sale in progress continues and is not lost.',
  next: 'Wait a moment: this page reconnects automatically.',
  remedy: 'retry',
};

/** The session's CSRF token, sent with requests that change something. */
let csrf = '';
export const setCsrfToken = (token: string): void => {
  csrf = token;
};

/** The CSRF token for the one kind of request that is not made here: an upload that reports its progress. */
export const csrfToken = (): string => csrf;

/** The reader's language, for generated papers and files. */
export const readersLanguage = (): string => document.documentElement.lang || 'en';

const sessionEndListeners = new Set<() => void>();

/**
 * Calls `listener` when the till no longer knows the session, or has another one for this browser, until the returned
 * function is called.
 */
export const onSessionEnded = (listener: () => void): (() => void) => {
  sessionEndListeners.add(listener);
  return () => sessionEndListeners.delete(listener);
};

/** Call it with the status of each answer that did not come through `api`. */
export const noticeStatus = (status: number): void => {
  if (status === 401) for (const listener of sessionEndListeners) listener();
};

const send = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
  const headers = new Headers(init?.headers);
  if (csrf !== '') headers.set('x-csrf-token', csrf);
  headers.set('x-idle-ms', String(idleMs()));
  headers.set('accept-language', readersLanguage());
  try {
    const first = init?.method === 'GET' ? await firstAnswer(String(input)) : undefined;
    const response = first ?? (await fetch(input, { ...init, headers, credentials: 'same-origin' }));
    noticeStatus(response.status);
    return response;
  } catch {
    throw new RequestRefused(tillAway, 0);
  }
};

const client = hc<Api>('/api', { fetch: send });

/** Every route of the till: `api.sales.$get({ query })`. */
export const api = client;

type Answer<T> = { ok: boolean; status: number; json(): Promise<T> };

/** The value of an answer; undefined where it has none. Throws `RequestRefused`. */
export const got = async <T>(answer: Promise<Answer<T>>): Promise<T> => {
  const response = await answer;
  if (!response.ok) throw await refusalIn(response);
  return (response.status === 204 ? undefined : await response.json()) as T;
};

/** The refusal in an answer that is not successful. */
export const refusalIn = async (answer: Answer<unknown>): Promise<RequestRefused> => {
  const { problem } = (await answer.json().catch(() => ({}))) as { problem?: Problem };
  if (problem?.code === 'session.changed') for (const listener of sessionEndListeners) listener();
  const unknown = { ...tillAway, code: 'program.failed', says: 'The till gave an unknown answer' };
  return new RequestRefused(problem ?? unknown, answer.status);
};

/** A new `Idempotency-Key`: one for each thing that a person wants done, reused when the request is repeated. */
export const freshKey = (): string => crypto.randomUUID();
