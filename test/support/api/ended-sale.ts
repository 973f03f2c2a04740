/** Waits for the ending of a sale at a served till as its screens do: it listens to the events, and looks after each. */
import type { LiveSale } from '../../../src/api/ports/selling.ts';

/** `look` asks for the sale as it is now. */
export const endedSale = async (
  address: string,
  headers: Record<string, string>,
  look: () => Promise<LiveSale>,
): Promise<LiveSale> => {
  const over = new AbortController();
  const { body } = await fetch(`${address}api/events`, { headers, signal: over.signal });
  const reader = body?.getReader();
  try {
    for (;;) {
      const live = await look();
      if (live.phase === 'ended') return live;
      if ((await reader?.read())?.done !== false) throw new Error('the events ended before the sale');
    }
  } finally {
    over.abort();
  }
};
