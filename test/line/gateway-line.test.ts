/**
 * A line that does not answer: the till gives up soon, remembers it, probes in the background, and sends nothing on it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { loadSecrets } from '../../src/folder/keys/secrets.ts';
import { gatewayClient } from '../../src/gateway/client/client.ts';
import { CONNECT_WITHIN_MS, type GatewayLine, openGatewayLine, TRY_EVERY_MS } from '../../src/line/gateway-line.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
let clock: VirtualClock;
let server: Server;
let line: GatewayLine;
/** Accepts connections and never answers the TLS handshake. */
let callers: Socket[];
let closed = false;
const waitForCallers = async (expectedCount: number): Promise<void> => {
  while (callers.length < expectedCount) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'line-'));
  clock = virtualClock();
  callers = [];
  closed = false;
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    callers.push(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const gateway = { baseUrl: `https://127.0.0.1:${port}/`, entityId: '0'.repeat(32), token: 'token-token' };
  line = await openGatewayLine({ dataDir: folder, gateway }, parts());
});
afterEach(async () => {
  for (const caller of callers) caller.destroy();
  if (!closed) await line.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const parts = () => {
  const config = loadConfig(folder, systemIds);
  const secrets = loadSecrets(folder, { random: systemRandom, isNew: true });
  return { config, secrets, mode: 'test' as const, clock, ids: systemIds, random: systemRandom };
};

const ask = () => gatewayClient({ ...line, clock, timeoutMs: 15_000 }).post('v1/payments', { amount: '1.00' }, 'key');

/** Sends one request that finds the line silent. */
const giveUp = async () => {
  const reply = ask();
  await waitForCallers(callers.length + 1);
  await clock.advance(CONNECT_WITHIN_MS);
  return reply;
};

const notSent = { kind: 'notSent', fault: expect.objectContaining({ code: 'host.unreachable' }) };

test('a line verdict is due two seconds after the loss: a connect attempt is given up well before', () => {
  expect(CONNECT_WITHIN_MS).toBeLessThan(2_000);
});

test('a silent line is given up as proved not sent, and the next request does not wait for it', async () => {
  expect(await giveUp()).toMatchObject(notSent);
  expect(await ask()).toMatchObject(notSent);
  expect(callers).toHaveLength(1);
});

test('the line is probed in the background until it connects fast, then requests use it again', async () => {
  await giveUp();
  for (let times = 2; times < 5; times++) {
    await clock.advance(TRY_EVERY_MS);
    await waitForCallers(times);
    await clock.advance(CONNECT_WITHIN_MS);
  }
  expect(await ask()).toMatchObject(notSent);
  expect(callers).toHaveLength(4);

  await clock.advance(TRY_EVERY_MS);
  await waitForCallers(5);
  callers[4]?.destroy();
  // The operating system reports the end of the connection to the line.
  await new Promise((resolve) => callers[4]?.once('close', resolve));
  const reply = ask();
  for (let turn = 0; turn < 50 && callers.length < 6; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await clock.advance(CONNECT_WITHIN_MS);
  expect(await reply).toMatchObject(notSent);
});

test('where nothing listens the answer is immediate, and nothing is remembered', async () => {
  await new Promise((resolve) => server.close(resolve));
  expect(await ask()).toMatchObject(notSent);
  expect(clock.waiting()).toBe(0);
});

test('closing ends the probes', async () => {
  await giveUp();
  closed = true;
  await line.close();
  expect(clock.waiting()).toBe(0);
});

test('the line follows no redirect that the gateway’s client does not follow', async () => {
  const received: string[] = [];
  const elsewhere = createHttpServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.end();
  });
  const elsewhereServer = await listen(elsewhere);
  const front = createHttpServer((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${elsewhereServer}/v1/payments` }).end();
  });
  const port = await listen(front);
  const gateway = { baseUrl: `http://127.0.0.1:${port}/`, entityId: '0'.repeat(32), token: 'token-token' };
  const plain = await openGatewayLine({ dataDir: folder, gateway }, parts());
  const reply = await gatewayClient({ ...plain, clock, timeoutMs: 15_000 }).post('v1/payments', { amount: '1.00' });
  expect(received).toEqual([]);
  expect(reply).toMatchObject({ kind: 'notSent', fault: { code: 'host.redirected' } });
  await plain.close();
  for (const one of [front, elsewhere]) {
    one.closeAllConnections();
    one.close();
  }
});

const listen = async (one: HttpServer): Promise<number> => {
  await new Promise<void>((resolve) => {
    one.listen(0, '127.0.0.1', resolve);
  });
  return (one.address() as AddressInfo).port;
};
