/** A byte pipe to a terminal, or from a simulated terminal to its till. Serial, TCP, memory and tape look like this. */

import { type Clock, deadline } from '../../src/base/clock.ts';
import { Fault, wordsOf } from '../../src/base/fault.ts';
import { concat, overwrite } from '../../src/base/hex.ts';

export type LinkListener = {
  /**
   * Bytes as they came, in any portion; of `reports` always whole ones, one or more. They are the listener's own, to
   * overwrite once they are read.
   */
  bytes(bytes: Uint8Array): void;
  /** The pipe is gone for good; called once. A close of our own gives no call. */
  closed(why: Fault): void;
};

export interface Link {
  /** As a person would name it: `serial:/dev/ttyACM0`, `tcp://127.0.0.1:7000`, `memory`. */
  readonly name: string;
  /**
   * A stream of bytes, or USB HID reports of 64 bytes each (the report id first where the device has ids). What is
   * written to a link of reports is one whole report at a time.
   */
  readonly carries: 'stream' | 'reports';
  /** Resolves when the bytes were handed on. Rejects with `link.lost`, at the latest after the link's own deadline. */
  write(bytes: Uint8Array): Promise<void>;
  /** Who hears what arrives. Set once, before the first write; bytes that came earlier are delivered then. */
  listen(listener: LinkListener): void;
  /** Idempotent; never rejects. */
  close(): Promise<void>;
}

/** The length of a HID report of every terminal here, report id included where the device has ids. */
export const reportBytes = 64;

type Listener = { push(way: 'said' | 'heard', bytes: Uint8Array): void };

/** A link that somebody listens to, without a part in the conversation. */
export const overheard = (link: Link, ear: Listener): Link => ({
  name: link.name,
  carries: link.carries,
  write(bytes) {
    ear.push('said', bytes);
    return link.write(bytes);
  },
  listen: (listener) =>
    link.listen({
      bytes(bytes) {
        // First: the listener may overwrite them.
        ear.push('heard', bytes);
        listener.bytes(bytes);
      },
      closed: (why) => listener.closed(why),
    }),
  close: () => link.close(),
});

// What links are made of: bytes that wait, within a bound, until somebody listens; the loss of the pipe, told once.

const waitingMax = 65_536;

export type Inbox = {
  /** Hands bytes to the listener, or keeps them for it. */
  deliver(bytes: Uint8Array): void;
  /** The pipe is gone: told to the listener once, and to a later listener at once. */
  lose(why: Fault): void;
  /** Our own close: nothing more is delivered or told. */
  shut(): void;
  listen(listener: LinkListener): void;
  /** Why writing is refused, or undefined while the pipe stands. */
  gone(): Fault | undefined;
  /** Calls once when the pipe is gone, by whatever end. Gives the way to be no longer called. */
  whenGone(call: (why: Fault) => void): () => void;
};

/** The inbox of one link end. `port` is the link's name for the fault texts. */
export const inbox = (port: string): Inbox => {
  let listener: LinkListener | undefined;
  let waiting: Uint8Array = new Uint8Array(0);
  let gone: Fault | undefined;
  let silent = false;
  const waitingForEnd = new Set<(why: Fault) => void>();

  const lose = (why: Fault): void => {
    if (gone !== undefined) return;
    gone = why;
    for (const call of [...waitingForEnd]) call(why);
    waitingForEnd.clear();
    if (!silent) listener?.closed(why);
  };

  return {
    lose,
    gone: () => gone,
    whenGone(call) {
      waitingForEnd.add(call);
      return () => waitingForEnd.delete(call);
    },
    deliver(bytes) {
      if (gone !== undefined || bytes.length === 0) return;
      if (listener !== undefined) return listener.bytes(bytes);
      if (waiting.length + bytes.length > waitingMax) {
        return lose(new Fault('link.lost', { port, why: 'more arrived than anybody read' }));
      }
      const before = waiting;
      waiting = concat(before, bytes);
      overwrite(before, bytes);
    },
    shut() {
      silent = true;
      lose(new Fault('link.lost', { port, why: 'it was closed here' }));
    },
    listen(next) {
      listener = next;
      const held = waiting;
      waiting = new Uint8Array(0);
      if (held.length > 0 && !silent) next.bytes(held);
      if (gone !== undefined && !silent) next.closed(gone);
    },
  };
};

// Writing with a deadline of our own: a port whose other end is gone may never say that it took the bytes.

const writeMs = 5_000;

/**
 * Resolves when `give` reports the bytes as taken. Rejects with `link.lost`, and loses the link, when it reports an
 * error, throws, says nothing for five seconds, or the link is lost meanwhile.
 */
export const handOn = (
  link: { name: string; clock: Clock; box: Inbox; lost(why: string, cause?: unknown): void },
  give: (done: (error?: Error | null) => void) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const gone = link.box.gone();
    if (gone !== undefined) return reject(gone);
    const fail = (why: string, cause?: unknown) => {
      stop();
      link.lost(why, cause);
      reject(link.box.gone() ?? new Fault('link.lost', { port: link.name, why }, cause));
    };
    const late = deadline(link.clock, writeMs, () => fail(`it took no bytes for ${writeMs} ms`));
    // A port that was closed meanwhile never reports: nobody, and no process that wants to end, waits for it.
    const forget = link.box.whenGone((why) => {
      stop();
      reject(why);
    });
    const stop = () => {
      late();
      forget();
    };
    try {
      give((error) => {
        if (error) return fail(wordsOf(error), error);
        stop();
        resolve();
      });
    } catch (error) {
      fail(wordsOf(error), error);
    }
  });

export type Severable = Link & {
  /** Ends it for its user with this fault, and closes the link below. Never rejects. */
  sever(why: Fault): Promise<void>;
};

/** A link that somebody else than its user can end: for deadlines over everything that is done on it. */
export const severable = (link: Link): Severable => {
  const box = inbox(link.name);
  const below = { bytes: (bytes: Uint8Array) => box.deliver(bytes), closed: (why: Fault) => box.lose(why) };
  return {
    name: link.name,
    carries: link.carries,
    listen(listener) {
      box.listen(listener);
      link.listen(below);
    },
    async write(bytes) {
      const gone = box.gone();
      if (gone !== undefined) throw gone;
      return link.write(bytes);
    },
    async close() {
      box.shut();
      await link.close();
    },
    async sever(why) {
      box.lose(why);
      await link.close();
    },
  };
};
