/** What the line itself proves: never connected is a certain failure, a broken connection is none. */
import { type AddressInfo, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, test } from 'vitest';
import { openLine } from '../../../../src/gateway/acquirers/upstream/upstream.ts';
import { upstreamHost } from '../../../support/gateway/upstream-host.ts';
import { selfSigned } from '../../../support/servers/certificate.ts';
import { bench, sale } from './bench.ts';

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as AddressInfo).port;
};

test('nothing listens there: certainly not sent', async () => {
  const gone = await upstreamHost();
  await gone.close();
  const { acquirer, clock } = await bench({ baseUrl: gone.baseUrl });
  const request = sale();
  const answer = await acquirer.authorise(request);
  expect(answer).toMatchObject({
    resultCode: '900.100.310',
    details: { ExtendedDescription: expect.stringContaining('nothing listens there') },
  });
  // Its ending stands without asking anybody.
  expect(await acquirer.inquire(request.id, clock.now())).toEqual(answer);
});

test('a server that does not speak TLS gets no byte of the request', async () => {
  const heard: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      heard.push(bytes);
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    socket.on('error', () => undefined);
  });
  const port = await listening(server);
  const { acquirer } = await bench({ baseUrl: `https://127.0.0.1:${port}/` });
  expect((await acquirer.authorise(sale())).resultCode).toBe('900.100.310');
  expect(Buffer.concat(heard).toString('latin1')).not.toContain('4200000000000000');
  server.close();
});

test('a TLS server that cannot prove who it is gets no byte of the request', async () => {
  const { cert, key } = selfSigned();
  const heard: Buffer[] = [];
  const server = createTlsServer({ cert, key }, (socket) => {
    socket.on('data', (bytes) => heard.push(bytes));
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  const port = await listening(server);
  const { acquirer } = await bench({ baseUrl: `https://127.0.0.1:${port}/` });
  expect((await acquirer.authorise(sale())).resultCode).toBe('900.100.310');
  expect(heard).toEqual([]);
  server.close();
});

test.each([
  ['no address', 'processor', 'its baseUrl is not a URL'],
  ['plain http over a network', 'http://processor.example/', 'its baseUrl is not https'],
  ['another scheme', 'ftp://127.0.0.1/', 'its baseUrl is not https'],
  ['a name and password', 'https://user:secret@processor.example/', 'its baseUrl has more than a host and a path'],
  ['a query', 'https://processor.example/?a=b', 'its baseUrl has more than a host and a path'],
])('%s is refused at the start', async (_, baseUrl, why) => {
  await expect(bench({ baseUrl })).rejects.toMatchObject({ code: 'config.malformed', facts: { why } });
});

test('with the processor’s own authority its certificate is believed, and the answer read', async () => {
  const { cert, key } = selfSigned();
  const server = createTlsServer({ cert, key }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}'));
  });
  const port = await listening(server);
  const line = openLine({ timeoutMs: 5_000, ca: cert });
  const answer = await line.fetch(new Request(`https://127.0.0.1:${port}/v1/query`));
  expect([answer.status, await answer.text()]).toEqual([400, '{}']);
  await line.close();
  server.close();
});

test('connections are kept; one that the server closed costs no sale', async () => {
  const { host, acquirer } = await bench();
  for (let sales = 0; sales < 20; sales += 1) await acquirer.authorise(sale());
  // The pool may open a second one while the first is being freed.
  expect(host.counts().connections).toBeLessThanOrEqual(2);
  await host.hangUp();
  expect((await acquirer.authorise(sale())).resultCode).toBe('000.100.110');
  expect(host.posted).toHaveLength(21);
});
