/** Reads the sales from the till's event stream, in their order. */

import type { ApiEvent } from '../api/contract/events.ts';
import type { LiveSale } from '../api/contract/sales.ts';
import { refuseProblem, type TillApi } from './api-client.ts';

export type SaleEvents = {
  /** The next state of a sale. Undefined once the stream has ended. Never rejects. */
  next(): Promise<LiveSale | undefined>;
  close(): void;
};

/** Reads from the moment it resolves. Throws the fault with which the till refuses the stream. */
export const openSaleEvents = async (api: TillApi): Promise<SaleEvents> => {
  const answer = await refuseProblem(await api.events.$get({ query: {} }));
  const reader = (answer.body ?? new ReadableStream<Uint8Array>()).getReader();
  const sales = salesIn(reader);
  return {
    async next() {
      try {
        return (await sales.next()).value ?? undefined;
      } catch {
        return undefined;
      }
    },
    close: () => void reader.cancel().catch(() => {}),
  };
};

async function* salesIn(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<LiveSale, undefined> {
  const decoder = new TextDecoder();
  let held = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return undefined;
    held += decoder.decode(value, { stream: true });
    const frames = held.split('\n\n');
    held = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      const event = data === undefined ? undefined : (JSON.parse(data) as ApiEvent);
      if (event?.on === 'sale') yield event.sale;
    }
  }
}
