/** The till's event stream as one connection of the page, which everything that shows what changes listens to. */
import type { ApiEvent } from '../api/ports/events.ts';
import { after } from './clock.ts';

type Hear = (event: ApiEvent) => void;

const listeners = new Set<Hear>();
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
/** An answer that is no stream, such as a refusal, makes the browser give up: the page asks again after this. */
const AGAIN_MS = 2000;
/** Refused so often, it is not the till's being away: what was missed is not told again, and the page reads it anew. */
const REFUSED_MOST = 3;

/** Hears every event from now on, until the returned function is called. */
export const listen = (hear: Hear): (() => void) => {
  listeners.add(hear);
  return () => listeners.delete(hear);
};

/**
 * Opens the stream, and again whenever it breaks, until the returned function is called. Tells whether it stands.
 * `againMs`: how long the page waits after a refusal.
 */
export const openEvents = (standing: (stands: boolean) => void, againMs = AGAIN_MS): (() => void) => {
  let stop: () => void = () => {};
  /** The last event that was heard. The browser brings it by itself where it is the one that opens the stream again. */
  let heard = '';
  let refused = 0;
  const tell = (message: Event): void => {
    const { lastEventId, data } = message as MessageEvent;
    heard = lastEventId;
    const event = JSON.parse(data) as ApiEvent;
    for (const hear of listeners) hear(event);
  };
  const open = (): void => {
    if (refused >= REFUSED_MOST) heard = '';
    const source = new EventSource(heard === '' ? '/api/events' : `/api/events?after=${heard}`);
    stop = () => source.close();
    for (const name of Object.keys(NAMES)) source.addEventListener(name, tell);
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
