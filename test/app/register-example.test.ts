/**
 * The example register of the documentation at a served till, over a line that is cut again and again: it prints each
 * result once, continues after its own restart, and reads lists when the till cannot tell what it missed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Problem } from '../../src/api/contract/problem.ts';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import { type ServedTill, serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import { answerCheck } from '../support/api/api-answers.ts';
import { endedSale } from '../support/api/ended-sale.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { servedHeaders } from '../support/servers/visitor.ts';
import { quickClock } from '../support/time/quick-clock.ts';

type Register = {
  till: string;
  key: string;
  after?: string;
  print(sale: LiveSale): void;
  keep(id: string): void;
  readLists(): void;
  signal: AbortSignal;
};
/** A separate program, without types. */
const { listen } = createRequire(import.meta.url)('../../docs/register.mjs') as {
  listen(register: Register): Promise<void>;
};

let folder: string;
let served: ServedTill;
let line: Server;
let key: string;
/** Chunks of the stream to let through before the next cut. */
let path: number[];
let reported: unknown[];

/** The till through a line that breaks: data that arrives with the break is lost. */
const openLine = (till: URL): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((requested, answer) => {
      const headers = { ...requested.headers, host: till.host };
      const upstream = request(till, { path: requested.url, headers }, (upstreamReply) => {
        answer.writeHead(upstreamReply.statusCode ?? 0, upstreamReply.headers);
        let left = path.shift() ?? Number.POSITIVE_INFINITY;
        upstreamReply.on('data', (piece) => {
          left -= 1;
          if (left >= 0) return answer.write(piece);
          answer.destroy();
          return upstream.destroy();
        });
        upstreamReply.on('end', () => answer.end());
        upstreamReply.on('error', () => {});
      });
      upstream.on('error', () => answer.destroy());
      answer.on('close', () => upstream.destroy());
      upstream.end();
    }).listen(0, '127.0.0.1', () => resolve(server));
  });

beforeEach(async () => {
  reported = [];
  folder = mkdtempSync(join(tmpdir(), 'register-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>till</title>');
  served = await serveTill({
    ...{
      dataDir: join(folder, 'data'),
      at: { port: 0 },
      version: '1',
      page: folder,
      answerCheck,
      services: tillServices,
      simulate: 'mpi',
    },
    ...{ simulatedClock: quickClock, open: openSqlUnsynced },
    report: (error) => void reported.push(error),
  });
  const headers = await servedHeaders(served);
  const body = JSON.stringify({ name: 'Register' });
  const created = await fetch(`${served.address}api/pos-keys`, { method: 'POST', headers, body });
  ({ key } = (await created.json()) as { key: string });
  line = await openLine(new URL(served.address));
  path = [];
});
afterEach(async () => {
  line.closeAllConnections();
  line.close();
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Re-checks what a test waits for whenever the register has received something. */
const openBell = () => {
  let rings = Promise.withResolvers<void>();
  return {
    notify() {
      rings.resolve();
      rings = Promise.withResolvers<void>();
    },
    async waitUntil(isSo: () => boolean): Promise<void> {
      while (!isSo()) await rings.promise;
    },
  };
};

const sell = async (n: number, who: object = { authorization: `Bearer ${key}` }): Promise<LiveSale> => {
  const answer = await fetch(`${served.address}api/sales`, {
    method: 'POST',
    headers: { ...who, 'content-type': 'application/json', 'idempotency-key': `order-${n}000` },
    body: JSON.stringify({ amount: { amount: `${n}.00`, currency: 'EUR' } }),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as LiveSale;
};

const opened = async (after?: string) => {
  const controller = new AbortController();
  const printed: string[] = [];
  const stored: string[] = [];
  const { notify, waitUntil } = openBell();
  let lists = 0;
  const listening = listen({
    ...{ till: `http://127.0.0.1:${(line.address() as AddressInfo).port}/`, key, after: after || undefined },
    print({ receipt, result }) {
      printed.push(`${receipt} ${result?.ending}`);
      notify();
    },
    keep(id) {
      stored.push(id);
      notify();
    },
    readLists() {
      lists += 1;
    },
    signal: controller.signal,
  });
  await waitUntil(() => stored.length > 0);
  return {
    printed,
    stored,
    until: waitUntil,
    lists: () => lists,
    async close() {
      controller.abort();
      await listening;
    },
  };
};

test('each result is printed once over a breaking line, and after a restart of the register', async () => {
  // The line is cut at different places: at the first chunk, soon after it, in the middle of a sale, and at its end.
  path = [2, 6, 0, 9];
  const first = await opened();
  // The next sale begins at once and waits for the terminal.
  for (let n = 1; n <= 5; n += 1) {
    await sell(n);
    await first.until(() => first.printed.length >= n);
  }
  const receiptsFrom = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `${from + index} approved`);
  expect(first.printed).toEqual(receiptsFrom(1, 5));
  expect(path).toEqual([]);
  await first.close();
  await sell(6);
  const second = await opened(first.stored.at(-1));
  await second.until(() => second.printed.length > 0);
  await sell(7);
  await second.until(() => second.printed.length > 1);
  expect(second.printed).toEqual(receiptsFrom(6, 7));
  expect(second.lists()).toBe(0);
  await second.close();
});

test('a reopened till keeps reporting to each listener its own sales, and no others', async () => {
  const register = await opened();
  const headers = await servedHeaders(served);
  const ended = ({ id }: LiveSale) =>
    endedSale(served.address, headers, async () => {
      const answer = await fetch(`${served.address}api/live/${id}`, { headers });
      return (await answer.json()) as LiveSale;
    });
  await ended(await sell(1));
  await served.restart();
  await ended(await sell(2, headers));
  await sell(3);
  await register.until(() => register.printed.length > 1);
  expect(register.printed).toEqual(['1 approved', '3 approved']);
  expect(reported).toEqual([]);
  await register.close();
});

test('with an id unknown to the till the register reads its lists and continues from the till’s position', async () => {
  const register = await opened('47110-9f3a2b1c');
  expect(register.lists()).toBe(1);
  await sell(1);
  await register.until(() => register.printed.length > 0);
  expect(register.printed).toEqual(['1 approved']);
  await register.close();
  const asked = async (query: string, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${key}`, ...more };
    const answer = await fetch(`${served.address}api/events?${query}`, { headers });
    return [answer.status, ((await answer.json()) as { problem: Problem }).problem.code];
  };
  expect(await asked('after=47110-9f3a2b1c')).toEqual([409, 'events.elsewhere']);
  expect(await asked('', { 'last-event-id': '47110-9f3a2b1c' })).toEqual([409, 'events.elsewhere']);
  expect(await asked('', { 'last-event-id': 'x' })).toEqual([409, 'events.elsewhere']);
  expect(await asked('after=47110')).toEqual([400, 'request.malformed']);
});
