/** A shop's day from the view of a program at the counter: sales over the local API by the person signed in. */

import type { Counter as Terminal } from '../../../src/api/contract/counters.ts';
import type { LiveSale } from '../../../src/api/contract/sales.ts';
import type { SessionState } from '../../../src/api/contract/session.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { afterEvents, endedSale } from '../api/ended-sale.ts';
import type { Customer } from './terminals.ts';
import { type DayTill, people } from './till.ts';

export type Counter = {
  /** Requests something from the till; throws what it refuses. */
  call<T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
  /** Sells to this customer at `T1` or `T2`, and waits for the ending. */
  sell(amount: string, customer: Customer, at?: 'T1' | 'T2'): Promise<LiveSale>;
  /** Refunds, voids or completes, and waits for the ending. */
  follow(receipt: number, operation: string, amount?: string): Promise<LiveSale>;
};

const money = (amount: string) => ({ amount, currency: 'EUR' });

/** Signs in by name and PIN. */
export const counterOf = async (till: DayTill, name: keyof typeof people): Promise<Counter> => {
  let cookie = '';
  let csrf = '';
  const reported = async <T>(path: string, body?: unknown, extraHeaders: Record<string, string> = {}): Promise<T> => {
    const answer = await fetch(`${till.url}api/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf, cookie, ...extraHeaders },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  await reported('session', { name, pin: people[name].pin });
  csrf = (await reported<SessionState>('session')).signedIn?.csrf ?? '';
  const seat = () => ({ address: till.url, headers: { cookie } });
  const ended = ({ id }: LiveSale): Promise<LiveSale> =>
    endedSale(till.url, seat().headers, () => reported<LiveSale>(`live/${id}`));
  /** The previous customer has removed the card. */
  const free = (at: string): Promise<Terminal> =>
    afterEvents(seat(), async () =>
      (await reported<Terminal[]>('counters')).find(({ name, state }) => name === at && state !== 'busy'),
    );
  const key = () => ({ 'idempotency-key': systemIds.next() });
  return {
    call: reported,
    async sell(amount, customer, at = 'T1') {
      await free(at);
      till.terminals[at === 'T1' ? 0 : 1].present(customer);
      return ended(await reported('sales', { amount: money(amount), counter: at }, key()));
    },
    follow: async (receipt, operation, amount) => {
      await free('T1');
      return ended(
        await reported(`sales/${receipt}/${operation}`, amount === undefined ? {} : { amount: money(amount) }, key()),
      );
    },
  };
};
