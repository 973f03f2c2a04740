/** The gateway on a TCP port, for tills in other processes. A till with a gateway of its own never loads this. */
import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { Fault } from '../../../base/fault.ts';
import { systemErrorText } from '../../../base/system-error-text.ts';
import { answerBrokenRequests } from './broken.ts';
import { type Connections, watchConnections } from './connections.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { MayConnect } from './proxies.ts';
import {
  type PublicAddress,
  type PublicAddressSettings,
  prefixOf,
  publicAddress,
  stripPrefix,
} from './public-address.ts';
import type { GatewayApp } from './server.ts';
import type { TlsOptions } from './tls.ts';

export type HttpListener = {
  port: number;
  /** The current number of connections and of requests in progress. */
  currentLoad(): { connections: number; requests: number };
  /** Uses this certificate from the next connection on. Without TLS it changes nothing. */
  renew(tls: TlsOptions): void;
  /** Accepts no more requests; resolves when all completely received ones have been answered. */
  close(): Promise<void>;
};

export type ListenOptions = {
  app: Pick<GatewayApp, 'fetch' | 'refuse'>;
  /** 0 takes a free one. */
  port: number;
  host: string;
  /** HTTPS only. */
  tls?: TlsOptions;
  limits?: Partial<Limits>;
  /** Which machines may connect; all by default. */
  mayConnect?: MayConnect;
  /** The external address; the listening one by default. */
  reached?: PublicAddressSettings;
  clock?: Clock;
};

/** Serves the app on a TCP port. Throws `gateway.port` if the port is not available. */
export const listen = ({ app, port, host, clock = systemClock, ...rest }: ListenOptions): Promise<HttpListener> => {
  let { tls } = rest;
  const limits = { ...defaultLimits, ...rest.limits };
  const answers = new Set<ServerResponse>();
  const server = serverOf(limits, tls);
  const { mayConnect = () => true, reached } = rest;
  const secure = tls !== undefined;
  const connections = watchConnections({ server, secure, limits, clock, mayConnect, refuse: app.refuse });
  const close = createClose({ server, answers, connections });
  answerBrokenRequests({ server, answers, refuse: app.refuse });
  const addressOf = publicAddress({ ...reached, host, certificate: () => tls?.cert });
  answerRequests({ server, app, limits, connections, addressOf });

  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      connections.stop();
      reject(new Fault('gateway.port', { port: `${host}:${port}`, why: systemErrorText(error) }, error));
    });
    server.listen(port, host, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        currentLoad: () => ({ connections: connections.count(), requests: answers.size }),
        renew: (newTls) => {
          if (!('setSecureContext' in server)) return;
          server.setSecureContext(newTls);
          tls = newTls;
        },
        close,
      }),
    );
  });
};

/** A request that knows the gateway's external address, `https://host/path`; empty until it is determined. */
class AddressedRequest extends IncomingMessage {
  base = '';
}

const serverOf = (limits: Limits, tls: TlsOptions | undefined): Server | TlsServer => {
  const options = {
    IncomingMessage: AddressedRequest,
    maxHeaderSize: limits.headBytes,
    headersTimeout: limits.receiveMs,
    requestTimeout: limits.receiveMs,
    connectionsCheckingInterval: limits.receiveMs / 10,
    keepAliveTimeout: limits.idleMs,
    // A missing header is answered in JSON, like all other malformed addresses.
    requireHostHeader: false,
  };
  const server =
    tls === undefined
      ? createServer(options)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: limits.receiveMs });
  // With too many headers the platform would silently drop the last ones, possibly an Idempotency-Key.
  server.maxHeadersCount = 0;
  return server;
};

type Answering = {
  server: Server;
  app: ListenOptions['app'];
  limits: Limits;
  connections: Connections;
  addressOf: PublicAddress;
};

/** Passes requests to the app, except those beyond a limit. */
const answerRequests = ({ server, app, limits, connections, addressOf }: Answering): void => {
  const baseOf = (incoming: unknown): string | undefined =>
    incoming instanceof AddressedRequest ? incoming.base : undefined;
  const answer = getRequestListener((request, { incoming }) => app.fetch(request, baseOf(incoming)), {
    errorHandler: () => app.refuse(400, 'The request’s address, or its Host header, is malformed.'),
  });
  const pipelinedCounts = new WeakMap<object, number>();
  const served = new WeakMap<object, number>();
  server.on('request', (request: AddressedRequest, response: ServerResponse) => {
    const { socket } = request;
    if (connections.isTurnedAway(socket)) return connections.ignore(socket);
    const previousCount = pipelinedCounts.get(socket) ?? 0;
    pipelinedCounts.set(socket, previousCount + 1);
    response.once('close', () => pipelinedCounts.set(socket, (pipelinedCounts.get(socket) ?? 1) - 1));
    served.set(socket, (served.get(socket) ?? 0) + 1);
    if (previousCount >= limits.pipelined) {
      connections.turnAway(socket);
      void refuse(response, app.refuse(503, `More than ${limits.pipelined} requests wait on this connection.`));
      return;
    }
    if (served.get(socket) === limits.requestsPerConnection) {
      // Requests after the last one are ignored: the connection closes with its answer.
      response.setHeader('connection', 'close');
      connections.turnAway(socket);
    }
    if (request.rawHeaders.length > limits.headers * 2) {
      void refuse(response, app.refuse(431, `The request has more than ${limits.headers} headers.`));
    } else {
      request.base = addressOf(request);
      request.url = stripPrefix(request.url ?? '', prefixOf(request.base));
      void answer(request, response);
    }
  });
  // By default an unknown `Expect` header is refused without an answer, although it does no harm.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
};

const refuse = async (response: ServerResponse, refusal: Response): Promise<void> => {
  response.writeHead(refusal.status, { ...Object.fromEntries(refusal.headers), connection: 'close' });
  response.end(await refusal.text());
};

type Closing = { server: Server; answers: Set<ServerResponse>; connections: Connections };

/**
 * Keeps the set of answers in progress, and returns the function that closes the server. By itself the server would
 * wait for every unused connection, and for bodies that nobody reads.
 */
const createClose = ({ server, answers, connections }: Closing): (() => Promise<void>) => {
  let stopping = false;
  const cutTheRest = (): void => {
    if (stopping && ![...answers].some(({ req }) => req.complete)) server.closeAllConnections();
  };
  server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    if (connections.isTurnedAway(socket)) return;
    answers.add(answer);
    if (stopping) answer.setHeader('connection', 'close');
    answer.once('close', () => {
      answers.delete(answer);
      cutTheRest();
    });
  });
  return () =>
    new Promise((resolve) => {
      stopping = true;
      connections.stop();
      for (const answer of answers) if (!answer.headersSent) answer.setHeader('connection', 'close');
      server.close(() => resolve());
      cutTheRest();
    });
};
