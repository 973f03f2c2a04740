/** The till's event stream: one connection for the page, shared by everything that shows changing data. */
import type { ApiEvent } from '../api/contract/events.ts';
import { after } from './clock.ts';

type EventListener = (event: ApiEvent) => void;

const listeners = new Set<EventListener>();
const NAMES: Readonly<Record<ApiEvent['on'], true>> = {
  sale: true,
  amended: true,
  here: true,
  counters: true,
  line: true,
  changed: true,
  closing: true,
  locked: true,
};
/** An answer that is not a stream, such as a refusal, makes the browser give up: the page retries after this time. */
const AGAIN_MS = 2000;
/**
 * After this many refusals the till is not just restarting: missed events are not repeated, so the page reads
 * everything again.
 */
const REFUSED_MOST = 3;

/** Calls `hear` for every event from now on, until the returned function is called. */
export const listen = (listener: EventListener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Opens the stream, and reopens it whenever it breaks, until the returned function is called. Reports whether it is
 * open. `againMs`: how long the page waits after a refusal.
 */
export const openEvents = (standing: (stands: boolean) => void, againMs = AGAIN_MS): (() => void) => {
  let stop: () => void = () => {};
  /** The id of the last event received. The browser sends it itself when it reopens the stream. */
  let received = '';
  let refused = 0;
  const notify = (message: Event): void => {
    const { lastEventId, data } = message as MessageEvent;
    received = lastEventId;
    const event = JSON.parse(data) as ApiEvent;
    for (const hear of listeners) hear(event);
  };
  const open = (): void => {
    if (refused >= REFUSED_MOST) received = '';
    const source = new EventSource(received === '' ? '/api/events' : `/api/events?after=${received}`);
    stop = () => source.close();
    for (const name of Object.keys(NAMES)) source.addEventListener(name, notify);
    source.onopen = () => {
      refused = 0;
      standing(true);
    };
    source.onerror = () => {
      standing(false);
      if (source.readyState !== EventSource.CLOSED) return;
      refused += 1;
      stop = after(againMs, open);
    };
  };
  open();
  return () => stop();
};
