/** A whole gateway in memory with the simulators, used as a merchant uses it. */
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import type { Channel } from '../../../src/gateway/channel.ts';
import { type Embedded, openGateway } from '../../../src/gateway/server/embedded.ts';
import { entityId, type Parameters, type Reply, replyOf, token } from '../../support/gateway/gateway.ts';

export type Shop = {
  gateway: Embedded;
  post(path: string, parameters: Parameters, headers?: Parameters): Promise<Reply>;
  get(path: string, query?: Parameters): Promise<Reply>;
};

type Parts = { channel?: Partial<Channel>; clock?: Clock; report?: (error: unknown) => void };

export const openShop = async ({ channel = {}, clock = systemClock, report = () => {} }: Parts = {}): Promise<Shop> => {
  const gateway = await openGateway({
    dataDir: ':memory:',
    channels: [{ entityId, token, ...channel }],
    clock,
    ids: systemIds,
    random: systemRandom,
    report,
  });
  const authorization = `Bearer ${token}`;
  const send = async (target: string, init: RequestInit) =>
    replyOf(await gateway.fetch(new Request(`https://shop.test/${target}`, init)));
  return {
    gateway,
    post: (path, parameters, headers) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams({ entityId, ...parameters }).toString(),
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    get: (path, query) =>
      send(`${path}?${new URLSearchParams({ entityId, ...query })}`, { method: 'GET', headers: { authorization } }),
  };
};
