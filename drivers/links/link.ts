/** A byte pipe to a terminal, or from a simulated terminal to its till. Serial, TCP, memory and tape implement it. */

import { type Clock, deadline } from '../../src/base/clock.ts';
import { errorText, Fault } from '../../src/base/fault.ts';
import { concat, overwrite } from '../../src/base/hex.ts';

export type LinkListener = {
  /**
   * Bytes as they arrived, in any portions; on a link of `reports` always one or more whole reports. They belong to the
   * listener, which overwrites them after reading.
   */
  bytes(bytes: Uint8Array): void;
  /** The pipe is gone for good; called once. Not called after our own `close`. */
  closed(fault: Fault): void;
};

export interface Link {
  /** The link's name as a person would write it: `serial:/dev/ttyACM0`, `tcp://127.0.0.1:7000`, `memory`. */
  readonly name: string;
  /**
   * A stream of bytes, or USB HID reports of 64 bytes each (with the report id first where the device has ids). On a
   * link of reports each write is one whole report.
   */
  readonly carries: 'stream' | 'reports';
  /**
   * Resolves when the system has taken the bytes. Rejects with `link.lost`, at the latest after the link's deadline.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Sets the listener for arriving bytes. Called once, before the first write; earlier bytes are delivered then. */
  listen(listener: LinkListener): void;
  /** Idempotent; never rejects. */
  close(): Promise<void>;
}

/** The length of every terminal's HID report, including the report id where the device has ids. */
export const reportBytes = 64;

type Listener = { push(direction: 'said' | 'heard', bytes: Uint8Array): void };

/** Wraps a link so that a listener receives all bytes without taking part in the conversation. */
export const observe = (link: Link, observer: Listener): Link => ({
  name: link.name,
  carries: link.carries,
  write(bytes) {
    observer.push('said', bytes);
    return link.write(bytes);
  },
  listen: (listener) =>
    link.listen({
      bytes(bytes) {
        // The observer comes first: the listener may overwrite the bytes.
        observer.push('heard', bytes);
        listener.bytes(bytes);
      },
      closed: (fault) => listener.closed(fault),
    }),
  close: () => link.close(),
});

// The shared parts of links: a bounded buffer until somebody listens, and the loss of the pipe, reported once.

const waitingMax = 65_536;

export type Inbox = {
  /** Hands bytes to the listener, or stores them until there is one. */
  deliver(bytes: Uint8Array): void;
  /** The pipe is gone: reported to the listener once, and at once to a listener that is set later. */
  lose(fault: Fault): void;
  /** Our own close: nothing more is delivered or reported. */
  close(): void;
  listen(listener: LinkListener): void;
  /** Why writing is refused, or undefined while the pipe is open. */
  lossFault(): Fault | undefined;
  /** Calls once when the pipe is gone, whatever ended it. Returns a function that cancels the call. */
  onLost(call: (fault: Fault) => void): () => void;
};

/** The inbox of one end of a link. `port` is the link's name in faults. */
export const inbox = (port: string): Inbox => {
  let listener: LinkListener | undefined;
  let waiting: Uint8Array = new Uint8Array(0);
  let lossFault: Fault | undefined;
  let silent = false;
  const waitingForEnd = new Set<(fault: Fault) => void>();

  const lose = (fault: Fault): void => {
    if (lossFault !== undefined) return;
    lossFault = fault;
    for (const call of [...waitingForEnd]) call(fault);
    waitingForEnd.clear();
    if (!silent) listener?.closed(fault);
  };

  return {
    lose,
    lossFault: () => lossFault,
    onLost(call) {
      waitingForEnd.add(call);
      return () => waitingForEnd.delete(call);
    },
    deliver(bytes) {
      if (lossFault !== undefined || bytes.length === 0) return;
      if (listener !== undefined) return listener.bytes(bytes);
      if (waiting.length + bytes.length > waitingMax) {
        return lose(new Fault('link.lost', { port, why: 'more arrived than anybody read' }));
      }
      const previousWrite = waiting;
      waiting = concat(previousWrite, bytes);
      overwrite(previousWrite, bytes);
    },
    close() {
      silent = true;
      lose(new Fault('link.lost', { port, why: 'it was closed here' }));
    },
    listen(next) {
      listener = next;
      const buffer = waiting;
      waiting = new Uint8Array(0);
      if (buffer.length > 0 && !silent) next.bytes(buffer);
      if (lossFault !== undefined && !silent) next.closed(lossFault);
    },
  };
};

// Writes have their own deadline: a port whose other end is gone may never report that it took the bytes.

const writeMs = 5_000;

/**
 * Resolves when `startWrite` reports the bytes as taken. Rejects with `link.lost`, and loses the link, when it reports
 * an error, throws, does not report within five seconds, or the link is lost meanwhile.
 */
export const writeThrough = (
  link: { name: string; clock: Clock; box: Inbox; onLost(reason: string, cause?: unknown): void },
  startWrite: (done: (error?: Error | null) => void) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const lossFault = link.box.lossFault();
    if (lossFault !== undefined) return reject(lossFault);
    const fail = (reason: string, cause?: unknown) => {
      stop();
      link.onLost(reason, cause);
      reject(link.box.lossFault() ?? new Fault('link.lost', { port: link.name, why: reason }, cause));
    };
    const stopTimer = deadline(link.clock, writeMs, () => fail(`it took no bytes for ${writeMs} ms`));
    // A port that was closed meanwhile never reports. No caller, and no process that wants to exit, waits for it.
    const forget = link.box.onLost((fault) => {
      stop();
      reject(fault);
    });
    const stop = () => {
      stopTimer();
      forget();
    };
    try {
      startWrite((error) => {
        if (error) return fail(errorText(error), error);
        stop();
        resolve();
      });
    } catch (error) {
      fail(errorText(error), error);
    }
  });

export type Severable = Link & {
  /** Ends the link for its user with this fault, and closes the link below. Never rejects. */
  sever(fault: Fault): Promise<void>;
};

/** A link that someone other than its user can end: needed for deadlines over everything done on it. */
export const makeSeverable = (link: Link): Severable => {
  const box = inbox(link.name);
  const innerListener = { bytes: (bytes: Uint8Array) => box.deliver(bytes), closed: (fault: Fault) => box.lose(fault) };
  return {
    name: link.name,
    carries: link.carries,
    listen(listener) {
      box.listen(listener);
      link.listen(innerListener);
    },
    async write(bytes) {
      const lossFault = box.lossFault();
      if (lossFault !== undefined) throw lossFault;
      return link.write(bytes);
    },
    async close() {
      box.close();
      await link.close();
    },
    async sever(fault) {
      box.lose(fault);
      await link.close();
    },
  };
};
