/** A shop and a gateway, everything real, on ports of this machine; shoppers bring their browsers. */
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import type { Channel } from '../../../src/gateway/channel.ts';
import { openGateway } from '../../../src/gateway/server/embedded.ts';
import { listen } from '../../../src/gateway/server/http/listen.ts';
import { openShop } from '../../../src/shop/shop.ts';

const HOST = '127.0.0.1';

export type ShopServers = {
  shop: string;
  gateway: string;
  /** Creates a checkout with a shop's parameters, and returns its id. Undefined parameters are left out. */
  checkout(parameters?: Readonly<Record<string, string | undefined>>): Promise<string>;
  /** Asks the gateway as the shop does. */
  ask(path: string): Promise<Readonly<Record<string, unknown>>>;
  /** Sets the content of `otherPage`, a page of another shop, from its next load on. */
  serve(html: string, policy?: string): void;
  /** Advances the gateway's clock by this time. */
  advance(ms: number): void;
  close(): Promise<void>;
};

/**
 * The channel's settings besides 3-D Secure; the gateway's time at its start; the host name that shoppers use for it,
 * which with `localhost` is another site than the shop's.
 */
export type ShopParts = { channel?: Partial<Channel>; startMs?: number; gatewayName?: string };

export const openShopServers = async ({
  channel,
  startMs,
  gatewayName = HOST,
}: ShopParts = {}): Promise<ShopServers> => {
  let ahead = startMs === undefined ? 0 : startMs - systemClock.now();
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const entityId = systemIds.next();
  const token = 'a-token-for-tests';
  const reported: unknown[] = [];
  const gateway = await openGateway({
    dataDir: ':memory:',
    channels: [{ entityId, token, name: 'Nordwind', threeDSecure: { enabled: true }, ...channel }],
    clock,
    ids: systemIds,
    random: systemRandom,
    allowPrivateUrls: true,
    report: (error) => reported.push(error),
  });
  const failedResponse = (status: number, reason: string): Response => new Response(reason, { status });
  const gatewayServer = await listen({ app: gateway, port: 0, host: HOST });
  const baseUrl = `http://${gatewayName}:${gatewayServer.port}/`;
  let address = '';
  let otherPage = { html: '', policy: '' };
  const shop = openShop({ gateway: { baseUrl, entityId, token }, address: () => address, locale: 'en' });
  const fetchPage = async (request: Request): Promise<Response> => {
    const { pathname, search, port } = new URL(request.url);
    // The same shop under another host name.
    const elsewhere = `http://localhost:${port}/result${search}`;
    if (pathname === '/onward') return new Response(null, { status: 302, headers: { location: elsewhere } });
    if (pathname !== '/other') return shop.fetch(request);
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': otherPage.policy };
    return new Response(otherPage.html, { headers });
  };
  const shopServer = await listen({ app: { fetch: fetchPage, refuse: failedResponse }, port: 0, host: HOST });
  address = `http://${HOST}:${shopServer.port}/`;
  return {
    shop: address,
    gateway: baseUrl,
    async checkout(parameters = {}) {
      const response = await fetch(`${baseUrl}v1/checkouts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: formOf({ entityId, amount: '12.90', currency: 'EUR', paymentType: 'DB', ...parameters }),
      });
      const { id } = (await response.json()) as { id?: string };
      if (id === undefined) throw new Error(`no checkout: ${response.status}`);
      return id;
    },
    async ask(path) {
      const headers = { authorization: `Bearer ${token}` };
      return (await (await fetch(`${baseUrl}${path}?entityId=${entityId}`, { headers })).json()) as Record<
        string,
        unknown
      >;
    },
    advance: (ms) => {
      ahead += ms;
    },
    serve: (html, policy = '') => {
      otherPage = { html, policy };
    },
    async close() {
      await shopServer.close();
      await gatewayServer.close();
      await gateway.close();
      if (reported.length > 0) throw new AggregateError(reported, 'the gateway reported faults');
    },
  };
};

const formOf = (parameters: Readonly<Record<string, string | undefined>>): URLSearchParams => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) form.set(name, value);
  return form;
};
