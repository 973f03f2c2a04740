/** What the connection proves: never connected is a certain failure, a broken connection is not. */
import { type AddressInfo, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, test } from 'vitest';
import { openLine } from '../../../../src/gateway/acquirers/upstream/upstream.ts';
import { upstreamHost } from '../../../support/gateway/upstream-host.ts';
import { selfSigned } from '../../../support/servers/certificate.ts';
import { bench, sale } from './bench.ts';

const listenOnPort = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as AddressInfo).port;
};

test('a refused connection proves that nothing was sent', async () => {
  const closedHost = await upstreamHost();
  await closedHost.close();
  const { acquirer, clock } = await bench({ baseUrl: closedHost.baseUrl });
  const request = sale();
  const answer = await acquirer.authorise(request);
  expect(answer).toMatchObject({
    resultCode: '900.100.310',
    details: { ExtendedDescription: expect.stringContaining('nothing listens there') },
  });
  // The ending is known without a query.
  expect(await acquirer.inquire(request.id, clock.now())).toEqual(answer);
});

test('a server that does not speak TLS gets no byte of the request', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      received.push(bytes);
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    socket.on('error', () => undefined);
  });
  const port = await listenOnPort(server);
  const { acquirer } = await bench({ baseUrl: `https://127.0.0.1:${port}/` });
  expect((await acquirer.authorise(sale())).resultCode).toBe('900.100.310');
  expect(Buffer.concat(received).toString('latin1')).not.toContain('4200000000000000');
  server.close();
});

test('a TLS server that cannot prove who it is gets no byte of the request', async () => {
  const { cert, key } = selfSigned();
  const received: Buffer[] = [];
  const server = createTlsServer({ cert, key }, (socket) => {
    socket.on('data', (bytes) => received.push(bytes));
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  const port = await listenOnPort(server);
  const { acquirer } = await bench({ baseUrl: `https://127.0.0.1:${port}/` });
  expect((await acquirer.authorise(sale())).resultCode).toBe('900.100.310');
  expect(received).toEqual([]);
  server.close();
});

test.each([
  ['no address', 'processor', 'its baseUrl is not a URL'],
  ['plain http over a network', 'http://processor.example/', 'its baseUrl is not https'],
  ['another scheme', 'ftp://127.0.0.1/', 'its baseUrl is not https'],
  ['a name and password', 'https://user:secret@processor.example/', 'its baseUrl has more than a host and a path'],
  ['a query', 'https://processor.example/?a=b', 'its baseUrl has more than a host and a path'],
])('refuses %s at the start', async (_, baseUrl, reason) => {
  await expect(bench({ baseUrl })).rejects.toMatchObject({ code: 'config.malformed', facts: { why: reason } });
});

test('trusts the processor’s certificate by its own authority, and reads the answer', async () => {
  const { cert, key } = selfSigned();
  const server = createTlsServer({ cert, key }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}'));
  });
  const port = await listenOnPort(server);
  const line = openLine({ timeoutMs: 5_000, ca: cert });
  const answer = await line.fetch(new Request(`https://127.0.0.1:${port}/v1/query`));
  expect([answer.status, await answer.text()]).toEqual([400, '{}']);
  await line.close();
  server.close();
});

test('keeps connections, and a connection that the server closed fails no sale', async () => {
  const { host, acquirer } = await bench();
  for (let sales = 0; sales < 20; sales += 1) await acquirer.authorise(sale());
  // The pool may open a second connection before the first is released.
  expect(host.counts().connections).toBeLessThanOrEqual(2);
  await host.disconnect();
  expect((await acquirer.authorise(sale())).resultCode).toBe('000.100.110');
  expect(host.posted).toHaveLength(21);
});
