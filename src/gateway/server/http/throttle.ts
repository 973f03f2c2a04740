/** How many requests a channel may send: a token bucket for each (spec 7, rule 2; spec 8). */
import type { Clock } from '../../../base/clock.ts';
import type { Channel } from '../../channel.ts';

type Admitted = { admitted: true } | { admitted: false; retryAfterSeconds: number };

type Bucket = { tokens: number; at: number };

/** More channels than a gateway will ever have: beyond it the least recently used bucket makes room. */
const BUCKETS_MAX = 10_000;
/** Fractions of tokens are reckoned in floats: whoever waited as long as told must not fail by their last digit. */
const ONE_TOKEN = 1 - 1e-9;

/**
 * Takes a token of the channel's bucket, or says in how many whole seconds (at least 1) there will be one. A channel
 * without a throttle is always admitted. Each process counts by itself.
 */
export const throttle = (clock: Pick<Clock, 'monotonic'>): ((channel: Channel) => Admitted) => {
  const buckets = new Map<string, Bucket>();
  return ({ entityId, throttle: bounds }) => {
    if (bounds === undefined) return { admitted: true };
    const { perSecond, burst } = bounds;
    const at = clock.monotonic();
    const before = buckets.get(entityId) ?? { tokens: burst, at };
    const filled = Math.min(burst, before.tokens + ((at - before.at) / 1000) * perSecond);
    const admitted = filled >= ONE_TOKEN;
    buckets.delete(entityId);
    buckets.set(entityId, { tokens: admitted ? filled - 1 : filled, at });
    const [oldest] = buckets.keys();
    if (buckets.size > BUCKETS_MAX && oldest !== undefined) buckets.delete(oldest);
    return admitted
      ? { admitted }
      : { admitted, retryAfterSeconds: Math.max(1, Math.ceil((ONE_TOKEN - filled) / perSecond)) };
  };
};
