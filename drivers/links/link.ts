/** A byte pipe to a terminal, or from a simulated terminal to its till. Serial, TCP, memory and tape look like this. */
import type { Fault } from '../../src/base/fault.ts';

export type LinkListener = {
  /** Bytes as they came, in any portion. */
  bytes(bytes: Uint8Array): void;
  /** The pipe is gone for good; called once. A close of our own gives no call. */
  closed(why: Fault): void;
};

export interface Link {
  /** As a person would name it: `serial:/dev/ttyACM0`, `tcp://127.0.0.1:7000`, `memory`. */
  readonly name: string;
  /** Resolves when the bytes were handed on. Rejects with `link.lost`, at the latest after the link's own deadline. */
  write(bytes: Uint8Array): Promise<void>;
  /** Who hears what arrives. Set once, before the first write; bytes that came earlier are delivered then. */
  listen(listener: LinkListener): void;
  /** Idempotent; never rejects. */
  close(): Promise<void>;
}
