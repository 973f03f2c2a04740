/** The limits for one client of the gateway, on real sockets. */
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { defaultLimits, type Limits } from '../../../../src/gateway/server/http/limits.ts';
import { type HttpListener, listen } from '../../../../src/gateway/server/http/listen.ts';
import { posixTest } from '../../../support/platform/platform.ts';
import { rawRequest, sendRaw } from '../../../support/servers/raw-http.ts';
import { type VirtualClock, virtualClock } from '../../../support/time/virtual-clock.ts';

let server: HttpListener;
let clock: VirtualClock;
/** The path of every request that reached the app. */
let seenPaths: string[];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

type Fetch = (request: Request) => Promise<Response>;

const json = (status: number, reason: string): Response => {
  const text = JSON.stringify({ why: reason });
  return new Response(text, { status, headers: { 'content-length': String(text.length) } });
};

const start = async (limits: Partial<Limits> = {}, fetch: Fetch = async () => json(200, 'ok')) => {
  seenPaths = [];
  clock = virtualClock();
  const app = {
    fetch: (request: Request) => {
      seenPaths.push(new URL(request.url).pathname);
      return fetch(request);
    },
    refuse: json,
  };
  server = await listen({ app, port: 0, host: '127.0.0.1', clock, limits: { receiveMs: 2_000, ...limits } });
};

const get = (path: string, headers: readonly string[] = []) => rawRequest({ line: `GET ${path}`, headers });
const responseText = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
const open = (): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => {});
    sockets.push(socket);
  });
/** Waits until the condition holds, limited by the test's own timeout. */
const waitUntil = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

test('never drops excess headers silently', async () => {
  await start();
  const manyHeaders = Array.from({ length: defaultLimits.headers }, (_, index) => `x-${index}: 1`);
  const { answers, isEnded } = await sendRaw(server.port, get('/a', manyHeaders));
  expect([answers.map(({ status }) => status), isEnded, seenPaths]).toEqual([[431], true, []]);
  // The Host header counts as one of the headers.
  expect((await sendRaw(server.port, get('/b', manyHeaders.slice(1)), { answers: 1 })).answers[0]?.status).toBe(200);
});

test('a connection beyond the limit gets an answer and is closed, and its requests are ignored', async () => {
  await start({ connections: 3 });
  const stored = await Promise.all([open(), open(), open()]);
  await waitUntil(() => server.currentLoad().connections === 3);
  const surplusSocket = await open();
  surplusSocket.write(get('/surplus'));
  const received = responseText(surplusSocket);
  await waitUntil(() => surplusSocket.readableEnded || surplusSocket.destroyed);
  surplusSocket.write(get('/again'));
  await clock.advance(1_000);
  expect(await received).toMatch(
    /^HTTP\/1\.1 503 [\s\S]*connection: close\r\n\r\n{"why":"More than 3 connections are open/,
  );
  expect(seenPaths).toEqual([]);
  stored[0]?.destroy();
  await waitUntil(() => server.currentLoad().connections === 2);
  expect((await sendRaw(server.port, get('/next'), { answers: 1 })).answers[0]?.status).toBe(200);
});

test('many connections beyond the limit do not affect those within it', async () => {
  await start({ connections: 2 });
  const innerSocket = await open();
  await waitUntil(() => server.currentLoad().connections === 1);
  const other = await open();
  await waitUntil(() => server.currentLoad().connections === 2);
  const extraSockets = await Promise.all(Array.from({ length: 60 }, open));
  const closedTexts = Promise.all(extraSockets.map(responseText));
  for (const socket of extraSockets) socket.end(get('/crowd'));
  await waitUntil(() => server.currentLoad().connections === 2);
  await clock.advance(1_000);
  await closedTexts;
  const received = responseText(innerSocket);
  innerSocket.end(get('/inside'));
  expect(await received).toMatch(/^HTTP\/1\.1 200/);
  expect(seenPaths).toEqual(['/inside']);
  expect(other.destroyed).toBe(false);
});

test('requests that accumulate on one connection are refused after the earlier answers', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await start({ pipelined: 4 }, async () => {
    await released;
    return json(200, 'done');
  });
  const exchange = sendRaw(server.port, Array.from({ length: 500 }, (_, index) => get(`/${index}`)).join(''));
  await waitUntil(() => seenPaths.length === 4);
  release();
  const { answers, isEnded } = await exchange;
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 503]);
  expect(isEnded).toBe(true);
  expect(seenPaths).toEqual(['/0', '/1', '/2', '/3']);
  await waitUntil(() => server.currentLoad().requests === 0);
});

test('a connection with a flood of requests is dropped, and none of them is processed', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await start({ pipelined: 4 }, () => released.then(() => json(200, 'done')));
  const socket = await open();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(get('/flood').repeat(20_000));
  await closed;
  expect(seenPaths).toHaveLength(4);
  release();
});

// Wine's network stack accepts all 40 MB even if nobody reads them, so there is no slow reader.
posixTest('drops a client that never reads, but not one that reads slowly and steadily', async () => {
  const page = 'x'.repeat(1_000_000);
  await start({ sendMs: 8_000, pipelined: 64 }, async () => new Response(page));
  const deafSocket = await open();
  const closed = new Promise((resolve) => deafSocket.once('close', resolve));
  deafSocket.pause();
  deafSocket.write(get('/deaf').repeat(40));
  await waitUntil(() => seenPaths.length > 10);
  const reader = await open();
  let readBytes = 0;
  reader.on('data', (bytes) => {
    readBytes += bytes.length;
  });
  reader.write(get('/reader').repeat(40));
  for (let second = 0; second < 15; second += 1) {
    const enoughBytes = readBytes + 2_000_000;
    reader.resume();
    await waitUntil(() => readBytes > enoughBytes);
    reader.pause();
    await clock.advance(1_000);
  }
  expect(server.currentLoad().connections).toBe(1);
  deafSocket.resume();
  await closed;
  expect(reader.destroyed).toBe(false);
});

test('a connection serves a limited number of requests and announces the last one', async () => {
  await start({ requestsPerConnection: 3, pipelined: 10 });
  const { answers, isEnded } = await sendRaw(server.port, [1, 2, 3, 4, 5].map((index) => get(`/${index}`)).join(''));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.map(({ headers }) => /^connection: close$/im.test(headers))).toEqual([false, false, true]);
  expect([isEnded, seenPaths]).toEqual([true, ['/1', '/2', '/3']]);
});

test('closes an idle connection after its time', async () => {
  await start({ idleMs: 50 });
  const { answers, isEnded } = await sendRaw(server.port, get('/once'));
  expect([answers.map(({ status }) => status), isEnded]).toEqual([[200], true]);
});

test('closing leaves no timer behind, and marks answers in progress as the last', async () => {
  let release = () => {};
  await start({}, () => new Promise((resolve) => (release = () => resolve(json(200, 'late')))));
  const exchange = sendRaw(server.port, get('/slow'));
  await waitUntil(() => seenPaths.length === 1);
  const closed = server.close();
  release();
  const { answers } = await exchange;
  expect(answers[0]?.headers).toMatch(/^connection: close$/im);
  await closed;
  expect(clock.waiting()).toBe(0);
});
