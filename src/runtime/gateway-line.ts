/** The till's line to its gateway: to the one in the box, or over the network. Only what is used is loaded. */
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Ids, Random } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import type { Channel as GatewayChannel } from '../gateway/channel.ts';
import { gatewayClient, type HostOutcome } from '../gateway/client.ts';
import type { Config } from './config.ts';
import { quickConnect } from './quick-connect.ts';
import type { Secrets } from './secrets.ts';

type Fetch = (request: Request) => Promise<Response>;

export type Channel = { baseUrl: string; entityId: string; token: string };

export type GatewayLine = Channel & {
  /** Which books these are: a sale is only ever settled by those it was sent to. */
  name: string;
  fetch: Fetch;
  /** Address of a gateway over the network; undefined of the one in the box. */
  elsewhere: string | undefined;
  /** How long after a request was sent it can still arrive. */
  requestLifeMs: number;
  close(): Promise<void>;
};

type Parts = { config: Config; secrets: Secrets; mode: Mode; clock: Clock; ids: Ids; random: Random };

/** `gateway` overrides the configured one. Throws `gateway.state` when the embedded one's data cannot be used. */
export const openGatewayLine = async (
  { dataDir, gateway }: { dataDir: string; gateway?: Channel },
  { config, secrets, mode, clock, ids, random }: Parts,
): Promise<GatewayLine> => {
  const { entityId, baseUrl, requestLifeMs } = config.gateway;
  const { token } = secrets;
  const elsewhere = gateway ?? (baseUrl === undefined ? undefined : { baseUrl, entityId, token });
  if (elsewhere !== undefined)
    return {
      ...elsewhere,
      ...{ name: nameOf(elsewhere), elsewhere: elsewhere.baseUrl, requestLifeMs },
      ...(await network(clock)),
    };
  const { openGateway } = await import('../gateway/embedded.ts');
  const app = await openGateway({ dataDir, channels: [inTheBox(config, secrets, mode)], clock, ids, random });
  // In the same process a request is either with the gateway or gone with the till: nothing is ever under way.
  const embedded = { baseUrl: 'http://embedded/', elsewhere: undefined, entityId, token, requestLifeMs: 0 };
  return { ...embedded, name: nameOf(embedded), fetch: app.fetch, close: () => app.close() };
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
  channel: Channel,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): Promise<HostOutcome> => {
  const line = await network(clock);
  try {
    const client = gatewayClient({ ...channel, fetch: line.fetch, clock, timeoutMs });
    return await client.get('v1/query', { merchantTransactionId: nobodysSale });
  } finally {
    await line.close();
  }
};

/** No sale has this id. */
export const nobodysSale = '0'.repeat(32);

const nameOf = ({ entityId, baseUrl }: Channel): string => `${entityId} at ${baseUrl}`;

const network = async (clock: Clock): Promise<{ fetch: Fetch; close(): Promise<void> }> => {
  const undici = await import('undici');
  const late = () => new undici.errors.ConnectTimeoutError('it did not answer the connection');
  const line = quickConnect(undici.buildConnector({ timeout: 0 }), { clock, late });
  const dispatcher = new undici.Agent({ connect: line.connect });
  return {
    async fetch(request) {
      // Nothing of the request has left: it is given back as one that found no connection.
      if (line.isDown()) throw late();
      const { method, url, headers, signal } = request;
      const body = method === 'GET' ? null : await request.text();
      const answer = await undici.fetch(url, {
        method,
        headers: Object.fromEntries(headers),
        signal,
        body,
        redirect: 'manual',
        dispatcher,
      });
      return answer as unknown as Response;
    },
    async close() {
      line.stop();
      await dispatcher.close();
    },
  };
};
