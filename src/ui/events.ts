/** The till's event stream as one connection of the page, which everything that shows what changes listens to. */
import type { ApiEvent } from '../api/ports/events.ts';
import { after } from './clock.ts';

type Hear = (event: ApiEvent) => void;

const listeners = new Set<Hear>();
const NAMES: Readonly<Record<ApiEvent['on'], true>> = {
  sale: true,
  counters: true,
  line: true,
  changed: true,
  closing: true,
  locked: true,
};
/** An answer that is no stream, such as a refusal, makes the browser give up: it is tried again after this. */
const AGAIN_MS = 2000;

/** Hears every event from now on, until the returned function is called. */
export const listen = (hear: Hear): (() => void) => {
  listeners.add(hear);
  return () => listeners.delete(hear);
};

const tell = (message: MessageEvent<string>): void => {
  const event = JSON.parse(message.data) as ApiEvent;
  for (const hear of listeners) hear(event);
};

/** Opens the stream, and again whenever it breaks, until the returned function is called. Tells whether it stands. */
export const openEvents = (standing: (stands: boolean) => void): (() => void) => {
  let stop: () => void = () => {};
  const open = (): void => {
    const source = new EventSource('/api/events');
    stop = () => source.close();
    for (const name of Object.keys(NAMES)) source.addEventListener(name, tell);
    source.onopen = () => standing(true);
    source.onerror = () => {
      standing(false);
      if (source.readyState === EventSource.CLOSED) stop = after(AGAIN_MS, open);
    };
  };
  open();
  return () => stop();
};
