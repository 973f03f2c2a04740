/** A user signed in over the till's API, like a page: keeps the cookie, and sends the session's CSRF token. */
import type { LiveSale } from '../../src/api/contract/sales.ts';
import type { SignedIn } from '../../src/api/contract/session.ts';
import { systemIds } from '../../src/base/ids.ts';
import { PIN } from './shop.ts';

export type Visitor = {
  cookie: string;
  /** Throws for an unsuccessful answer. */
  request<T>(path: string, body?: unknown): Promise<T>;
  /** Starts a sale. */
  sell(amount: string): Promise<LiveSale>;
};

export const signIn = async (url: string, name: string): Promise<Visitor> => {
  let cookie = '';
  let csrf = '';
  const request = async <T>(path: string, body?: unknown, key?: string): Promise<T> => {
    const answer = await fetch(`${url}api/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...{ 'content-type': 'application/json', 'x-csrf-token': csrf, cookie },
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return (await answer.json()) as T;
  };
  csrf = (await request<SignedIn>('session', { name, pin: PIN })).csrf;
  return {
    cookie,
    request,
    sell: (amount) => request<LiveSale>('sales', { amount: { amount, currency: 'EUR' } }, systemIds.next()),
  };
};
