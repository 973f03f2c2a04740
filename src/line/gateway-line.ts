/** The till's line to its gateway: to the one in the box, or over the network. Only what is used is loaded. */
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
import { gatewayClient, type HostOutcome, type SendRequest, sendBy } from '../gateway/client/client.ts';
import { lookupWithin, provingConnector } from '../gateway/client/failed-call.ts';
import type { Sql } from '../journal/sql.ts';
import { mayReach, openPlainGateway, type PlainGateway } from './plain-gateway.ts';

export type GatewayCredentials = { baseUrl: string; entityId: string; token: string };

export type GatewayLine = GatewayCredentials & {
  /** Which books these are: a sale is only ever settled by those it was sent to. */
  name: string;
  send: SendRequest;
  /** Address of a gateway over the network; undefined of the one in the box. */
  elsewhere: string | undefined;
  /** Whether the way there may be used: what is given here sends whatever it is asked to. */
  plain: PlainGateway;
  /** How long after a request was sent it can still arrive. */
  requestLifeMs: number;
  close(): Promise<void>;
};

type Parts = {
  config: Config;
  secrets: Secrets;
  mode: Mode;
  /** Where a manager's permission for plain http stands; left out, there is none. */
  sql?: Sql;
  clock: Clock;
  ids: Ids;
  random: Random;
};

/**
 * `gateway` overrides the configured one. Throws what `openGateway` throws where it is the embedded one, and
 * `gateway.plain` or `gateway.plainUnallowed` for a `gateway` that nothing may be sent to: of a configured one the till
 * starts, and sells nothing.
 */
export const openGatewayLine = async (
  { dataDir, gateway }: { dataDir: string; gateway?: GatewayCredentials },
  { config, secrets, mode, sql, clock, ids, random }: Parts,
): Promise<GatewayLine> => {
  const { entityId, baseUrl, requestLifeMs } = config.gateway;
  const { token } = secrets;
  const elsewhere = gateway ?? (baseUrl === undefined ? undefined : { baseUrl, entityId, token });
  const plain = openPlainGateway(sql, elsewhere?.baseUrl);
  const refused = gateway && plain.refusal();
  if (refused !== undefined) throw refused;
  if (elsewhere !== undefined)
    return {
      ...elsewhere,
      name: nameOf(elsewhere),
      elsewhere: elsewhere.baseUrl,
      plain,
      requestLifeMs,
      ...(await network(elsewhere.baseUrl, clock)),
    };
  const { openGateway } = await import('../gateway/server/embedded.ts');
  const app = await openGateway({ dataDir, channels: [inTheBox(config, secrets, mode)], clock, ids, random });
  // In the same process a request is either with the gateway or gone with the till: nothing is ever under way.
  const embedded = { baseUrl: 'http://embedded/', elsewhere: undefined, plain, entityId, token, requestLifeMs: 0 };
  return { ...embedded, name: nameOf(embedded), send: sendBy(app.fetch), close: () => app.close() };
};

/**
 * The one channel of the gateway in the box. A test till's never leads to a processor. Throws `config.malformed` where
 * the processor's token is missing.
 */
const inTheBox = ({ gateway }: Config, { token, upstreamToken }: Secrets, mode: Mode): GatewayChannel => {
  const { entityId, upstream } = gateway;
  if (mode === 'test' || upstream === undefined) return { entityId, token };
  if (upstreamToken === undefined) {
    const why =
      'upstreamToken: is missing, and the processor in gateway.upstream of till.json lets nobody in without it';
    throw new Fault('config.malformed', { file: 'till.secrets.json', why });
  }
  return { entityId, token, mode: 'live', upstream: { ...upstream, token: upstreamToken } };
};

/** Asks the gateway, as a till would, about a sale that nobody made. Never rejects. */
export const askChannel = async (
  channel: GatewayCredentials,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): Promise<HostOutcome> => {
  const line = await network(channel.baseUrl, clock);
  try {
    const client = gatewayClient({ ...channel, send: line.send, clock, timeoutMs });
    return await client.get('v1/query', { merchantTransactionId: nobodysSale });
  } finally {
    await line.close();
  }
};

