/** A receiver of notifications: a real server that decrypts them as a shop would, and answers as configured. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decryptNotification } from '../../../src/gateway/webhooks/encryption.ts';

export const secret = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';

export type ReceivedNotification = {
  /** The time of the call, if a clock was given. */
  at: number;
  headers: IncomingHttpHeaders;
  body: string;
  notification: {
    type: string;
    action?: string;
    eventId: string;
    sequence: number;
    payload: Readonly<Record<string, unknown>> & { id: string; result: { code: string } };
  };
};

export type Receiver = {
  url: string;
  received: ReceivedNotification[];
  /** A summary of the received events: `PAYMENT 000.100.110`. */
  eventLines(): string[];
  /** Resolves when this many were received. */
  count(wantedCount: number): Promise<void>;
  close(): Promise<void>;
  /** Stops listening until it is opened again, at the same port. */
  stopListening(): Promise<void>;
  listenAgain(): Promise<void>;
};

type Behaviour = {
  now?: () => number;
  secrets?: readonly string[];
  /** Returns the status, or nothing if it sends the answer itself. */
  answer?: (
    received: ReceivedNotification,
    response: ServerResponse,
  ) => number | undefined | Promise<number | undefined>;
};

export const openReceiver = async ({ now = () => 0, secrets = [secret], answer = () => 200 }: Behaviour = {}) => {
  const received: ReceivedNotification[] = [];
  let waiters: { wantedCount: number; resolve: () => void }[] = [];
  let server: Server;
  let port = 0;
  const listen = async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const notification = decryptCall(
          { at: now(), headers: request.headers, body: Buffer.concat(chunks).toString() },
          secrets,
        );
        received.push(notification);
        for (const { wantedCount, resolve } of waiters) if (received.length >= wantedCount) resolve();
        waiters = waiters.filter(({ wantedCount }) => received.length < wantedCount);
        const status = await answer(notification, response);
        if (status !== undefined) response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stopListening = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen();
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/notifications`,
    received,
    eventLines: () =>
      received.map(
        ({ notification }) => `${notification.type} ${notification.action ?? notification.payload.result.code}`,
      ),
    count: (wantedCount) =>
      received.length >= wantedCount
        ? Promise.resolve()
        : new Promise((resolve) => void waiters.push({ wantedCount, resolve })),
    close: stopListening,
    stopListening,
    listenAgain: listen,
  };
  return receiver;
};

const decryptCall = (
  raw: Omit<ReceivedNotification, 'notification'>,
  secrets: readonly string[],
): ReceivedNotification => {
  const header = (name: string) => String(raw.headers[name]);
  const body = raw.body.startsWith('{') ? (JSON.parse(raw.body) as { encryptedBody: string }).encryptedBody : raw.body;
  const nonce = header('x-initialization-vector');
  const tag = header('x-authentication-tag');
  for (const each of secrets) {
    try {
      const notification = JSON.parse(
        decryptNotification({ secret: each, nonce, tag, body }),
      ) as ReceivedNotification['notification'];
      return { ...raw, notification };
    } catch {}
  }
  throw new Error('none of the secrets opens it');
};
