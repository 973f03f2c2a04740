/**
 * Ask and answer over a link: one question at a time, each with a deadline, others in line behind it.
 *
 * Goals: no answer is ever taken for another question's, and no wait is without end. So a deadline that passes, a byte
 * that cannot be read and a lost link end the session for good, and what nobody asked for is reported, never acted on.
 * A device that only talks and never answers ends it too: listening costs the till time and memory.
 */
import { type Clock, deadline } from '../src/base/clock.ts';
import { Fault } from '../src/base/fault.ts';
import { overwrite } from '../src/base/hex.ts';
import type { Link } from './links/link.ts';

export type Question = {
  /** For fault texts. */
  name: string;
  bytes: Uint8Array;
  /** From the moment it is written. */
  withinMs: number;
  /** What its answer repeats, where the protocol numbers messages: for the protocol's own `place`. */
  number?: string;
};

export type MessagePiece<M> = { kind: 'message'; message: M } | { kind: 'noise'; bytes: Uint8Array; why: string };

/** What a session must know of its protocol. */
export type Protocol<M> = {
  /** Cuts the stream; holds what is incomplete, within a bound. */
  push(bytes: Uint8Array): MessagePiece<M>[];
  held(): number;
  /** Gives up on the incomplete start. */
  skip(): MessagePiece<M>[];
  /** Which of the open questions this message answers (by order or by number); `notice` when it was sent unasked. */
  place(message: M, open: readonly Question[]): Question | 'notice' | 'stray';
  /** How many bytes of noise are overlooked before the first answer: rests of what the device said to someone else. */
  noiseMax: number;
  /** How long an incomplete message may stand before it is noise. */
  partMs: number;
  sizeOf(message: M): number;
};

export type SessionEvents<M> = {
  /** Something said unasked. What is returned is reported like a stray. */
  notice(message: M): Fault | undefined;
  /** Counted and shown, never acted on. */
  report(stray: Fault): void;
  /** Called once when the session ends by itself. */
  ended(why: Fault): void;
};

type Open<M> = { question: Question; resolve(message: M): void; reject(why: Fault): void; stop(): void };

/** Questions that may stand in line; more means that somebody does not wait for answers. */
const lineMax = 16;

/** Strays and notices in one question, or with none open in one minute. A busy device sends a handful. */
const unaskedMax = 1_000;

export class ProtocolSession<M> {
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #protocol: Protocol<M>;
  readonly #events: SessionEvents<M>;
  readonly #open: Open<M>[] = [];
  readonly #line: (() => void)[] = [];
  #over: Fault | undefined;
  #settled = false;
  #noise = 0;
  readonly #unasked: UnsolicitedMessages;
  #stopPart: () => void = () => {};

