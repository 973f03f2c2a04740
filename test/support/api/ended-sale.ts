/** Waits at a served till as its screens do, mainly for the ending of a sale, by listening to the events. */
import type { LiveSale } from '../../../src/api/contract/sales.ts';

type Client = { address: string; headers: Record<string, string> };

/** Looks now, and again after each event, until `look` finds something. */
export const afterEvents = async <T>({ address, headers }: Client, look: () => Promise<T | undefined>): Promise<T> => {
  const controller = new AbortController();
  const { body } = await fetch(`${address}api/events`, { headers, signal: controller.signal });
  const reader = body?.getReader();
  try {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if ((await reader?.read())?.done !== false) throw new Error('the events ended before what was waited for');
    }
  } finally {
    controller.abort();
  }
};

/** `look` fetches the sale in its present state. */
export const endedSale = (
  address: string,
  headers: Record<string, string>,
  look: () => Promise<LiveSale>,
): Promise<LiveSale> =>
  afterEvents({ address, headers }, async () => {
    const live = await look();
    return live.phase === 'ended' ? live : undefined;
  });
