/**
 * Calls that take long: a reader's one at a time, left idle whatever it refuses; and what several may ask for at once.
 */
import { Fault, isFault } from '../src/base/fault.ts';
import type { FaultCode } from '../src/base/faults.ts';
import type { DriverTools } from './driver.ts';

export type LongCall = 'present' | 'read' | 'complete' | 'removed';

/** What the calls must know of their device. */
export type CalledDevice = {
  readonly tools: DriverTools;
  /** Throws the Fault that ended the session, if one did. */
  check(): void;
};

export type Calming = {
  /** Stops whatever the device may still be doing. */
  calm(): Promise<unknown>;
  /** The faults of a device that lives on and is to be stopped then. */
  after: readonly FaultCode[];
};

export class ReaderCalls {
  readonly #device: CalledDevice;
  readonly #calming: Calming;
  #running: LongCall | undefined;

  constructor(device: CalledDevice, calming: Calming) {
    this.#device = device;
    this.#calming = calming;
  }

  /** Throws `terminal.busy` while a card is being dealt with, and whatever ended the session. */
  idle(): void {
    this.#device.check();
    if (this.#running !== undefined) throw new Fault('terminal.busy', { command: this.#running });
  }

  running(): LongCall | undefined {
    return this.#running;
  }

  /** Runs one of the long calls. One that the device refused is stopped, so that the device ends idle. */
  async during<T>(call: LongCall, run: () => Promise<T>): Promise<T> {
    this.#running = call;
    try {
      return await run();
    } catch (error) {
      if (isFault(error, ...this.#calming.after)) await this.#calm();
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  async #calm(): Promise<void> {
    try {
      await this.#calming.calm();
    } catch (why) {
      if (why instanceof Fault) this.#device.tools.report(why);
    }
  }
}

/** The host's word for a card that is not there. */
export const noCardRead = (): Fault =>
  new Fault('terminal.refused', { command: 'complete', status: '-', why: 'no card was read' });

// A call that several may make at once and that runs once: a cancel may meet the end of the customer's time.

/** While one call runs, all others get its promise. */
export const joined = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
};
