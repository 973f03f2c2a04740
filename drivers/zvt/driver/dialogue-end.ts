/** How a dialogue with a ZVT terminal ended, what the end of its link says of its habits, and what it says unasked. */
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

/** Messages in one command, or with none running in one minute. A long end of day sends a few hundred lines. */
const messagesMax = 2_000;
const idleMs = 60_000;
/** Strays that are reported one by one; the rest of them as one count. */
const reportedMax = 10;

/** Counts what the terminal says without being asked: reported up to a bound, and too much of it ends the dialogue. */
export class UnsolicitedMessages {
  readonly #tools: { clock: Clock; report(stray: Fault): void };
  #count = { messages: 0, bytes: 0, strays: 0, since: 0 };

  constructor(tools: { clock: Clock; report(stray: Fault): void }) {
    this.#tools = tools;
  }

  /** Counts any message. True when there were too many. */
  tooMany(bytes: number, { idle }: { idle: boolean }): boolean {
    if (idle && this.#tools.clock.monotonic() - this.#count.since >= idleMs) this.startAnew();
    this.#count.messages += 1;
    this.#count.bytes += bytes;
    return this.#count.messages > messagesMax;
  }

  bytes(): number {
    return this.#count.bytes;
  }

  /** Reports what nobody waits for. */
  stray(why: Fault): void {
    this.#count.strays += 1;
    if (this.#count.strays <= reportedMax) this.#tools.report(why);
  }

  /** Tells of the strays that were not reported one by one, and forgets them all. */
  startAnew(): void {
    const count = this.#count.strays - reportedMax;
    this.#count = { messages: 0, bytes: 0, strays: 0, since: this.#tools.clock.monotonic() };
    if (count > 0) this.#tools.report(new Fault('terminal.strays', { count }));
  }
}
