/** The till's event stream, read by a command: the sales in it, in their order. */

import type { ApiEvent } from '../api/contract/events.ts';
import type { LiveSale } from '../api/contract/sales.ts';
import { refuseProblem, type TillApi } from './api-client.ts';

export type SaleEvents = {
  /** Undefined once the till has ended the stream, or is gone. Never rejects. */
  next(): Promise<LiveSale | undefined>;
  close(): void;
};

/** Tells what happens from the moment it resolves on. Throws the fault that the till refuses it with. */
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
