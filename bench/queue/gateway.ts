/** A separate embedded gateway, so that the other queue does the same work as ours. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { gatewayClient } from '../../src/gateway/client/client.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';

export type PeerGateway = { pay(parameters: Record<string, string>): Promise<void>; close(): Promise<void> };

/** `pay` throws if the sale is not approved: the measurement is then invalid. */
export const peerGateway = async (): Promise<PeerGateway> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-peer-gateway-'));
  const channel = { entityId: 'b'.repeat(32), token: 'a-token-of-the-bench' };
  const platform = { clock: systemClock, ids: systemIds, random: systemRandom };
  const app = await openGateway({ dataDir, channels: [channel], ...platform });
  const line = { ...channel, baseUrl: 'http://embedded/', clock: systemClock, timeoutMs: 60_000 };
  const client = gatewayClient({ ...line, fetch: app.fetch });
  return {
    async pay(parameters) {
      const reply = await client.post('v1/payments', parameters, systemIds.next());
      if (reply.kind !== 'answered' || reply.means !== 'approved') throw new Error(`a sale ended ${reply.kind}`);
    },
    async close() {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

const AT_ONCE = 4;

/** Requests per second to a separate gateway, four at once and without a queue. No queue can exceed this rate. */
export const rateWithoutTill = async (requests: readonly Record<string, string>[]): Promise<number> => {
  const gateway = await peerGateway();
  try {
    const remainingRequests = [...requests];
    const startedAt = performance.now();
    const work = async (): Promise<void> => {
      for (let next = remainingRequests.pop(); next !== undefined; next = remainingRequests.pop())
        await gateway.pay(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return requests.length / ((performance.now() - startedAt) / 1000);
  } finally {
    await gateway.close();
  }
};
