/** Finding a channel by its token, with as many channels as a large operator has, compared with a single channel. */
import type { Channel } from '../src/gateway/channel.ts';
import { createAuthenticator } from '../src/gateway/server/http/authentication.ts';
import { type BenchResult, benchLine, measure } from './result.ts';

const MANY = 50_000;

const channels = (count: number): Channel[] =>
  Array.from({ length: count }, (_, number) => ({
    entityId: number.toString(16).padStart(32, '0'),
    token: `token-of-channel-${number}`,
  }));

/** A different token each time, as in requests of many channels. */
const createRequester = (count: number): (() => void) => {
  const door = createAuthenticator(channels(count));
  let number = 0;
  return () => {
    number = (number + 7919) % count;
    if (door.admit(`Bearer token-of-channel-${number}`).kind !== 'admitted') throw new Error('a token gives no access');
  };
};

/** Wanted: constant time. Caches may cost half the speed; comparing each channel would leave a thousandth of it. */
export const benchTokens = (): BenchResult[] => [
  {
    name: `Token among those of ${MANY.toLocaleString('en')} channels`,
    ...measure(createRequester(MANY), createRequester(1)),
    peerName: 'one channel alone',
    expected: 0.4,
  },
];

if (import.meta.main) process.stdout.write(`${benchTokens().map(benchLine).join('\n')}\n`);
