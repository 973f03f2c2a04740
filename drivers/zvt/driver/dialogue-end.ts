/** How a dialogue with a ZVT terminal ended, and what the end of its link says of its habits. */
import { type Clock, deadline } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';

/** The other end closed the link while no command ran. */
export type IdleLoss = {
  /** How long after the end of the last command, ms. */
  afterMs: number;
  /** Monotonic ms. */
  at: number;
};

export class Fate {
  readonly #clock: Clock;
  #why: Fault | undefined;
  #loss: IdleLoss | undefined;
  #commandEndedAt = -Infinity;
  #wasRefused = false;
  #tell = (): void => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What ended it; undefined while it goes on. */
  get why(): Fault | undefined {
    return this.#why;
  }

  /** Set where it ended by a loss of the link with nothing running. */
  get idleLoss(): IdleLoss | undefined {
    return this.#loss;
  }

  /** The last command was refused, not carried out. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  commandEnded({ refused }: { refused: boolean }): void {
    this.#commandEndedAt = this.#clock.monotonic();
    this.#wasRefused = refused;
  }

  end(why: Fault, { isIdle }: { isIdle: boolean }): void {
    this.#why = why;
    const at = this.#clock.monotonic();
    if (isIdle && why.code === 'link.lost') this.#loss = { afterMs: at - this.#commandEndedAt, at };
    this.#tell();
  }

  /** Whether it has ended when so much time has passed; sooner when it does. One may wait at a time. */
  isOverWithin(ms: number): Promise<boolean> {
    if (this.#why !== undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      const stop = deadline(this.#clock, ms, () => resolve(false));
      this.#tell = () => {
        stop();
        resolve(true);
      };
    });
  }
}

/** What TCP links and memory links say. */
const CLOSED_THERE = 'the other end closed it';

/** Terminals serve one register as a rule: some refuse a second connection, others give up the first. */
export const lossInWords = (why: Fault, { answered }: { answered: boolean }): Fault => {
  if (why.facts['why'] !== CLOSED_THERE) return why;
  const words = answered
    ? 'the terminal closed it, as some do when they are idle, restart, or another register connects'
    : 'the terminal closed it at once: another register may be connected';
  return new Fault('link.lost', { ...why.facts, why: words }, why);
};
