/**
 * Questions and answers over a link: one question at a time, each with a deadline; the others wait in line.
 *
 * Goals: an answer is never taken for that of another question, and no wait is endless. So a missed deadline, an
 * unreadable byte or a lost link ends the session for good, and a message that nobody asked for is reported, never
 * acted on. A device that keeps sending without answering also ends the session: listening costs the till time and
 * memory.
 */
import { type Clock, deadline } from '../src/base/clock.ts';
import { Fault } from '../src/base/fault.ts';
import { overwrite } from '../src/base/hex.ts';
import type { Link } from './links/link.ts';

export type Question = {
  /** The name of the question in faults. */
  name: string;
  bytes: Uint8Array;
  /** Counted from the moment the question is written. */
  withinMs: number;
  /** The number that the answer repeats, where the protocol numbers messages; read by the protocol's own `assign`. */
  number?: string;
};

export type MessagePiece<M> = { kind: 'message'; message: M } | { kind: 'noise'; bytes: Uint8Array; why: string };

/** What a session must know of its protocol. */
export type Protocol<M> = {
  /** Cuts the stream into messages; holds what is incomplete, within a bound. */
  push(bytes: Uint8Array): MessagePiece<M>[];
  size(): number;
  /** Gives up on the incomplete message. */
  skip(): MessagePiece<M>[];
  /** Which of the open questions this message answers (by order or by number); `notice` when it was sent unasked. */
  assign(message: M, open: readonly Question[]): Question | 'notice' | 'stray';
  /** How many bytes of noise are ignored before the first answer: leftovers of an earlier conversation. */
  noiseMax: number;
  /** How long an incomplete message may wait before it counts as noise. */
  partMs: number;
  sizeOf(message: M): number;
};

export type SessionEvents<M> = {
  /** Receives an unsolicited message. A returned Fault is reported like a stray. */
  notice(message: M): Fault | undefined;
  /** Receives strays: they are counted and shown, never acted on. */
  report(stray: Fault): void;
  /** Called once when the session ends by itself. */
  ended(fault: Fault): void;
};

type OpenQuestion<M> = { question: Question; resolve(message: M): void; reject(fault: Fault): void; stop(): void };

/** The maximum number of questions in line; more means that a caller does not wait for answers. */
const lineMax = 16;

/** The most strays and notices during one question, or in one minute without one. A busy device sends a handful. */
const unaskedMax = 1_000;

