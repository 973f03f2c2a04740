/** A link whose conversation is written down while it goes on, without card data. */
import type { Clock } from '../../src/base/clock.ts';
import type { Link } from './link.ts';
import { printTime } from './tape-text.ts';

/** Turns one direction's bytes into what may be shown of them, as a tape has bytes. Holds what it cannot judge yet. */
export type Scribe = { push(bytes: Uint8Array): string[] };

/** Shows how many bytes there were, and none of them. */
export const blindScribe = (): Scribe => ({ push: (bytes) => (bytes.length === 0 ? [] : ['**'.repeat(bytes.length)]) });

export type Recorder = {
  line(text: string): void;
  /** Masks card data: the protocol's own. Without one nothing is known to be harmless and nothing is shown. */
  scribe?: (way: 'said' | 'heard', carries: Link['carries']) => Scribe;
  /** Writes before each line the time since `since`, or since now. */
  clock?: Clock;
  /** Monotonic, ms. */
  since?: number;
};

/** The same link, and every line of its tape told to `line`. */
export const record = (link: Link, { line, scribe = blindScribe, clock, since }: Recorder): Link => {
  const said = scribe('said', link.carries);
  const heard = scribe('heard', link.carries);
  const began = since ?? clock?.monotonic() ?? 0;
  const tell = (text: string) => line(clock === undefined ? text : `${printTime(clock.monotonic() - began)} ${text}`);
  return {
    name: link.name,
    carries: link.carries,
    write(bytes) {
      for (const text of said.push(bytes)) tell(`> ${text}`);
      return link.write(bytes);
    },
    listen(listener) {
      link.listen({
        bytes(bytes) {
          for (const text of heard.push(bytes)) tell(`< ${text}`);
          listener.bytes(bytes);
        },
        closed(why) {
          tell('x');
          listener.closed(why);
        },
      });
    },
    close: () => link.close(),
  };
};
