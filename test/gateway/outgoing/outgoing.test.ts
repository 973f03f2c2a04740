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

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const opened = (options: Partial<OutgoingOptions> = {}): Outgoing => {
  const outgoing = openOutgoing({ clock: systemClock, allowPrivate: true, ...options });
  ends.push(() => outgoing.close());
  return outgoing;
};

const listening = async (server: Server): Promise<string> => {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const serving = async (listener: RequestListener) => `http://${await listening(createServer(listener))}`;

const get = (url: string, timeoutMs = 5_000) => ({ url, method: 'GET' as const, headers: {}, timeoutMs });

test('posts the given body, and returns the status', async () => {
  const received: string[] = [];
  const url = await serving((request, response) => {
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
  expect(await opened().send(call)).toEqual({ kind: 'answered', status: 202 });
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
  const outgoing = opened({ allowPrivate: false });
  expect(outgoing.refusalReason(url)).toContain(reason);
  expect(await outgoing.send(get(url))).toMatchObject({ kind: 'failed', fault: 'forbidden' });
  expect(JSON.stringify(await outgoing.send(get(url)))).not.toContain('secret');
});

test('a name is resolved once, and is not called if any of its addresses is private', async () => {
  const requests: string[] = [];
  const outgoing = opened({
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
  const heard: (string | undefined)[] = [];
  const port = Number(
    (
      await serving(({ headers }, response) => {
        heard.push(headers.host);
        response.end();
      })
    )
      .split(':')
      .at(-1),
  );
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  expect(await opened({ resolve }).send(get(`http://shop.example:${port}/`))).toEqual({
    kind: 'answered',
    status: 200,
  });
  expect(heard).toEqual([`shop.example:${port}`]);
  const nowhere = opened({
    resolve: async () => {
      throw new Error('ENOTFOUND');
    },
  });
  expect(await nowhere.send(get('http://nowhere.example/'))).toMatchObject({ fault: 'unknown' });
});

test('a redirect counts as an answer, and is not followed', async () => {
  let visits = 0;
  const inside = await serving((_, response) => {
    visits += 1;
    response.end();
  });
  const url = await serving((_, response) => response.writeHead(302, { location: inside }).end());
  expect(await opened().send(get(url))).toEqual({ kind: 'answered', status: 302 });
  expect(visits).toBe(0);
});

test('a server that never answers is abandoned at the deadline, and its connection closed', async () => {
  const clock = virtualClock();
  const closed: Promise<unknown>[] = [];
  const accepted = Promise.withResolvers<void>();
  const at = await listening(
    createRawServer((socket) => {
      closed.push(new Promise((resolve) => socket.resume().on('close', resolve)));
      accepted.resolve();
    }),
  );
  const sent = opened({ clock }).send(get(`http://${at}/`, 30_000));
  await accepted.promise;
  await clock.advance(29_999);
  expect(clock.waiting()).toBe(1);
  await clock.advance(1);
  expect(await sent).toEqual({ kind: 'failed', fault: 'late', why: 'no answer within 30 s' });
  await Promise.all(closed);
  expect(clock.waiting()).toBe(0);
});

test('of a gigabyte only a few kilobytes are read', async () => {
  let written = 0;
  const url = await serving((_, response) => {
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
  expect(await opened().send(get(url))).toEqual({ kind: 'answered', status: 200 });
  expect(written).toBeLessThan(64 * 2 ** 20);
});

test('a body that arrives slowly is cut off at the deadline, and its status counts', async () => {
  const clock = virtualClock();
  const headed = Promise.withResolvers<void>();
  const heard = () => headed.resolve();
  subscribe('undici:request:headers', heard);
  ends.push(() => unsubscribe('undici:request:headers', heard));
  const url = await serving((_, response) => void response.writeHead(200).write('.'));
  const sent = opened({ clock }).send(get(url, 30_000));
  await headed.promise;
  await clock.advance(30_000);
  expect(await sent).toEqual({ kind: 'answered', status: 200 });
});

test('reports what failed: refused connection, no HTTP, wrong certificate', async () => {
  const gone = createRawServer();
  const at = await listening(gone);
  await new Promise((resolve) => gone.close(resolve));
  expect(await opened().send(get(`http://${at}/`))).toMatchObject({ fault: 'unreachable' });
  const rude = await listening(createRawServer((socket) => void socket.end('HELLO\r\n\r\n')));
  expect(await opened().send(get(`http://${rude}/`))).toMatchObject({ fault: 'broken' });
  const { cert, key } = selfSigned();
  const tls = await listening(createTlsServer({ cert, key }, (_, response) => void response.end()));
  expect(await opened().send(get(`https://${tls}/`))).toMatchObject({ fault: 'certificate' });
  expect(await opened({ ca: cert }).send(get(`https://${tls}/`))).toEqual({ kind: 'answered', status: 200 });
});

test('opens a limited number of connections to one host', async () => {
  let most = 0;
  let open = 0;
  const waiting: (() => void)[] = [];
  const server = createServer((_, response) => {
    waiting.push(() => response.end());
    if (waiting.length === 64) for (const end of waiting.splice(0)) end();
  });
  server.on('connection', (socket) => {
    open += 1;
    most = Math.max(most, open);
    socket.on('close', () => {
      open -= 1;
    });
  });
  const url = `http://${await listening(server)}/`;
  const outgoing = opened();
  const all = await Promise.all(Array.from({ length: 256 }, () => outgoing.send(get(url))));
  expect(all.every(({ kind }) => kind === 'answered')).toBe(true);
  expect(most).toBe(64);
});
