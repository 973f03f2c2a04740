/** A byte pipe to a terminal, or from a simulated terminal to its till. Serial, TCP, memory and tape look like this. */
import type { Fault } from '../../src/base/fault.ts';

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

// A link that somebody listens to, without a part in the conversation.

type Listener = { push(way: 'said' | 'heard', bytes: Uint8Array): void };

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
