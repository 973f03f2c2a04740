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
const REOPEN_MS = 2000;
/**
 * After this many refusals the till is not just restarting: missed events are not repeated, so the page reads
 * everything again.
 */
const MAX_REFUSALS = 3;

/** Calls `listener` for every event from now on, until the returned function is called. */
export const listen = (listener: EventListener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Opens the stream, and reopens it whenever it breaks, until the returned function is called. Reports whether it is
 * open. `againMs`: how long the page waits after a refusal.
 */
export const openEvents = (onState: (isOpen: boolean) => void, againMs = REOPEN_MS): (() => void) => {
  let stop: () => void = () => {};
  /** The id of the last event received. The browser sends it itself when it reopens the stream. */
  let lastReceivedId = '';
  let refusalCount = 0;
  const notify = (message: Event): void => {
    const { lastEventId, data } = message as MessageEvent;
    lastReceivedId = lastEventId;
    const event = JSON.parse(data) as ApiEvent;
    for (const listener of listeners) listener(event);
  };
  const open = (): void => {
    if (refusalCount >= MAX_REFUSALS) lastReceivedId = '';
    const source = new EventSource(lastReceivedId === '' ? '/api/events' : `/api/events?after=${lastReceivedId}`);
    stop = () => source.close();
    for (const name of Object.keys(NAMES)) source.addEventListener(name, notify);
    source.onopen = () => {
      refusalCount = 0;
      onState(true);
    };
    source.onerror = () => {
      onState(false);
      if (source.readyState !== EventSource.CLOSED) return;
      refusalCount += 1;
      stop = after(againMs, open);
    };
  };
  open();
  return () => stop();
};
