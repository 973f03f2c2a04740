/** Whether a till may be ended now without anybody waiting for it: before it is updated, above all. */
import type { RunningTill } from './start-till.ts';

export type Quiet = { quiet: boolean; why?: string };

/**
 * Quiet is a till without a sale under way, without money of which nobody knows the end, and without a batch that is
 * being closed. What waits in the queue does not count: it lies on the disk, and goes on after the next start.
 */
export const quietOf = ({ resolver, books }: Pick<RunningTill, 'resolver' | 'books'>): Quiet => {
  const open = resolver.open();
  if (open.some(({ state }) => state === 'unfinished')) return { quiet: false, why: 'a sale is under way' };
  const unknown = open.filter(({ sale }) => sale.at === 'ended' && sale.ending === 'unknown').length;
  if (unknown > 0)
    return { quiet: false, why: `the end of ${unknown === 1 ? 'one sale' : `${unknown} sales`} is not known` };
  if (books.batches().some(({ state }) => state === 'closing')) return { quiet: false, why: 'a batch is being closed' };
  return { quiet: true };
};
