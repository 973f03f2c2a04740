/** Records a conversation while it takes place, without card data. */
import type { Clock } from '../../src/base/clock.ts';
import type { Link } from './link.ts';
import { printTime } from './tape-text.ts';

/** Turns the bytes of one direction into the tape's notation, masked. Holds back bytes that it cannot judge yet. */
export type Scribe = { push(bytes: Uint8Array): string[] };

/** Shows how many bytes there were, but no byte. */
export const blindScribe = (): Scribe => ({ push: (bytes) => (bytes.length === 0 ? [] : ['**'.repeat(bytes.length)]) });

export type Recorder = {
  onLine(text: string): void;
  /**
   * The protocol's own scribe, which masks card data. Without one, no byte is known to be harmless and none is shown.
   */
  scribe?: (direction: 'said' | 'heard', carries: Link['carries']) => Scribe;
  /** Each line starts with the time since `since`, or since now. */
  clock?: Clock;
  /** Monotonic, ms. */
  since?: number;
};

/** The same link; passes every line of its tape to `onLine`. */
export const record = (link: Link, { onLine: line, scribe = blindScribe, clock, since }: Recorder): Link => {
  const saidScribe = scribe('said', link.carries);
  const received = scribe('heard', link.carries);
  const startedAt = since ?? clock?.monotonic() ?? 0;
  const notify = (text: string) =>
    line(clock === undefined ? text : `${printTime(clock.monotonic() - startedAt)} ${text}`);
  return {
    name: link.name,
    carries: link.carries,
    write(bytes) {
      for (const text of saidScribe.push(bytes)) notify(`> ${text}`);
      return link.write(bytes);
    },
    listen(listener) {
      link.listen({
        bytes(bytes) {
          for (const text of received.push(bytes)) notify(`< ${text}`);
          listener.bytes(bytes);
        },
        closed(fault) {
          notify('x');
          listener.closed(fault);
        },
      });
    },
    close: () => link.close(),
  };
};
