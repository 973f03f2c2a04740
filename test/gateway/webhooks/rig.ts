/** A whole gateway that may call this machine, and its host API for a shop's back office. */
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import type { Channel } from '../../../src/gateway/channel.ts';
import { type Embedded, openGateway } from '../../../src/gateway/server/embedded.ts';
import { entityId, otherEntityId, type Parameters, type Reply, replyOf, token } from '../../support/gateway/gateway.ts';

export type Rig = {
  gateway: Embedded;
  clock: Clock;
  reported: unknown[];
  post(path: string, parameters: Parameters): Promise<Reply>;
  get(path: string, parameters?: Parameters): Promise<Reply>;
  remove(path: string): Promise<Reply>;
  /** Resolves when the condition holds; rejects if it does not within 20 seconds. */
  waitUntil(isDone: () => boolean | Promise<boolean>): Promise<void>;
};

type Parts = {
  dataDir?: string;
  database?: string;
  vaultKey?: string;
  clock?: Clock;
  channel?: Partial<Channel>;
  allowPrivateUrls?: boolean;
};

export const openRig = async (parts: Parts = {}): Promise<Rig> => {
  const { dataDir = ':memory:', clock = systemClock, channel, allowPrivateUrls = true, ...rest } = parts;
  const reportedErrors: unknown[] = [];
  const gateway = await openGateway({
    dataDir,
    ...rest,
    clock,
    ids: systemIds,
    random: systemRandom,
    channels: [
      { entityId, token, name: 'Corner Shop', ...channel },
      { entityId: otherEntityId, token: 'other-token' },
    ],
    allowPrivateUrls,
    report: (error) => reportedErrors.push(error),
  });
  const call = async (method: string, path: string, parameters: Parameters = {}) => {
    const form = new URLSearchParams({ entityId, ...parameters }).toString();
    const headers = {
      authorization: `Bearer ${parameters['entityId'] === otherEntityId ? 'other-token' : token}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const url = `http://gateway.test/${path}`;
    const request =
      method === 'POST'
        ? new Request(url, { method, headers, body: form })
        : new Request(`${url}?${form}`, { method, headers });
    return replyOf(await gateway.fetch(request));
  };
  return {
    gateway,
    clock,
    reported: reportedErrors,
    post: (path, parameters) => call('POST', path, parameters),
    get: (path, parameters) => call('GET', path, parameters),
    remove: (path) => call('DELETE', path),
    async waitUntil(isDone) {
      const end = systemClock.monotonic() + 20_000;
      while (!(await isDone())) {
        if (systemClock.monotonic() >= end) throw new Error('the condition did not hold within 20 seconds');
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
};
