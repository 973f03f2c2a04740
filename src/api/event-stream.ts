/** An answer that stays open and tells what happens: server-sent events, with a sign of life now and then. */
import type { Clock } from '../base/clock.ts';

/** `id`: a reader that is cut off behind this event may go on from it. */
export type SendEvent<Event> = (event: string, value: Event, id?: string) => void;
export type StreamEvent<Event> = { event: string; value: Event; id?: string | undefined };

/** Proxies and browsers take a silent connection for a dead one. */
const ALIVE_MS = 20_000;
const ALIVE = ': alive\n\n';
/** Told and not read: a reader that is so far behind is let go, and begins anew. */
const UNREAD_MAX = 500;
/** How soon a browser comes back to a stream that has ended, unless it has a mind of its own. */
const RETRY_MS = 500;

/** `over`: when the till is stopped. */
export type StreamParts = { clock: Clock; over?: AbortSignal | undefined };
type Open<Event> = (tell: SendEvent<Event>, end: () => void) => () => void;
export type Replay<Event> = {
  /** Told before all else, as fast as it is read. What is told meanwhile waits behind it. */
  past: Iterable<StreamEvent<Event>>;
  /** The id that goes with a sign of life: a reader to whom nothing was told for a day is not a day behind. */
  here(): string;
};

/**
 * `open` is called with the way to tell, and gives what ends its listening, which is called once, whoever ends it.
 * `end` and `over` close the stream after all that was told.
 */
export const eventStream = <Event>(parts: StreamParts, open: Open<Event>, replay?: Replay<Event>): Response => {
  const source = new ReadableStream<Uint8Array>(sourceOf(parts, open, replay), { highWaterMark: UNREAD_MAX });
  return new Response(source, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
};

type Controller = ReadableStreamDefaultController<Uint8Array>;

const sourceOf = <Event>({ clock, over }: StreamParts, open: Open<Event>, replay: Replay<Event> | undefined) => {
  const past = replay && openPast(replay.past);
  const live = { stop: (): void => {} };
  return {
    start(controller: Controller) {
      let isOver = false;
      let quiet = (): void => {};
      let close = (): void => {};
      const stop = (): void => {
        if (isOver) return;
        isOver = true;
        over?.removeEventListener('abort', end);
        quiet();
        close();
      };
      const end = (): void => {
        if (isOver) return;
        stop();
        for (const last of past?.unnumbered() ?? []) controller.enqueue(bytesOf(frame(last)));
        controller.close();
      };
      const write = (text: string): void => {
        if (isOver) return;
        controller.enqueue(bytesOf(text));
        if ((controller.desiredSize ?? 0) <= 0) tooSlow();
      };
      const tooSlow = (): void => {
        stop();
        controller.error(new Error('the reader is too slow'));
      };
      const tell: SendEvent<Event> = (event, value, id) => {
        const told = { event, value, id };
        if (past?.isOver() !== false) write(frame(told));
        else if (!past.put(told)) tooSlow();
      };
      const beat = (): void => {
        write(past?.isOver() === true && replay !== undefined ? `: alive\nid: ${replay.here()}\n\n` : ALIVE);
        if (!isOver) quiet = clock.after(ALIVE_MS, beat);
      };
      live.stop = stop;
      write(`retry: ${RETRY_MS}\n${ALIVE}`);
      quiet = clock.after(ALIVE_MS, beat);
      close = open(tell, end);
      // It was ended before it was quite open.
      if (isOver) close();
      else if (over?.aborted === true) end();
      else over?.addEventListener('abort', end);
    },
    pull: (controller: Controller) => past && pullPast(past, controller, live),
    cancel: () => live.stop(),
  };
};

/** The next of the past, wherever there is room for one. */
const pullPast = <Event>(past: Past<Event>, controller: Controller, live: { stop(): void }): void => {
  if (past.isOver()) return;
  try {
    const told = past.next();
    if (told !== undefined) controller.enqueue(bytesOf(frame(told)));
  } catch (error) {
    live.stop();
    throw error;
  }
};

const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array => encoder.encode(text);

const frame = <Event>({ event, value, id }: StreamEvent<Event>): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;

type Past<Event> = ReturnType<typeof openPast<Event>>;

/** The past, and what is told while it is being told. */
const openPast = <Event>(events: Iterable<StreamEvent<Event>>) => {
  const past = events[Symbol.iterator]();
  const waiting: StreamEvent<Event>[] = [];
  let isOver = false;
  return {
    /** Nothing of it is left, and nothing waits behind it: what is told is written at once. */
    isOver: () => isOver,
    next(): StreamEvent<Event> | undefined {
      const { value, done } = past.next();
      const told = done === true ? waiting.shift() : (value as StreamEvent<Event>);
      isOver = told === undefined;
      return told;
    },
    /** False where there is no room for it. */
    put: (told: StreamEvent<Event>): boolean => waiting.push(told) <= UNREAD_MAX,
    /** What may be told at the end though the past is not told to its own: a reader goes on from the last number. */
    unnumbered: () => waiting.splice(0).filter(({ id }) => id === undefined),
  };
};