export class ProtocolSession<M> {
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #protocol: Protocol<M>;
  readonly #events: SessionEvents<M>;
  readonly #open: OpenQuestion<M>[] = [];
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
      { clock: tools.clock, report: (fault) => tools.events.report(fault) },
      unaskedMax,
    );
    this.#link.listen({ bytes: (bytes) => this.#hear(bytes), closed: (fault) => this.end(fault) });
  }

  /** Asks when all earlier questions have been answered. Rejects with the Fault that ended the session. */
  ask(question: Question): Promise<M> {
    return this.#inTurn(question);
  }

  /** Like `ask`, for a question that a device may leave unanswered: undefined once `withinMs` have passed. */
  mayAsk(question: Question): Promise<M | undefined> {
    return new Promise((resolve, reject) => {
      this.#inTurn(question, () => resolve(undefined)).then(resolve, reject);
    });
  }

  async #inTurn(question: Question, unanswered?: () => void): Promise<M> {
    // Checked again after waking: another caller may have asked between the wake-up and this turn.
    while (this.#over === undefined && this.#open.length > 0) {
      if (this.#line.length >= lineMax) {
        throw new Fault('terminal.busy', { command: this.#open[0]?.question.name ?? question.name });
      }
      await new Promise<void>((resolve) => this.#line.push(resolve));
    }
    return this.#send(question, unanswered);
  }

  /**
   * Asks at once, while another question is running. Once this one is answered the running one has `thenMs` left. With
   * nothing running it is an ordinary question.
   */
  async overtake(question: Question, thenMs: number): Promise<M> {
    const running = this.#open[0];
    const answer = await this.#send(question);
    if (running !== undefined && this.#open.includes(running)) this.#limit(running, thenMs);
    return answer;
  }

  /** The question that is waiting for its answer. */
  runningQuestion(): Question | undefined {
    return this.#open[0]?.question;
  }

  /** The Fault after which nothing can be asked, or undefined. */
  endFault(): Fault | undefined {
    return this.#over;
  }

  /** Throws the Fault that ended the session, if one did. */
  check(): void {
    if (this.#over !== undefined) throw this.#over;
  }

  /** Decodes an answer of this many bytes. An answer that reports success but cannot be decoded ends the session. */
  read<T>(bytes: number, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault('terminal.garbled', { bytes }, error);
      this.end(fault);
      throw fault;
    }
  }

  /** Closes the session from this side: every open and later question gets `link.lost`. Never rejects. */
  async close(): Promise<void> {
    this.end(new Fault('link.lost', { port: this.#link.name, why: 'it was closed here' }));
    await this.#link.close();
  }

  /** Ends the session: every open and later question gets this Fault. The link is closed. */
  end(fault: Fault): void {
    if (this.#over !== undefined) return;
    this.#unasked.resetCount();
    this.#over = fault;
    this.#stopPart();
    for (const open of this.#open.splice(0)) {
      open.stop();
      open.reject(fault);
    }
    for (const next of this.#line.splice(0)) next();
    this.#events.ended(fault);
    void this.#link.close();
  }

  #send(question: Question, unanswered?: () => void): Promise<M> {
    return new Promise((resolve, reject) => {
      if (this.#over !== undefined) return reject(this.#over);
      if (this.#open.length === 0) this.#unasked.resetCount();
      const open: OpenQuestion<M> = { question, resolve, reject, stop: () => {} };
      this.#open.push(open);
      this.#limit(open, question.withinMs, unanswered);
      this.#link.write(question.bytes).catch((error: unknown) => this.end(lossFaultOf(this.#link.name, error)));
    });
  }

  /** What happens when the deadline passes: usually the end of the session. */
  #limit(open: OpenQuestion<M>, ms: number, unanswered?: () => void): void {
    open.stop();
    const { name } = open.question;
    open.stop = deadline(this.#clock, ms, () => {
      if (unanswered === undefined) return this.end(new Fault('terminal.silent', { command: name, ms }));
      this.#close(open);
      unanswered();
    });
  }

  /** Closes a question and admits the next one in line. */
  #close(open: OpenQuestion<M>): void {
    open.stop();
    this.#open.splice(this.#open.indexOf(open), 1);
    if (this.#open.length === 0) this.#line.shift()?.();
  }

  #hear(bytes: Uint8Array): void {
    if (this.#over !== undefined) return;
    const pieces = this.#protocol.push(bytes);
    // The messages were copied out of these bytes: an encrypted PIN must not stay here as well.
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
    if (this.#over !== undefined || this.#protocol.size() === 0) return;
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
    const placed = this.#protocol.assign(message, questions);
    const open = this.#open.find(({ question }) => question === placed);
    if (open === undefined) {
      this.#hearUnasked(message, placed === 'notice' ? 'notice' : 'stray');
      return;
    }
    this.#settled = true;
    this.#unasked.resetCount();
    open.resolve(message);
    this.#close(open);
  }

  #hearUnasked(message: M, kind: 'notice' | 'stray'): void {
    const bytes = this.#protocol.sizeOf(message);
    if (this.#unasked.addAndCheck(bytes, { idle: this.#open.length === 0 })) {
      this.end(new Fault('terminal.garbled', { bytes: this.#unasked.bytes() }));
      return;
    }
    const strange = kind === 'notice' ? this.#events.notice(message) : new Fault('terminal.stray', { bytes });
    if (strange !== undefined) this.#unasked.stray(strange);
  }
}

const idleMs = 60_000;
/** The number of strays that are reported one by one; the rest are reported as one count. */
const reportedMax = 10;

/** Counts unsolicited messages during one command, or in one minute with none running. */
export class UnsolicitedMessages {
  readonly #tools: { clock: Clock; report(stray: Fault): void };
  readonly #most: number;
  #count = { messages: 0, bytes: 0, strays: 0, since: 0 };

  constructor(tools: { clock: Clock; report(stray: Fault): void }, most: number) {
    this.#tools = tools;
    this.#most = most;
  }

  /** Counts any message. True when there were too many. */
  addAndCheck(bytes: number, { idle }: { idle: boolean }): boolean {
    if (idle && this.#tools.clock.monotonic() - this.#count.since >= idleMs) this.resetCount();
    this.#count.messages += 1;
    this.#count.bytes += bytes;
    return this.#count.messages > this.#most;
  }

  bytes(): number {
    return this.#count.bytes;
  }

  /** Reports a message that nobody waits for. */
  stray(fault: Fault): void {
    this.#count.strays += 1;
    if (this.#count.strays <= reportedMax) this.#tools.report(fault);
  }

  /** Reports how many strays were not reported one by one, and resets the counts. */
  resetCount(): void {
    const count = this.#count.strays - reportedMax;
    this.#count = { messages: 0, bytes: 0, strays: 0, since: this.#tools.clock.monotonic() };
    if (count > 0) this.#tools.report(new Fault('terminal.strays', { count }));
  }
}

const lossFaultOf = (port: string, error: unknown): Fault =>
  error instanceof Fault ? error : new Fault('link.lost', { port, why: 'it took no more bytes' }, error);

/** A call that several callers can make at once, as a cancel when the time ends. It runs once for all of them. */
export const join = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
};
