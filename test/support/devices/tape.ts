/** A link that replays a recorded conversation: a byte that differs is an error. */
import { type Inbox, inbox, type Link } from '../../../drivers/links/link.ts';
import { parseTape, printStep, type TapeStep } from '../../../drivers/links/tape-text.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';

export type Tape = Link & {
  /** What was not played, and the first wrong byte if there was one. Empty when everything was as recorded. */
  left(): string[];
};

/**
 * A link that plays the device's side of this text (see `parseTape`). With a clock each answer takes as long after the
 * preceding line as when it was recorded; without one, all arrive at once. Throws `tape.malformed`.
 */
export const tape = (text: string, { clock }: { clock?: Clock } = {}): Tape => {
  const { carries, steps } = parseTape(text);
  const box = inbox('tape');
  const player = new Player(steps, box, clock);
  const playSoon = () => queueMicrotask(() => player.play());
  let wrong: string | undefined;

  const breakLink = (reason: string): Fault => {
    wrong = reason;
    const fault = new Fault('link.lost', { port: 'tape', why: reason });
    box.lose(fault);
    return fault;
  };

  return {
    name: 'tape',
    carries,
    listen(listener) {
      box.listen(listener);
      playSoon();
    },
    async write(bytes) {
      player.catchUp();
      const lossFault = box.lossFault();
      if (lossFault !== undefined) throw lossFault;
      for (const [at, byte] of bytes.entries()) {
        const reason = player.take(byte);
        if (reason !== undefined) throw breakLink(`byte ${at} of ${toHex(bytes)}: ${reason}`);
      }
      playSoon();
    },
    async close() {
      player.stop();
      box.close();
    },
    left: () => [...(wrong === undefined ? [] : [`! ${wrong}`]), ...player.left()],
  };
};

/** The state of the replay: the steps still to come, and the bytes it waits for. */
class Player {
  readonly #steps: TapeStep[];
  readonly #box: Inbox;
  readonly #clock: Clock | undefined;
  /** How many bytes of the current step have been written. */
  #written = 0;
  #lastMs = 0;
  #stopTimer: (() => void) | undefined;

  constructor(steps: TapeStep[], box: Inbox, clock: Clock | undefined) {
    this.#steps = steps;
    this.#box = box;
    this.#clock = clock;
  }

  /** Plays every step up to the next write, each at its time. */
  play(): void {
    for (let step = this.#heard(); step !== undefined && this.#stopTimer === undefined; step = this.#heard()) {
      const waitMs = (step.atMs ?? this.#lastMs) - this.#lastMs;
      if (this.#clock === undefined || waitMs <= 0) this.#fire(step);
      else this.#stopTimer = this.#clock.after(waitMs, () => this.#goOn());
    }
  }

  /**
   * Bytes that arrived before the till spoke in the recording are delivered before it speaks now, however early it is.
   */
  catchUp(): void {
    if (this.#stopTimer === undefined) return;
    this.stop();
    for (let step = this.#heard(); step !== undefined; step = this.#heard()) this.#fire(step);
  }

  /** Takes one written byte. Returns what is wrong with it, or undefined. */
  take(byte: number): string | undefined {
    const step = this.#steps[0];
    if (step?.do !== '>') return `a byte more than the tape has: ${hex(byte)}`;
    const expectedByte = step.bytes[this.#written] ?? 0;
    const right = expectedByte === byte || step.counts[this.#written] === 0;
    this.#written += 1;
    if (this.#written === step.bytes.length) {
      this.#lastMs = step.atMs ?? this.#lastMs;
      this.#steps.shift();
      this.#written = 0;
    }
    return right ? undefined : `${hex(byte)} where the tape has ${hex(expectedByte)}`;
  }

  left(): string[] {
    return this.#steps.map((step, index) => {
      if (index > 0 || step.do === 'x') return printStep(step);
      const rest = { bytes: step.bytes.subarray(this.#written), counts: step.counts.subarray(this.#written) };
      return printStep({ ...step, ...rest });
    });
  }

  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  /** The current step, if it is one of the device. */
  #heard(): TapeStep | undefined {
    return this.#steps[0]?.do === '>' ? undefined : this.#steps[0];
  }

  #goOn(): void {
    this.#stopTimer = undefined;
    const step = this.#heard();
    if (step !== undefined) this.#fire(step);
    this.play();
  }

  #fire(step: TapeStep): void {
    this.#steps.shift();
    this.#lastMs = step.atMs ?? this.#lastMs;
    if (step.do === '<') this.#box.deliver(step.bytes);
    else this.#box.lose(new Fault('link.lost', { port: 'tape', why: 'the tape says so' }));
  }
}

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');
