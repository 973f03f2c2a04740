/** A TCP connection as a link: to a terminal on the network, or from a till to a simulated one. */
import { connect, createServer, type Socket } from 'node:net';
import { type Clock, deadline } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { overwrite } from '../../src/base/hex.ts';
import { systemErrorText } from '../../src/base/system-error-text.ts';
import { inbox, type Link, writeThrough } from './link.ts';

const connectMs = 10_000;
/** Idle time before keep-alive begins, by which the system notices a terminal that was switched off. */
const keepAliveMs = 10_000;

/** Connects. Throws `link.unavailable` when nothing listens there, or there is no connection within ten seconds. */
export const openTcp = ({ host, port, clock }: { host: string; port: number; clock: Clock }): Promise<Link> =>
  new Promise((resolve, reject) => {
    const name = `tcp://${host.includes(':') ? `[${host}]` : host}:${port}`;
    const receiver: ByteReceiver = { bytes: () => {} };
    const socket = connect({ host, port, onread: readIntoBuffer(receiver) });
    const fail = (reason: string, cause?: unknown) => {
      stop();
      socket.destroy();
      reject(new Fault('link.unavailable', { port: name, why: reason }, cause));
    };
    const refuse = (error: Error) => fail(systemErrorText(error), error);
    const stop = deadline(clock, connectMs, () => fail(`no answer within ${connectMs} ms`));
    socket.once('error', refuse);
    socket.once('connect', () => {
      stop();
      socket.off('error', refuse);
      resolve(tcpLink(socket, { name, clock, receiver }));
    });
  });

/** Listens on this machine; port 0 chooses a free one. Throws `link.unavailable` when the port is taken. */
export const listenTcp = (at: {
  port: number;
  host?: string;
  clock: Clock;
  accept: (link: Link) => void;
}): Promise<{ port: number; close(): Promise<void> }> =>
  new Promise((resolve, reject) => {
    const { host = '127.0.0.1', clock } = at;
    const links = new Set<Socket>();
    const server = createServer((socket) => {
      links.add(socket);
      socket.once('close', () => links.delete(socket));
      at.accept(tcpLink(socket, { name: `tcp://${socket.remoteAddress ?? '?'}:${socket.remotePort ?? 0}`, clock }));
    });
    const close = () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        for (const socket of links) socket.destroy();
      });
    server.on('error', (error) =>
      reject(new Fault('link.unavailable', { port: `tcp://${host}:${at.port}`, why: systemErrorText(error) }, error)),
    );
    server.listen(at.port, host, () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : at.port, close });
    });
  });

/** Receives the bytes that a socket reads. */
type ByteReceiver = { bytes(bytes: Uint8Array): void };

const READ_BYTES = 65_536;

/**
 * By default Node reads into memory that it frees without clearing it, and a terminal's encrypted PIN would be left
 * there: this buffer is used for every read and overwritten afterwards.
 */
const readIntoBuffer = (receiver: ByteReceiver) => {
  const buffer = new Uint8Array(READ_BYTES);
  return {
    buffer,
    callback(count: number): boolean {
      const read = buffer.subarray(0, count);
      const bytes = read.slice();
      overwrite(read);
      receiver.bytes(bytes);
      return true;
    },
  };
};

const tcpLink = (
  socket: Socket,
  { name, clock, receiver }: { name: string; clock: Clock; receiver?: ByteReceiver },
): Link => {
  const box = inbox(name);
  const loseLink = (reason: string, cause?: unknown) => {
    box.lose(new Fault('link.lost', { port: name, why: reason }, cause));
    socket.destroy();
  };
  socket.setNoDelay(true);
  socket.setKeepAlive(true, keepAliveMs);
  if (receiver === undefined) socket.on('data', (bytes) => box.deliver(new Uint8Array(bytes)));
  else receiver.bytes = (bytes) => box.deliver(bytes);
  socket.on('error', (error) => loseLink(systemErrorText(error), error));
  socket.on('end', () => loseLink('the other end closed it'));
  socket.on('close', () => loseLink('it is closed'));

  return {
    name,
    carries: 'stream',
    listen: box.listen,
    write: (bytes) => writeThrough({ name, clock, box, onLost: loseLink }, (done) => socket.write(bytes, done)),
    async close() {
      box.close();
      // The last bytes written are still sent; a peer that takes nothing is disconnected.
      const cut = clock.after(1_000, () => socket.destroy());
      await new Promise<void>((resolve) => {
        if (socket.closed) return resolve();
        socket.once('close', () => resolve());
        socket.end(() => socket.destroy());
      });
      cut();
    },
  };
};
