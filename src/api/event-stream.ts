/** Server-sent events, with heartbeats. */
import type { Clock } from '../base/clock.ts';

/** `id`: a reader that is disconnected after this event can continue from it. */
export type SendEvent<Event> = (event: string, value: Event, id?: string) => void;
export type StreamEvent<Event> = { event: string; value: Event; id?: string | undefined };

/** The interval of heartbeats: proxies and browsers close silent connections. */
const ALIVE_MS = 20_000;
const ALIVE = ': alive\n\n';
/** The maximum number of unread events: a reader that is further behind is disconnected. */
const UNREAD_MAX = 500;
/** How soon a browser should reconnect after the stream has ended. */
const RETRY_MS = 500;

/** `over`: aborted when the till is stopped. */
export type StreamParts = { clock: Clock; over?: AbortSignal | undefined };
type Open<Event> = (notify: SendEvent<Event>, end: () => void) => () => void;
export type Replay<Event> = {
  /** The past events are sent first, as fast as they are read; new events wait until then. */
  past: Iterable<StreamEvent<Event>>;
  /** The id to send with a heartbeat, so that a reader without events for a day does not go back a day later. */
  here(): string;
};

/**
 * `open` gets a function that sends events, and returns one that stops listening, which is called exactly once.
 * `end` and `over` close the stream after all events so far.
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
  const history = replay && openHistory(replay.past);
  const live = { stop: (): void => {} };
  return {
    start(controller: Controller) {
      let isOver = false;
      let stopBeat = (): void => {};
      let close = (): void => {};
      const stop = (): void => {
        if (isOver) return;
        isOver = true;
        over?.removeEventListener('abort', end);
        stopBeat();
        close();
      };
      const end = (): void => {
        if (isOver) return;
        stop();
        for (const last of history?.unnumbered() ?? []) controller.enqueue(bytesOf(frame(last)));
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
      const notify: SendEvent<Event> = (event, value, id) => {
        const reported = { event, value, id };
        if (history?.isOver() !== false) write(frame(reported));
        else if (!history.put(reported)) tooSlow();
      };
      const sendAlive = (): void => {
        write(history?.isOver() === true && replay !== undefined ? `: alive\nid: ${replay.here()}\n\n` : ALIVE);
        if (!isOver) stopBeat = clock.after(ALIVE_MS, sendAlive);
      };
      live.stop = stop;
      write(`retry: ${RETRY_MS}\n${ALIVE}`);
      stopBeat = clock.after(ALIVE_MS, sendAlive);
      close = open(notify, end);
      // The stream was ended while it was being opened.
      if (isOver) close();
      else if (over?.aborted === true) end();
      else over?.addEventListener('abort', end);
    },
    pull: (controller: Controller) => history && pullPast(history, controller, live),
    cancel: () => live.stop(),
  };
};

/** Sends the next past event if there is room for it. */
const pullPast = <Event>(history: EventHistory<Event>, controller: Controller, live: { stop(): void }): void => {
  if (history.isOver()) return;
  try {
    const event = history.next();
    if (event !== undefined) controller.enqueue(bytesOf(frame(event)));
  } catch (error) {
    live.stop();
    throw error;
  }
};

const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array => encoder.encode(text);

const frame = <Event>({ event, value, id }: StreamEvent<Event>): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;

type EventHistory<Event> = ReturnType<typeof openHistory<Event>>;

/** Past events, and the events that arrive while those are sent. */
const openHistory = <Event>(events: Iterable<StreamEvent<Event>>) => {
  const past = events[Symbol.iterator]();
  const waiting: StreamEvent<Event>[] = [];
  let isOver = false;
  return {
    /** Whether all past events and all waiting ones have been sent: new events are then written at once. */
    isOver: () => isOver,
    next(): StreamEvent<Event> | undefined {
      const { value, done } = past.next();
      const event = done === true ? waiting.shift() : (value as StreamEvent<Event>);
      isOver = event === undefined;
      return event;
    },
    /** False if there is no room for it. */
    put: (event: StreamEvent<Event>): boolean => waiting.push(event) <= UNREAD_MAX,
    /** Waiting events without an id, which can be sent at the end: a reader continues from the last id. */
    unnumbered: () => waiting.splice(0).filter(({ id }) => id === undefined),
  };
};
