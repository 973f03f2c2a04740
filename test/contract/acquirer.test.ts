/** Every acquirer keeps the same contract: the simulator, a processor over the network, and the choice between them. */
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { acquirerByTestMode } from '../../src/gateway/acquirers/by-test-mode.ts';
import { simulatorAcquirer } from '../../src/gateway/acquirers/simulator/simulator.ts';
import { upstreamAcquirer } from '../../src/gateway/acquirers/upstream/upstream.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';
import { listen } from '../../src/gateway/server/http/listen.ts';
import { acquirerMemory } from '../support/gateway/acquirer-memory.ts';
import { type AcquirerUnderTest, acquirerContract } from './acquirer.ts';

const parts = { clock: systemClock, random: systemRandom };
const now = () => systemClock.now();

const simulator = async (): Promise<AcquirerUnderTest> => {
  const memory = acquirerMemory();
  const open = () => simulatorAcquirer({ ...parts, memory });
  return { acquirer: open(), restarted: open, now, close: async () => undefined };
};

/** Another complete gateway on a port, with its own simulators. */
const processor = async () => {
  const channel = { entityId: systemIds.next(), token: systemIds.next() };
  const gateway = await openGateway({ dataDir: ':memory:', channels: [channel], ...parts, ids: systemIds });
  const server = await listen({ app: gateway, port: 0, host: '127.0.0.1' });
  const close = async () => {
    await server.close();
    await gateway.close();
  };
  return { upstream: { ...channel, baseUrl: `http://127.0.0.1:${server.port}/`, timeoutMs: 5_000 }, close };
};

const ENTITY = '8a8294174e735d0c014e78beb6b9154b';

const overTheNetwork = (choice: 'chosen' | 'direct') => async (): Promise<AcquirerUnderTest> => {
  const { upstream, close } = await processor();
  const memory = acquirerMemory();
  const opened: { close(): Promise<void> }[] = [];
  const open = () => {
    const upstreamSide = upstreamAcquirer({ upstream, entityId: ENTITY, memory, clock: systemClock });
    opened.push(upstreamSide);
    if (choice === 'direct') return upstreamSide;
    const upstreamOf = (entityId: string) => (entityId === ENTITY ? upstreamSide : undefined);
    const simulator = simulatorAcquirer({ ...parts, memory });
    return acquirerByTestMode({ simulator, upstreamOf, isLive: () => false, memory });
  };
  return {
    acquirer: open(),
    restarted: open,
    now,
    async close() {
      for (const each of opened) await each.close();
      await close();
    },
  };
};

acquirerContract('the simulator', simulator);
acquirerContract('a processor over the network', overTheNetwork('direct'));
acquirerContract('a processor, chosen by test mode', overTheNetwork('chosen'));
