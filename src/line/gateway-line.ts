/** The till's connection to its gateway, embedded or over the network. Only the code in use is loaded. */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { buildConnector, Dispatcher } from 'undici';
import { type Clock, deadline } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Ids, Random } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import type { Config } from '../folder/config.ts';
import type { Secrets } from '../folder/keys/secrets.ts';
import type { Channel as GatewayChannel } from '../gateway/channel.ts';
import { createSender, gatewayClient, type HostOutcome, type SendRequest } from '../gateway/client/client.ts';
import { createProvingConnector, createRestrictedLookup } from '../gateway/client/failed-call.ts';
import type { Sql } from '../journal/sql.ts';
import { mayReach, openPlainGateway, type PlainGateway } from './plain-gateway.ts';

export type GatewayCredentials = { baseUrl: string; entityId: string; token: string };

export type GatewayLine = GatewayCredentials & {
  /** Names the gateway's records: a sale is only ever settled by the gateway it was sent to. */
  name: string;
  send: SendRequest;
  /** The address of a gateway on the network; undefined for the embedded one. */
  externalUrl: string | undefined;
  /** Whether the connection may be used: the host itself sends every request it receives. */
  plain: PlainGateway;
  /** How long after it was sent a request can still arrive. */
  requestLifeMs: number;
  close(): Promise<void>;
};

type Parts = {
  config: Config;
  secrets: Secrets;
  mode: Mode;
  /** Holds a manager's permission for plain http; without it there is none. */
  sql?: Sql;
  clock: Clock;
  ids: Ids;
  random: Random;
};

/**
 * `gateway` overrides the configured one. Throws what `openGateway` throws for the embedded one, and `gateway.plain` or
 * `gateway.plainUnallowed` for an overriding gateway that may not be used; with such a configured one the till starts,
 * but cannot sell.
 */
export const openGatewayLine = async (
  { dataDir, gateway }: { dataDir: string; gateway?: GatewayCredentials },
  { config, secrets, mode, sql, clock, ids, random }: Parts,
): Promise<GatewayLine> => {
  const { entityId, baseUrl, requestLifeMs } = config.gateway;
  const { token } = secrets;
  const credentials = gateway ?? (baseUrl === undefined ? undefined : { baseUrl, entityId, token });
  const plain = openPlainGateway(sql, credentials?.baseUrl);
  const refused = gateway && plain.refusalFault();
  if (refused !== undefined) throw refused;
  if (credentials !== undefined)
    return {
      ...credentials,
      name: nameOf(credentials),
      externalUrl: credentials.baseUrl,
      plain,
      requestLifeMs,
      ...(await openNetwork(credentials.baseUrl, clock)),
    };
  const { openGateway } = await import('../gateway/server/embedded.ts');
  const app = await openGateway({ dataDir, channels: [embeddedChannel(config, secrets, mode)], clock, ids, random });
  // In the same process a request either reached the gateway or is lost with the till: none is ever in transit.
  const embedded = { baseUrl: 'http://embedded/', externalUrl: undefined, plain, entityId, token, requestLifeMs: 0 };
  return { ...embedded, name: nameOf(embedded), send: createSender(app.fetch), close: () => app.close() };
};

/**
 * The embedded gateway's only channel. A test till's never leads to a processor. Throws `config.malformed` if the
 * processor's token is missing.
 */
const embeddedChannel = ({ gateway }: Config, { token, upstreamToken }: Secrets, mode: Mode): GatewayChannel => {
  const { entityId, upstream } = gateway;
  if (mode === 'test' || upstream === undefined) return { entityId, token };
  if (upstreamToken === undefined) {
    const reason =
      'upstreamToken: is missing, and the processor in gateway.upstream of till.json refuses every request without it';
    throw new Fault('config.malformed', { file: 'till.secrets.json', why: reason });
  }
  return { entityId, token, mode: 'live', upstream: { ...upstream, token: upstreamToken } };
};

/** Asks the gateway, as a till would, about a sale that does not exist. Never rejects. */
export const askChannel = async (
  channel: GatewayCredentials,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): Promise<HostOutcome> => {
  const line = await openNetwork(channel.baseUrl, clock);
  try {
    const client = gatewayClient({ ...channel, send: line.send, clock, timeoutMs });
    return await client.get('v1/query', { merchantTransactionId: nobodysSale });
  } finally {
    await line.close();
  }
};