  constructor(tools: { link: Link; clock: Clock; protocol: Protocol<M>; events: SessionEvents<M> }) {
    this.#link = tools.link;
    this.#clock = tools.clock;
    this.#protocol = tools.protocol;
    this.#events = tools.events;
    this.#unasked = new UnsolicitedMessages(
      { clock: tools.clock, report: (why) => tools.events.report(why) },
      unaskedMax,
    );
    this.#link.listen({ bytes: (bytes) => this.#hear(bytes), closed: (why) => this.end(why) });
  }

  /** Asks when all earlier questions are answered. Rejects with the Fault that ended the session. */
  ask(question: Question): Promise<M> {
    return this.#inTurn(question);
  }

  /** The same of a question that a device may leave unanswered: undefined once `withinMs` have passed. */
  mayAsk(question: Question): Promise<M | undefined> {
    return new Promise((resolve, reject) => {
      this.#inTurn(question, () => resolve(undefined)).then(resolve, reject);
    });
  }

  async #inTurn(question: Question, unanswered?: () => void): Promise<M> {
    // Looked at again after waking: somebody may have asked between the wake-up and its turn.
    while (this.#over === undefined && this.#open.length > 0) {
      if (this.#line.length >= lineMax) {
        throw new Fault('terminal.busy', { command: this.#open[0]?.question.name ?? question.name });
      }
      await new Promise<void>((resolve) => this.#line.push(resolve));
    }
    return this.#send(question, unanswered);
  }

  /**
   * Asks at once, while another question runs. Once this is answered the running one has `thenMs` left.
   * With nothing running it is a plain question.
   */
  async overtake(question: Question, thenMs: number): Promise<M> {
    const running = this.#open[0];
    const answer = await this.#send(question);
    if (running !== undefined && this.#open.includes(running)) this.#limit(running, thenMs);
    return answer;
  }

  /** The question that waits for its answer. */
  running(): Question | undefined {
    return this.#open[0]?.question;
  }

  /** Why nothing can be asked any more, or undefined. */
  over(): Fault | undefined {
    return this.#over;
  }

  /** Throws the Fault that ended it, if one did. */
  check(): void {
    if (this.#over !== undefined) throw this.#over;
  }

  /** What an answer of so many bytes says. One that says success but of what nobody knows ends the session. */
  read<T>(bytes: number, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      const why = error instanceof Fault ? error : new Fault('terminal.garbled', { bytes }, error);
      this.end(why);
      throw why;
    }
  }

  /** Ends it from here: everything open and everything later gets `link.lost`. Never rejects. */
  async close(): Promise<void> {
    this.end(new Fault('link.lost', { port: this.#link.name, why: 'it was closed here' }));
    await this.#link.close();
  }

  /** Ends it: every open question and every later one gets this Fault. The link is closed. */
  end(why: Fault): void {
    if (this.#over !== undefined) return;
    this.#unasked.startAnew();
    this.#over = why;
    this.#stopPart();
    for (const open of this.#open.splice(0)) {
      open.stop();
      open.reject(why);
    }
    for (const next of this.#line.splice(0)) next();
    this.#events.ended(why);
    void this.#link.close();
  }

  #send(question: Question, unanswered?: () => void): Promise<M> {
    return new Promise((resolve, reject) => {
      if (this.#over !== undefined) return reject(this.#over);
      if (this.#open.length === 0) this.#unasked.startAnew();
      const open: Open<M> = { question, resolve, reject, stop: () => {} };
      this.#open.push(open);
      this.#limit(open, question.withinMs, unanswered);
      this.#link.write(question.bytes).catch((error: unknown) => this.end(lost(this.#link.name, error)));
    });
  }

  /** What happens when the time is over: as a rule the end. */
  #limit(open: Open<M>, ms: number, unanswered?: () => void): void {
    open.stop();
    const { name } = open.question;
    open.stop = deadline(this.#clock, ms, () => {
      if (unanswered === undefined) return this.end(new Fault('terminal.silent', { command: name, ms }));
      this.#close(open);
      unanswered();
    });
  }

  /** It is no longer asked: the next in line is let in. */
  #close(open: Open<M>): void {
    open.stop();
    this.#open.splice(this.#open.indexOf(open), 1);
    if (this.#open.length === 0) this.#line.shift()?.();
  }

  #hear(bytes: Uint8Array): void {
    if (this.#over !== undefined) return;
    const pieces = this.#protocol.push(bytes);
    // What was cut out of it are copies: an encrypted PIN is not to stand here too.
    overwrite(bytes);
    this.#take(pieces);
  }

  #take(pieces: MessagePiece<M>[]): void {
    this.#stopPart();
    for (const piece of pieces) {
      if (this.#over !== undefined) return;
      if (piece.kind === 'noise') {
        overwrite(piece.bytes);
        this.#noisy(piece.bytes.length);
      } else this.#place(piece.message);
    }
    if (this.#over !== undefined || this.#protocol.held() === 0) return;
    this.#stopPart = deadline(this.#clock, this.#protocol.partMs, () => this.#take(this.#protocol.skip()));
  }

  #noisy(bytes: number): void {
    this.#noise += bytes;
    const fault = new Fault('terminal.garbled', { bytes: this.#noise });
    if (this.#settled || this.#noise > this.#protocol.noiseMax) this.end(fault);
    else this.#events.report(fault);
  }

  #place(message: M): void {
    const questions = this.#open.map(({ question }) => question);
    const placed = this.#protocol.place(message, questions);
    const open = this.#open.find(({ question }) => question === placed);
    if (open === undefined) {
      this.#hearUnasked(message, placed === 'notice' ? 'notice' : 'stray');
      return;
    }
    this.#settled = true;
    this.#unasked.startAnew();
    open.resolve(message);
    this.#close(open);
  }

  #hearUnasked(message: M, kind: 'notice' | 'stray'): void {
    const bytes = this.#protocol.sizeOf(message);
    if (this.#unasked.tooMany(bytes, { idle: this.#open.length === 0 })) {
      this.end(new Fault('terminal.garbled', { bytes: this.#unasked.bytes() }));
      return;
    }
    const strange = kind === 'notice' ? this.#events.notice(message) : new Fault('terminal.stray', { bytes });
    if (strange !== undefined) this.#unasked.stray(strange);
  }
}

const idleMs = 60_000;
/** Strays that are reported one by one; the rest of them as one count. */
const reportedMax = 10;

/** Counts what a device says unasked in one command, or with none running in one minute. */
export class UnsolicitedMessages {
  readonly #tools: { clock: Clock; report(stray: Fault): void };
  readonly #most: number;
  #count = { messages: 0, bytes: 0, strays: 0, since: 0 };

  constructor(tools: { clock: Clock; report(stray: Fault): void }, most: number) {
    this.#tools = tools;
    this.#most = most;
  }

  /** Counts any message. True when there were too many. */
  tooMany(bytes: number, { idle }: { idle: boolean }): boolean {
    if (idle && this.#tools.clock.monotonic() - this.#count.since >= idleMs) this.startAnew();
    this.#count.messages += 1;
    this.#count.bytes += bytes;
    return this.#count.messages > this.#most;
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

const lost = (port: string, error: unknown): Fault =>
  error instanceof Fault ? error : new Fault('link.lost', { port, why: 'it took no more bytes' }, error);

/** A call that several may make at once, as a cancel may meet the end of the customer's time. It runs once for all. */
export const joined = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
};
