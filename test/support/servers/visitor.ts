/** Somebody before a served till's screens: keeps the cookie, and brings the session's CSRF token. */
import type { SessionState } from '../../../src/api/ports/session.ts';

type Fetch = (path: string, request: RequestInit) => Promise<Response>;

/** `fetch` asks the till: `/api/session`. */
export const visitor = async (fetch: Fetch) => {
  const first = await fetch('/api/session', { headers: {} });
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const csrf = ((await first.json()) as SessionState).signedIn?.csrf ?? '';
  const headers = { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' };
  return {
    get: async <T>(path: string): Promise<T> => (await (await fetch(`/api/${path}`, { headers })).json()) as T,
    async post(path: string, body: unknown = {}, key = ''): Promise<{ status: number; code?: string }> {
      const answer = await fetch(`/api/${path}`, {
        method: 'POST',
        headers: { ...headers, ...(key !== '' && { 'idempotency-key': key }) },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      const problem = text === '' ? undefined : (JSON.parse(text) as { problem?: { code: string } }).problem;
      return { status: answer.status, ...(problem && { code: problem.code }) };
    },
  };
};