/** An id that no sale has. */
export const nobodysSale = '0'.repeat(32);

const nameOf = ({ entityId, baseUrl }: GatewayCredentials): string => `${entityId} at ${baseUrl}`;

/** Statuses without a body, by the Fetch standard. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

const responseOf = async ({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Response> => {
  const input = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each]));
  const isBodiless = BODILESS.has(statusCode);
  // Read to its end, so that the connection is free for the next request.
  if (isBodiless) await body.dump();
  const web = isBodiless ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array>);
  return new Response(web, { status: statusCode, headers: input as [string, string][] });
};

const openNetwork = async (baseUrl: string, clock: Clock): Promise<{ send: SendRequest; close(): Promise<void> }> => {
  const undici = await import('undici');
  const timeoutError = () => new undici.errors.ConnectTimeoutError('it did not answer the connection');
  const lookup = createRestrictedLookup(mayReach(baseUrl));
  const line = quickConnect(undici.buildConnector({ timeout: 0, lookup, allowH2: false }), { clock, timeoutError });
  const dispatcher = new undici.Agent({ connect: createProvingConnector(line.connect), allowH2: false, pipelining: 1 });
  return {
    async send({ url, method, headers, body, signal }) {
      // No byte of the request has left: it fails like a request for which no connection was found.
      if (line.isDown()) throw timeoutError();
      // Not `fetch`, which copies the body: these bytes go directly to the socket and are overwritten afterwards.
      const answer = await undici.request(url, {
        method,
        signal,
        dispatcher,
        body: body ?? null,
        headers: { accept: '*/*', 'user-agent': 'tillgate', ...headers },
      });
      return responseOf(answer);
    },
    async close() {
      line.stop();
      await dispatcher.close();
    },
  };
};

// Connections to a gateway while a sale waits: a line that does not answer is given up soon and remembered as down, so
// that the next sale need not wait for it. Background attempts find out when it is back.

type Connector = buildConnector.connector;
type Options = buildConnector.Options;

export type QuickConnect = {
  /** For undici's agents. */
  connect: Connector;
  /** The last connection was given up, and no attempt has succeeded since. */
  isDown(): boolean;
  /** Stops the background attempts. */
  stop(): void;
};

/** A connection that is not complete by then, encryption included, counts as not reached: nothing was sent. */
export const CONNECT_WITHIN_MS = 1_500;
/** The pause between two background attempts. */
export const TRY_EVERY_MS = 2_000;

/** `connector` makes the connections, without a deadline of its own; `timeoutError`: for one that was given up. */
const quickConnect = (
  connector: Connector,
  { clock, timeoutError }: { clock: Clock; timeoutError: () => Error },
): QuickConnect => {
  let down = false;
  let stopped = false;
  let cancelTry = () => {};
  const givenUp = new WeakSet<Error>();

  const attempt = (options: Options, callback: buildConnector.Callback): void => {
    let ended = false;
    const end = (...[error, socket]: Parameters<buildConnector.Callback>): void => {
      // A connection that succeeds after it was given up is not used: its request has already been reported as not
      // sent.
      if (ended) return void socket?.destroy();
      ended = true;
      stopWaiting();
      if (error === null) callback(null, socket);
      else callback(error, null);
    };
    const stopWaiting = deadline(clock, CONNECT_WITHIN_MS, () => {
      const waiting = started as Socket | undefined;
      const error = timeoutError();
      givenUp.add(error);
      end(error, null);
      waiting?.destroy();
    });
    // It returns the pending socket, which its type does not say.
    const started: unknown = connector(options, (...came) => end(...came));
  };

  const isLate = (error: Error | null): boolean => error !== null && givenUp.has(error);

  const tryAgain = (options: Options): void => {
    cancelTry = clock.after(TRY_EVERY_MS, () =>
      attempt(options, (error, socket) => {
        socket?.destroy();
        // An attempt that fails at once delays nobody: the next sale can try by itself.
        down = isLate(error);
        if (down && !stopped) tryAgain(options);
      }),
    );
  };

  return {
    connect: (options, callback) =>
      attempt(options, (error, socket) => {
        if (isLate(error) && !down && !stopped) {
          down = true;
          tryAgain(options);
        }
        if (error === null) callback(null, socket);
        else callback(error, null);
      }),
    isDown: () => down,
    stop() {
      stopped = true;
      cancelTry();
    },
  };
};
