/** An answer that stays open and tells what happens: server-sent events, with a sign of life now and then. */
import type { TypedResponse } from 'hono/types';
import type { Clock } from '../base/clock.ts';

/** For the API's document: what one event may hold. */
export type EventsOf<Event> = Response & TypedResponse<Event, 200, 'text/event-stream'>;
export type Tell<Event> = (event: string, value: Event) => void;

/** Proxies and browsers take a silent connection for a dead one. */
const ALIVE_MS = 20_000;
/** Told and not read: a reader that is so far behind is let go, and begins anew. */
const BEHIND_MOST = 500;

/** `over`: when the till is stopped. */
export type StreamParts = { clock: Clock; over?: AbortSignal | undefined };
type Open<Event> = (tell: Tell<Event>, end: () => void) => () => void;

/**
 * `open` is called with the way to tell, and gives what ends its listening, which is called once, whoever ends it.
 * `end` and `over` close the stream after all that was told.
 */
export const eventStream = <Event>({ clock, over }: StreamParts, open: Open<Event>): EventsOf<Event> => {
  let stop = (): void => {};
  const source = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const encoder = new TextEncoder();
        let isOver = false;
        let quiet = (): void => {};
        let close = (): void => {};
        stop = () => {
          if (isOver) return;
          isOver = true;
          over?.removeEventListener('abort', end);
          quiet();
          close();
        };
        const end = (): void => {
          if (isOver) return;
          stop();
          controller.close();
        };
        const write = (text: string): void => {
          if (isOver) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) <= 0) {
            stop();
            controller.error(new Error('the reader is too slow'));
          }
        };
        const beat = (): void => {
          write(': alive\n\n');
          if (!isOver) quiet = clock.after(ALIVE_MS, beat);
        };
        beat();
        close = open((event, value) => write(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`), end);
        // It was ended before it was quite open.
        if (isOver) close();
        else if (over?.aborted === true) end();
        else over?.addEventListener('abort', end);
      },
      cancel: () => stop(),
    },
    { highWaterMark: BEHIND_MOST },
  );
  return new Response(source, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  }) as EventsOf<Event>;
};
