/** A till of Windows before the tests: its commands, and one that is served, sold on over the loopback network. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { nobodysHeaders } from '../support/servers/visitor.ts';
import { DATA, PROJECT, windowsPath } from './shop.ts';
import type { Ended, RunOptions, Started, Windows } from './wine.ts';

const node = 'node_modules\\.bin\\node';
const program = 'src\\cli\\main.ts';

/** The project's own Node, as npm's scripts call it. */
export const tillgate = (windows: Windows, args: readonly string[], options?: RunOptions): Promise<Ended> =>
  windows.run(['cmd', '/c', node, program, ...args], { folder: PROJECT, withinMs: 120_000, ...options });

/** The till's folder of that name, as its commands take it. */
export const dataOf = (name: string): string => windowsPath(`${DATA}/${name}`);

export type Served = {
  started: Started;
  /** Sells, and waits for the ending: `approved approved`. Throws where nothing ends in three minutes. */
  sell(amount: string): Promise<string>;
  /** Begins a sale and does not wait. */
  begin(amount: string): Promise<string>;
  get<T>(path: string): Promise<T>;
  /** What an address beside the API says. */
  text(path: string): Promise<string>;
};

/** `npm start` on that folder, on a free port. */
export const serve = async (windows: Windows, data: string): Promise<Served> => {
  const args = ['start', '--data', data, '--port', '0', '--no-open-browser'];
  const started = windows.start(['cmd', '/c', node, program, ...args], { folder: PROJECT });
  const address = await until('the till prints its address', () =>
    /(http:\/\/127\.0\.0\.1:\d+\/)#code=(\S+)/.exec(started.printed()),
  ).catch((error: unknown) => {
    void started.kill();
    throw new Error(`${String(error)}\n${started.printed()}`);
  });
  const [, url = '', code = ''] = address;
  const headers = await nobodysHeaders((path, request) => fetch(new URL(path, url), request), code);
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(new URL(`api/${path}`, url), { headers })).json()) as T;
  const begin = async (amount: string): Promise<string> => {
    const answer = await fetch(new URL('api/sales', url), {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ amount: { amount, currency: 'EUR' } }),
    });
    const body = (await answer.json()) as { id?: string };
    if (body.id === undefined) throw new Error(`no sale began: ${answer.status} ${JSON.stringify(body)}`);
    return body.id;
  };
  const sell = async (amount: string): Promise<string> => {
    const id = await begin(amount);
    type Live = { result?: { ending: string; reason: string }; terminalFree?: boolean };
    return until(`sale ${id} ends`, async () => {
      const { result, terminalFree } = await get<Live>(`live/${id}`);
      return result !== undefined && terminalFree === true ? `${result.ending} ${result.reason}` : undefined;
    });
  };
  const text = async (path: string): Promise<string> => (await fetch(new URL(path, url))).text();
  return { started, sell, begin, get, text };
};

/** A copy that failed is tried again after half a minute, and a busy machine takes its time. */
const WITHIN_MS = 180_000;

/** Asks until there is an answer, three minutes at most. */
export const until = async <T>(
  what: string,
  ask: () => Promise<T | null | undefined> | T | null | undefined,
): Promise<T> => {
  for (const since = performance.now(); performance.now() - since < WITHIN_MS; await wait(50)) {
    const answer = await ask();
    if (answer !== undefined && answer !== null) return answer;
  }
  throw new Error(`not seen in three minutes: ${what}`);
};
