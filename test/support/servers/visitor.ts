/** A person at a served till's screens: keeps the cookie, and sends the session's CSRF token. */
import type { SignedIn } from '../../../src/api/contract/session.ts';

type Fetch = (path: string, request: RequestInit) => Promise<Response>;

const JSON_BODY = { 'content-type': 'application/json' };

/** The headers of a session without a person, opened with the start code of a till without people. */
export const nobodysHeaders = async (fetch: Fetch, code = '') => {
  const opened = await fetch('/api/session/code', {
    method: 'POST',
    headers: JSON_BODY,
    body: JSON.stringify({ code }),
  });
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { csrf } = (await opened.json()) as SignedIn;
  return { cookie, 'x-csrf-token': csrf, ...JSON_BODY };
};

/** The same for a till that is served on a port. */
export const servedHeaders = ({ address, startCode }: { address: string; startCode(): string | undefined }) =>
  nobodysHeaders((path, request) => fetch(new URL(path, address), request), startCode());

/** `fetch` sends a request to the till: `/api/session`. `code`: the start code. */
export const visitor = async (fetch: Fetch, code: string | undefined) => {
  const headers = await nobodysHeaders(fetch, code);
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
      return { status: answer.status, code: problem?.code };
    },
  };
};
