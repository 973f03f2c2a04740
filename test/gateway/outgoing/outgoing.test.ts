/** Calls to addresses supplied by others, against real servers that misbehave. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { type Outgoing, type OutgoingOptions, openOutgoing } from '../../../src/gateway/outgoing/outgoing.ts';
import { selfSigned } from '../../support/servers/certificate.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of closers.splice(0).reverse()) await end();
});

const openTestOutgoing = (options: Partial<OutgoingOptions> = {}): Outgoing => {
  const outgoing = openOutgoing({ clock: systemClock, allowPrivate: true, ...options });
  closers.push(() => outgoing.close());
  return outgoing;
};

const listenAt = async (server: Server): Promise<string> => {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const serve = async (listener: RequestListener) => `http://${await listenAt(createServer(listener))}`;

const get = (url: string, timeoutMs = 5_000) => ({ url, method: 'GET' as const, headers: {}, timeoutMs });

test('posts the given body, and returns the status', async () => {
  const received: string[] = [];
  const url = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      received.push(`${request.method} ${request.url} ${request.headers['x-one']} ${body}`);
      response.writeHead(202).end('thanks');
    });
  });
  const call = { url: `${url}/a?b=c`, method: 'POST', headers: { 'x-one': '1' }, body: 'ä', timeoutMs: 5_000 } as const;
  expect(await openTestOutgoing().send(call)).toEqual({ kind: 'answered', status: 202 });
  expect(received).toEqual(['POST /a?b=c 1 ä']);
});

test.each([
  ['ftp://example.com/', 'begin with'],
  ['file:///etc/passwd', 'begin with'],
  ['not a url', 'not a URL'],
  ['https://user:secret@example.com/', 'must not contain a user'],
  ['https://example.com:8443/', 'port'],
  ['http://127.0.0.1/', 'public'],
  ['http://2130706433/', 'public'],
  ['http://0x7f.1/', 'public'],
  ['http://[::1]/', 'public'],
  ['http://[::ffff:10.0.0.1]/', 'public'],
  ['http://169.254.169.254/latest/meta-data/', 'public'],
])('does not call %s', async (url, reason) => {
  const outgoing = openTestOutgoing({ allowPrivate: false });
  expect(outgoing.refusalReason(url)).toContain(reason);
  expect(await outgoing.send(get(url))).toMatchObject({ kind: 'failed', fault: 'forbidden' });
  expect(JSON.stringify(await outgoing.send(get(url)))).not.toContain('secret');
});

test('a name is resolved once, and is not called if any of its addresses is private', async () => {
  const requests: string[] = [];
  const outgoing = openTestOutgoing({
    allowPrivate: false,
    resolve: async (name) => {
      requests.push(name);
      // The first answer is public and the second is not, as from a DNS rebinding server.
      const [one, two] = [
        { address: '192.0.2.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ];
      return name.startsWith('both') ? [{ address: '8.8.8.8', family: 4 }, two] : [one];
    },
  });
  for (const name of ['both.example', 'one.example']) {
    expect(await outgoing.send(get(`http://${name}/`))).toMatchObject({ kind: 'failed', fault: 'forbidden' });
  }
  expect(requests).toEqual(['both.example', 'one.example']);
});

test('connects to exactly the address that was resolved', async () => {
  const hostHeaders: (string | undefined)[] = [];
  const port = Number(
    (
      await serve(({ headers }, response) => {
        hostHeaders.push(headers.host);
        response.end();
      })
    )
      .split(':')
      .at(-1),
  );
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  expect(await openTestOutgoing({ resolve }).send(get(`http://shop.example:${port}/`))).toEqual({
    kind: 'answered',
    status: 200,
  });
  expect(hostHeaders).toEqual([`shop.example:${port}`]);
  const unreachableOutgoing = openTestOutgoing({
    resolve: async () => {
      throw new Error('ENOTFOUND');
    },
  });
  expect(await unreachableOutgoing.send(get('http://nowhere.example/'))).toMatchObject({ fault: 'unknown' });
});

test('a redirect counts as an answer, and is not followed', async () => {
  let visitCount = 0;
  const inside = await serve((_, response) => {
    visitCount += 1;
    response.end();
  });
  const url = await serve((_, response) => response.writeHead(302, { location: inside }).end());
  expect(await openTestOutgoing().send(get(url))).toEqual({ kind: 'answered', status: 302 });
  expect(visitCount).toBe(0);
});

test('a server that never answers is abandoned at the deadline, and its connection closed', async () => {
  const clock = virtualClock();
  const socketsClosed: Promise<unknown>[] = [];
  const accepted = Promise.withResolvers<void>();
  const at = await listenAt(
    createRawServer((socket) => {
      socketsClosed.push(new Promise((resolve) => socket.resume().on('close', resolve)));
      accepted.resolve();
    }),
  );
  const outcome = openTestOutgoing({ clock }).send(get(`http://${at}/`, 30_000));
  await accepted.promise;
  await clock.advance(29_999);
  expect(clock.waiting()).toBe(1);
  await clock.advance(1);
  expect(await outcome).toEqual({ kind: 'failed', fault: 'late', why: 'no answer within 30 s' });
  await Promise.all(socketsClosed);
  expect(clock.waiting()).toBe(0);
});

test('of a gigabyte only a few kilobytes are read', async () => {
  let written = 0;
  const url = await serve((_, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const write = (): void => {
      while (written < 2 ** 30 && !response.destroyed) {
        written += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
    };
    response.writeHead(200);
    write();
  });
  expect(await openTestOutgoing().send(get(url))).toEqual({ kind: 'answered', status: 200 });
  expect(written).toBeLessThan(64 * 2 ** 20);
});

test('a body that arrives slowly is cut off at the deadline, and its status counts', async () => {
  const clock = virtualClock();
  const headersSent = Promise.withResolvers<void>();
  const reportHeaders = () => headersSent.resolve();
  subscribe('undici:request:headers', reportHeaders);
  closers.push(() => unsubscribe('undici:request:headers', reportHeaders));
  const url = await serve((_, response) => void response.writeHead(200).write('.'));
  const outcome = openTestOutgoing({ clock }).send(get(url, 30_000));
  await headersSent.promise;
  await clock.advance(30_000);
  expect(await outcome).toEqual({ kind: 'answered', status: 200 });
});

test('reports what failed: refused connection, no HTTP, wrong certificate', async () => {
  const closedServer = createRawServer();
  const at = await listenAt(closedServer);
  await new Promise((resolve) => closedServer.close(resolve));
  expect(await openTestOutgoing().send(get(`http://${at}/`))).toMatchObject({ fault: 'unreachable' });
  const invalidServer = await listenAt(createRawServer((socket) => void socket.end('HELLO\r\n\r\n')));
  expect(await openTestOutgoing().send(get(`http://${invalidServer}/`))).toMatchObject({ fault: 'broken' });
  const { cert, key } = selfSigned();
  const tls = await listenAt(createTlsServer({ cert, key }, (_, response) => void response.end()));
  expect(await openTestOutgoing().send(get(`https://${tls}/`))).toMatchObject({ fault: 'certificate' });
  expect(await openTestOutgoing({ ca: cert }).send(get(`https://${tls}/`))).toEqual({ kind: 'answered', status: 200 });
});

test('opens a limited number of connections to one host', async () => {
  let highestCount = 0;
  let open = 0;
  const pendingResponses: (() => void)[] = [];
  const server = createServer((_, response) => {
    pendingResponses.push(() => response.end());
    if (pendingResponses.length === 64) for (const end of pendingResponses.splice(0)) end();
  });
  server.on('connection', (socket) => {
    open += 1;
    highestCount = Math.max(highestCount, open);
    socket.on('close', () => {
      open -= 1;
    });
  });
  const url = `http://${await listenAt(server)}/`;
  const outgoing = openTestOutgoing();
  const all = await Promise.all(Array.from({ length: 256 }, () => outgoing.send(get(url))));
  expect(all.every(({ kind }) => kind === 'answered')).toBe(true);
  expect(highestCount).toBe(64);
});
