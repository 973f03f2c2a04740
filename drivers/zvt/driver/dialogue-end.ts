/** How a dialogue with a ZVT terminal ended, and what the end of its link shows about the terminal. */
import { type Clock, deadline } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';

/** The other end closed the link while no command ran. */
export type IdleLoss = {
  /** How long after the end of the last command, ms. */
  afterMs: number;
  /** Monotonic ms. */
  at: number;
};

export class DialogueEnd {
  readonly #clock: Clock;
  #why: Fault | undefined;
  #loss: IdleLoss | undefined;
  #commandEndedAt = -Infinity;
  #wasRefused = false;
  #tell = (): void => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The Fault that ended it; undefined while it is open. */
  get why(): Fault | undefined {
    return this.#why;
  }

  /** Set if the link was lost while no command ran. */
  get idleLoss(): IdleLoss | undefined {
    return this.#loss;
  }

  /** The last command was refused, not carried out. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  onCommandEnd({ refused }: { refused: boolean }): void {
    this.#commandEndedAt = this.#clock.monotonic();
    this.#wasRefused = refused;
  }

  end(fault: Fault, { isIdle }: { isIdle: boolean }): void {
    this.#why = fault;
    const at = this.#clock.monotonic();
    if (isIdle && fault.code === 'link.lost') this.#loss = { afterMs: at - this.#commandEndedAt, at };
    this.#tell();
  }

  /** Whether it has ended within this time; resolves sooner when it does. Only one caller can wait at a time. */
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

/** The message of TCP links and memory links. */
const CLOSED_THERE = 'the other end closed it';

/** Most terminals serve one register: some refuse a second connection, others give up the first. */
export const lossMessage = (fault: Fault, { wasAnswered }: { wasAnswered: boolean }): Fault => {
  if (fault.facts['why'] !== CLOSED_THERE) return fault;
  const words = wasAnswered
    ? 'the terminal closed it, as some do when they are idle, restart, or another register connects'
    : 'the terminal closed it at once: another register may be connected';
  return new Fault('link.lost', { ...fault.facts, why: words }, fault);
};
