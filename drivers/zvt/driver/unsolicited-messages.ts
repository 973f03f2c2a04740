/** Counts what the terminal says without being asked: reported up to a bound, and too much of it ends the dialogue. */
import type { Clock } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';

/** Messages in one command, or with none running in one minute. A long end of day sends a few hundred lines. */
const messagesMax = 2_000;
const idleMs = 60_000;
/** Strays that are reported one by one; the rest of them as one count. */
const reportedMax = 10;

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
