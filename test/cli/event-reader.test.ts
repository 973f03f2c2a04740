/** A command reads the same sales from the event stream, wherever its chunks are cut. */
import { expect, test } from 'vitest';
import { eventStream, type SendEvent } from '../../src/api/event-stream.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { TillApi } from '../../src/cli/api-client.ts';
import { openSaleEvents } from '../../src/cli/event-reader.ts';

/** A client whose answer arrives in chunks of `size` bytes. */
const apiOf = async (reports: readonly object[], size: number): Promise<TillApi> => {
  const controller = new AbortController();
  const whole = eventStream<object>({ clock: systemClock, over: controller.signal }, (tell: SendEvent<object>) => {
    for (const event of reports) tell('event', event);
    return () => {};
  });
  controller.abort();
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size),
  );
  const answer = new Response(ReadableStream.from(pieces));
  return { events: { $get: async () => answer } } as unknown as TillApi;
};

test.each([1, 7, 1_000])('in pieces of %i bytes', async (size) => {
  const sales = [{ id: 'one' }, { id: 'zwölf', note: 'a\n\nb' }];
  const reports = [
    { on: 'sale', sale: sales[0] },
    { on: 'line', line: {} },
    { on: 'sale', sale: sales[1] },
  ];
  const events = await openSaleEvents(await apiOf(reports, size));
  expect([await events.next(), await events.next(), await events.next()]).toEqual([...sales, undefined]);
  events.close();
});
