/** Waits at a served till as its screens do, mainly for the ending of a sale, by listening to the events. */
import type { LiveSale } from '../../../src/api/contract/sales.ts';

type Client = { address: string; headers: Record<string, string> };

/** Looks now, and again after each event, until it finds something. */
export const afterEvents = async <T>({ address, headers }: Client, read: () => Promise<T | undefined>): Promise<T> => {
  const controller = new AbortController();
  const { body } = await fetch(`${address}api/events`, { headers, signal: controller.signal });
  const reader = body?.getReader();
  try {
    for (;;) {
      const found = await read();
      if (found !== undefined) return found;
      if ((await reader?.read())?.done !== false) throw new Error('the events ended before what was waited for');
    }
  } finally {
    controller.abort();
  }
};

/** `readSale` fetches the sale in its present state. */
export const endedSale = (
  address: string,
  headers: Record<string, string>,
  readSale: () => Promise<LiveSale>,
): Promise<LiveSale> =>
  afterEvents({ address, headers }, async () => {
    const live = await readSale();
    return live.phase === 'ended' ? live : undefined;
  });
