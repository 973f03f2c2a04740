/**
 * A failure before the gateway's connection is complete, encryption included, means not sent; a later one is unknown.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { loadSecrets } from '../../src/folder/keys/secrets.ts';
import { gatewayClient } from '../../src/gateway/client/client.ts';
import { openGatewayLine } from '../../src/line/gateway-line.ts';
import { selfSigned } from '../support/servers/certificate.ts';

let folder = '';
let ends: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unsent-'));
  ends = [];
});
afterEach(async () => {
  for (const end of ends) await end();
  rmSync(folder, { recursive: true, force: true });
});

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
};

const post = async (baseUrl: string) => {
  const gateway = { baseUrl, entityId: '0'.repeat(32), token: 'token-token' };
  const config = loadConfig(folder, systemIds);
  const secrets = loadSecrets(folder, { random: systemRandom, isNew: true });
  const parts = { config, secrets, mode: 'test' as const, clock: systemClock, ids: systemIds, random: systemRandom };
  const line = await openGatewayLine({ dataDir: folder, gateway }, parts);
  ends.unshift(() => line.close());
  return gatewayClient({ ...line, clock: systemClock, timeoutMs: 15_000 }).post('v1/payments', { amount: '1.00' }, 'k');
};

const notSentReply = (reason: RegExp) => ({
  kind: 'notSent',
  fault: { code: 'host.unreachable', facts: { why: expect.stringMatching(reason) } },
});

const year = 365 * 86_400_000;
const over = { from: new Date(Date.now() - 2 * year), to: new Date(Date.now() - year) };

test.each<[string, ReturnType<typeof selfSigned>, RegExp]>([
  ['nobody vouches for', selfSigned(), /self-signed certificate/],
  ['is over', selfSigned(over), /certificate/],
])('a certificate that %s: not sent, and the server read nothing', async (_, { cert, key }, reason) => {
  const read: unknown[] = [];
  const port = await listen(
    createTlsServer({ cert, key, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
      socket.on('error', () => undefined).on('data', (bytes) => read.push(bytes));
    }).on('tlsClientError', () => undefined),
  );
  expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject(notSentReply(reason));
  expect(read).toEqual([]);
});

test.each<[string, (socket: Socket) => void]>([
  ['is cut', (socket) => void socket.once('data', () => socket.destroy())],
  ['meets something else', (socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
])('a handshake that %s: not sent', async (_, behaviour) => {
  const port = await listen(createServer((socket) => behaviour(socket.on('error', () => undefined))));
  expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject(notSentReply(/./));
});

test('the same cut after the connection was complete is unknown', async () => {
  const port = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.destroy());
    }),
  );
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'silent' });
});

const trustCertificate = () => {
  const pair = selfSigned();
  const known = getCACertificates('default');
  setDefaultCACertificates([pair.cert]);
  ends.push(() => setDefaultCACertificates(known));
  return pair;
};

test('HTTP/2 is not used: it may write a request a second time, so its failure proves nothing', async () => {
  const spoken: unknown[] = [];
  const port = await listen(
    createTlsServer({ ...trustCertificate(), ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
      spoken.push(socket.alpnProtocol);
      socket.on('error', () => undefined).once('data', () => socket.destroy());
    }),
  );
  expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ kind: 'silent' });
  expect(spoken).toEqual(['http/1.1']);
});

test('a server that requires our certificate says so after the request was sent: unknown', async () => {
  const { cert, key } = trustCertificate();
  const server = createTlsServer({ cert, key, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' });
  const port = await listen(server.on('tlsClientError', () => undefined));
  expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ kind: 'silent' });
});
