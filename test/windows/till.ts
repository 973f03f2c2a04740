/** A Windows till for the tests: its commands, and a running till that sells over the loopback network. */
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

/** The path of the till folder with this name, as the commands expect it. */
export const dataOf = (name: string): string => windowsPath(`${DATA}/${name}`);

export type Served = {
  started: Started;
  /** Sells and waits for the outcome, for example `approved approved`. Throws after three minutes without one. */
  sell(amount: string): Promise<string>;
  /** Starts a sale and does not wait for it. */
  begin(amount: string): Promise<string>;
  get<T>(path: string): Promise<T>;
  /** The response body of an address outside the API. */
  text(path: string): Promise<string>;
};

/** Runs `npm start` on that folder, on a free port. */
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
    if (body.id === undefined) throw new Error(`no sale started: ${answer.status} ${JSON.stringify(body)}`);
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

/** A failed copy is retried after half a minute, and a busy machine is slow. */
const WITHIN_MS = 180_000;

/** Polls until there is a result, for three minutes at most. */
export const until = async <T>(
  name: string,
  ask: () => Promise<T | null | undefined> | T | null | undefined,
): Promise<T> => {
  for (const since = performance.now(); performance.now() - since < WITHIN_MS; await wait(50)) {
    const answer = await ask();
    if (answer !== undefined && answer !== null) return answer;
  }
  throw new Error(`not seen in three minutes: ${name}`);
};
