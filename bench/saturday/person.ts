/** A user of a till's local API: signed in by a PIN, and again after each start; or a program with a key. */
import { pause, systemClock } from '../../src/base/clock.ts';
import type { Server } from './processes.ts';

export type Answer<T = unknown> = { status: number; body: T /** Of a refusal. */; code?: string };

/** Name and PIN of a person, or the key of a program. */
export type Credentials = { name: string; pin: string } | { key: string };

export type Person = {
  get<T>(path: string): Promise<T>;
  /** The whole body as text. */
  text(path: string): Promise<string>;
  /** `key`: the idempotency key. The request is repeated with it if the till went away before it answered. */
  post<T>(path: string, body: unknown, headers?: { key?: string; approval?: string }): Promise<Answer<T>>;
  /** A streaming answer of the till; rejects without one. */
  stream(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>;
  upload(path: string, file: { name: string; bytes: Uint8Array<ArrayBuffer> }): Promise<Answer>;
};

type Headers = Record<string, string>;

/** The delay before a request that the till broke off is repeated. */
const AGAIN_MS = 50;

type Read<T> = (answer: Response) => Promise<T>;
type Init = RequestInit & { headers: Headers };

const signIn = async (url: string, credentials: Credentials): Promise<Headers> => {
  if ('key' in credentials) return { authorization: `Bearer ${credentials.key}` };
  const answer = await fetch(new URL('/api/session', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  if (!answer.ok) throw new Error(`${credentials.name} cannot sign in: ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { csrf } = (await answer.json()) as { csrf: string };
  return { cookie, 'x-csrf-token': csrf };
};

const answerOf = async (answer: Response): Promise<Answer> => {
  const text = await answer.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const code = (body as { problem?: { code: string } } | undefined)?.problem?.code;
  return { status: answer.status, body, code };
};

/** Makes requests as this person, and signs in when needed. */
const requestsAs = ({ url, up: waitUntilUp }: Pick<Server, 'url' | 'up'>, credentials: Credentials) => {
  let session: Promise<Headers> | undefined;
  const requestOnce = async (path: string, init: Init): Promise<Response> => {
    session ??= signIn(url, credentials);
    try {
      const sessionHeaders = await session;
      const answer = await fetch(new URL(`/api/${path}`, url), {
        ...init,
        headers: { ...sessionHeaders, ...init.headers },
      });
      if (answer.status === 401) session = undefined;
      return answer;
    } catch (error) {
      session = undefined;
      throw error;
    }
  };
  return {
    once: requestOnce,
    /** Signs in again if the person was signed out, and waits for the till while it is down. */
    async requestUntilAnswered<T>(path: string, init: Init, read: Read<T>): Promise<T> {
      for (;;) {
        await waitUntilUp();
        try {
          const answer = await requestOnce(path, init);
          if (answer.status !== 401) return await read(answer);
          await answer.body?.cancel();
        } catch (error) {
          // Its connection broke, or nothing listens: `fetch` throws nothing else.
          if (!(error instanceof TypeError)) throw error;
          await pause(systemClock, AGAIN_MS);
        }
      }
    },
  };
};

export const personAt = (till: Pick<Server, 'url' | 'up'>, credentials: Credentials): Person => {
  const { once: requestOnce, requestUntilAnswered } = requestsAs(till, credentials);
  return {
    async get<T>(path: string) {
      const { status, body } = await requestUntilAnswered(path, { headers: {} }, answerOf);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      return body as T;
    },
    text: (path) => requestUntilAnswered(path, { headers: {} }, (answer) => answer.text()),
    post<T>(path: string, body: unknown, { key, approval }: { key?: string; approval?: string } = {}) {
      const headers = {
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(approval !== undefined && { 'x-override': approval }),
      };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return requestUntilAnswered(path, init, answerOf) as Promise<Answer<T>>;
    },
    async stream(path, headers, signal) {
      const answer = await requestOnce(path, { headers, signal });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return answer;
    },
    upload(path, { name, bytes }) {
      const form = new FormData();
      form.append('file', new Blob([bytes]), name);
      return requestUntilAnswered(path, { method: 'POST', headers: {}, body: form }, answerOf);
    },
  };
};