/** No sale has this id. */
export const nobodysSale = '0'.repeat(32);

const nameOf = ({ entityId, baseUrl }: GatewayCredentials): string => `${entityId} at ${baseUrl}`;

/** Statuses that have no body, by the Fetch standard. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

const responseOf = async ({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Response> => {
  const given = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each]));
  const isBodiless = BODILESS.has(statusCode);
  // Read to its end, so that the connection is free for the next request.
  if (isBodiless) await body.dump();
  const web = isBodiless ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array>);
  return new Response(web, { status: statusCode, headers: given as [string, string][] });
};

const network = async (baseUrl: string, clock: Clock): Promise<{ send: SendRequest; close(): Promise<void> }> => {
  const undici = await import('undici');
  const late = () => new undici.errors.ConnectTimeoutError('it did not answer the connection');
  const lookup = lookupWithin(mayReach(baseUrl));
  const line = quickConnect(undici.buildConnector({ timeout: 0, lookup, allowH2: false }), { clock, late });
  const dispatcher = new undici.Agent({ connect: provingConnector(line.connect), allowH2: false, pipelining: 1 });
  return {
    async send({ url, method, headers, body, signal }) {
      // Nothing of the request has left: it is given back as one that found no connection.
      if (line.isDown()) throw late();
      // Not `fetch`, which copies the body: these bytes go to the socket as they are, and are overwritten afterwards.
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

// Connections to a gateway that a sale waits for: a line that does not answer is given up soon, and remembered as down,
// so that the next sale need not wait for it. Whether it is back is tried in the background.

type Connector = buildConnector.connector;
type Options = buildConnector.Options;

export type QuickConnect = {
  /** For undici's agents. */
  connect: Connector;
  /** The last connection was given up, and none has been possible since. */
  isDown(): boolean;
  /** Ends the tries in the background. */
  stop(): void;
};

/** A connection that does not stand by then, encryption and all, counts as not reached: nothing was sent on it. */
export const CONNECT_WITHIN_MS = 1_500;
/** Between two tries in the background. */
export const TRY_EVERY_MS = 2_000;

/** `connector` makes the connections, without a deadline of its own; `late` the error of one that was given up. */
const quickConnect = (connector: Connector, { clock, late }: { clock: Clock; late: () => Error }): QuickConnect => {
  let down = false;
  let stopped = false;
  let cancelTry = () => {};
  const givenUp = new WeakSet<Error>();

  const attempt = (options: Options, done: buildConnector.Callback): void => {
    let ended = false;
    const end = (...[error, socket]: Parameters<buildConnector.Callback>): void => {
      // One that comes after it was given up is not used: its request has been told that it was not sent.
      if (ended) return void socket?.destroy();
      ended = true;
      stopWaiting();
      if (error === null) done(null, socket);
      else done(error, null);
    };
    const stopWaiting = deadline(clock, CONNECT_WITHIN_MS, () => {
      const waiting = started as Socket | undefined;
      const error = late();
      givenUp.add(error);
      end(error, null);
      waiting?.destroy();
    });
    // It returns the socket that it waits for, which its type does not tell.
    const started: unknown = connector(options, (...came) => end(...came));
  };

  const isLate = (error: Error | null): boolean => error !== null && givenUp.has(error);

  const tryAgain = (options: Options): void => {
    cancelTry = clock.after(TRY_EVERY_MS, () =>
      attempt(options, (error, socket) => {
        socket?.destroy();
        // What fails at once keeps nobody waiting: the next sale may try for itself.
        down = isLate(error);
        if (down && !stopped) tryAgain(options);
      }),
    );
  };

  return {
    connect: (options, done) =>
      attempt(options, (error, socket) => {
        if (isLate(error) && !down && !stopped) {
          down = true;
          tryAgain(options);
        }
        if (error === null) done(null, socket);
        else done(error, null);
      }),
    isDown: () => down,
    stop() {
      stopped = true;
      cancelTry();
    },
  };
};
