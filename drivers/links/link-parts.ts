/** What links are made of: bytes that wait, within a bound, until somebody listens; the loss of the pipe, told once. */
import { type Clock, deadline } from '../../src/base/clock.ts';
import { Fault, wordsOf } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import { overwrite } from '../../src/base/overwrite.ts';
import type { Link, LinkListener } from './link.ts';

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

// A link that somebody else than its user can end: for deadlines over everything that is done on it.

export type Severable = Link & {
  /** Ends it for its user with this fault, and closes the link below. Never rejects. */
  sever(why: Fault): Promise<void>;
};

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
