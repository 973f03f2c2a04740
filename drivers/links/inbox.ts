/** What every link shares: bytes wait, within a bound, until somebody listens; the loss of the pipe is told once. */
import { Fault } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import { overwrite } from '../../src/base/overwrite.ts';
import type { LinkListener } from './link.ts';

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
