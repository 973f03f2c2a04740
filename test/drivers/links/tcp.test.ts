/** TCP links on a bad network: nobody listens, peers die, peers take nothing. */
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { inbox, writeThrough } from '../../../drivers/links/link.ts';
import { listenTcp, openTcp } from '../../../drivers/links/tcp.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { posixTest } from '../../support/platform/platform.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

test('where nobody listens the port is unavailable', async () => {
  const server = await listenTcp({ port: 0, clock: systemClock, accept: () => {} });
  await server.close();
  await expect(openTcp({ host: '127.0.0.1', port: server.port, clock: systemClock })).rejects.toMatchObject({
    code: 'link.unavailable',
    facts: { port: `tcp://127.0.0.1:${server.port}` },
  });
});

test('a port that is taken cannot be listened on', async () => {
  const server = await listenTcp({ port: 0, clock: systemClock, accept: () => {} });
  await expect(listenTcp({ port: server.port, clock: systemClock, accept: () => {} })).rejects.toMatchObject({
    code: 'link.unavailable',
  });
  await server.close();
});

test('connecting has its own deadline', async () => {
  const clock = virtualClock();
  // An address for documentation, where no host ever answers.
  const opening = openTcp({ host: '192.0.2.1', port: 7000, clock }).catch((error: unknown) => error);
  await clock.advance(10_000);
  expect(await opening).toMatchObject({ code: 'link.unavailable' });
});

test('a write that is never acknowledged loses the link at its deadline', async () => {
  const clock = virtualClock();
  const box = inbox('port');
  const reasons: string[] = [];
  const writing = writeThrough({ name: 'port', clock, box, onLost: (reason) => reasons.push(reason) }, () => {});
  const failed = writing.catch((error: unknown) => error);
  await clock.advance(5_000);
  expect(await failed).toMatchObject({ code: 'link.lost', facts: { port: 'port' } });
  expect(reasons).toEqual(['it took no bytes for 5000 ms']);
});

test('unread bytes are held up to a bound, then the link is given up', () => {
  const box = inbox('port');
  for (let index = 0; index < 100; index += 1) box.deliver(new Uint8Array(1_000));
  expect(box.lossFault()).toMatchObject({ code: 'link.lost' });
  let receivedCount = 0;
  let losses = 0;
  box.listen({ bytes: (bytes) => (receivedCount += bytes.length), closed: () => (losses += 1) });
  expect(receivedCount).toBeLessThanOrEqual(65_536);
  expect(losses).toBe(1);
});

/** A bare server, and the sockets that connected to it. */
const serve = async (take: (socket: Socket) => void) => {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    take(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return { port, sockets, close };
};

test('after a loss the same address can be opened again', async () => {
  const { port, sockets, close } = await serve((socket) => socket.on('data', (bytes) => socket.write(bytes)));
  for (const round of [1, 2, 3]) {
    const link = await openTcp({ host: '127.0.0.1', port, clock: systemClock });
    const received = Promise.withResolvers<Uint8Array>();
    const lost = Promise.withResolvers<unknown>();
    link.listen({ bytes: received.resolve, closed: lost.resolve });
    await link.write(Uint8Array.of(round));
    expect([...(await received.promise)]).toEqual([round]);
    // Not an orderly end: the peer resets the connection, like a terminal after a power failure.
    sockets.at(-1)?.resetAndDestroy();
    expect(await lost.promise).toMatchObject({ code: 'link.lost' });
    await expect(link.write(Uint8Array.of(9))).rejects.toMatchObject({ code: 'link.lost' });
    await link.close();
  }
  await close();
});

// Wine's network takes 64 MB even if nobody reads them, so no write is late there.
posixTest('a peer that takes nothing is noticed at the write deadline, although the connection is up', async () => {
  const { port, close } = await serve((socket) => socket.pause());
  const clock = virtualClock();
  const link = await openTcp({ host: '127.0.0.1', port, clock });
  const losses: unknown[] = [];
  link.listen({ bytes: () => {}, closed: (fault) => losses.push(fault) });
  // More than both ends' buffers hold.
  const writing = link.write(new Uint8Array(64 * 1024 * 1024)).catch((error: unknown) => error);
  await clock.advance(5_000);
  expect(await writing).toMatchObject({ code: 'link.lost', facts: { why: 'it took no bytes for 5000 ms' } });
  expect(losses).toHaveLength(1);
  await link.close();
  await close();
});

/** The kernel's timer of this connection, from its own table: `02` is keep-alive. */
const timerOf = (localPort: number, remotePort: number): string | undefined => {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const rows = readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  const row = rows.find(
    ([, local = '', remote = '']) => local.endsWith(`:${hex(localPort)}`) && remote.endsWith(`:${hex(remotePort)}`),
  );
  return row?.[5]?.slice(0, 2);
};

test.runIf(process.platform === 'linux')('the system watches a silent connection', async () => {
  const connected = Promise.withResolvers<Socket>();
  const { port, close } = await serve(connected.resolve);
  const link = await openTcp({ host: '127.0.0.1', port, clock: systemClock });
  const { remotePort = 0 } = await connected.promise;
  expect(timerOf(remotePort, port)).toBe('02');
  // The other end has no such timer, so the test would see the difference.
  expect(timerOf(port, remotePort)).toBe('00');
  await link.close();
  await close();
});
