/** The gateway on a TCP port, for tills in other processes. A till with the gateway in the box never loads this. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Fault } from '../../base/fault.ts';
import { answerBrokenRequests } from './broken.ts';
import type { GatewayApp } from './server.ts';

export type Listening = {
  port: number;
  /** Takes no more requests; resolves when those that were received whole have been answered. */
  close(): Promise<void>;
};

export type ListenOptions = {
  app: Pick<GatewayApp, 'fetch' | 'refuse'>;
  /** 0 takes a free one. */
  port: number;
  host: string;
  /** How long a request may take to arrive, from its first byte to its last. */
  receiveMs?: number;
};

const RECEIVE_MS = 30_000;

/** Serves the app on a TCP port. Throws `gateway.port` when the port cannot be had. */
export const listen = ({ app, port, host, receiveMs = RECEIVE_MS }: ListenOptions): Promise<Listening> => {
  const answers = new Set<ServerResponse>();
  const server = createServer(
    {
      headersTimeout: receiveMs,
      requestTimeout: receiveMs,
      connectionsCheckingInterval: receiveMs / 10,
      // Its absence is answered in JSON, with all other malformed addresses.
      requireHostHeader: false,
    },
    getRequestListener((request) => app.fetch(request), {
      errorHandler: () => app.refuse(400, 'The request’s address, or its Host header, is malformed.'),
    }),
  );
  // Without this an unknown expectation is refused without a word; it is no hindrance.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  answerBrokenRequests({ server, answers, refuse: app.refuse });
  const close = closing(server, answers);

  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Fault('gateway.port', { port: `${host}:${port}`, why: whyNot(error) }, error)),
    );
    server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port, close }));
  });
};

const refusals: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has it',
  EACCES: 'this user may not use it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name is not known',
};

const whyNot = (error: Error): string => refusals['code' in error ? String(error.code) : ''] ?? error.message;

/**
 * Keeps the list of answers under way, and gives the way to stop. Left to itself the server would wait for every
 * connection that somebody opened and never used, and for bodies that nobody reads.
 */
const closing = (server: Server, answers: Set<ServerResponse>): (() => Promise<void>) => {
  let stopping = false;
  const cutTheRest = (): void => {
    if (stopping && ![...answers].some(({ req }) => req.complete)) server.closeAllConnections();
  };
  server.on('request', (_, answer: ServerResponse) => {
    answers.add(answer);
    if (stopping) answer.setHeader('connection', 'close');
    answer.once('close', () => {
      answers.delete(answer);
      cutTheRest();
    });
  });
  return () =>
    new Promise((done) => {
      stopping = true;
      server.close(() => done());
      cutTheRest();
    });
};
