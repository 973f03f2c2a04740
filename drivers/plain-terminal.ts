/**
 * A terminal that authorises by itself, with a protocol of plain frames: each command has one answer that repeats its
 * number, and what the terminal displays meanwhile is sent unasked. The protocol describes its messages; this file
 * asks, times, cancels and closes. Protocols that are less simple have their own implementation (drivers/zvt).
 */
import { Fault } from '../src/base/fault.ts';
import { type Money, printMoney } from '../src/base/money.ts';
import type { DriverTools, Narrator } from './driver.ts';
import { type FramePiece as Cut, cutter, type Framer } from './framing/framer.ts';
import type { IntegratedOutcome, IntegratedRequest, IntegratedTerminal, Reversible } from './integrated-terminal.ts';
import type { Link } from './links/link.ts';
import type { Scribe } from './links/tape.ts';
import { printBytes } from './links/tape-text.ts';
import { type MessagePiece, type Protocol, ProtocolSession, type Question } from './session.ts';
import type { TerminalEvent, TerminalInfo } from './terminal.ts';

/** `sizeMax`: the longest frame, bytes. `encode`: the bytes of a frame on the link. */
export type Frames<M> = { framer: Framer<M>; sizeMax: number; encode(frame: M): Uint8Array };

/** How many bytes of an earlier conversation are ignored before the first answer. */
const noiseMax = 1_024;
/** How long the start of a frame may wait for the rest: 2 s are longer than any frame takes at 9600 baud. */
const partMs = 2_000;

/** A new protocol state for one link. `place` says which open question a frame answers, if any. */
const framedProtocol = <M>(
  { framer, sizeMax, encode }: Frames<M>,
  place: (frame: M, open: readonly Question[]) => Question | 'notice' | 'stray',
): Protocol<M> => {
  const cut = cutter(framer, sizeMax);
  const pieces = (all: Cut<M>[]): MessagePiece<M>[] =>
    all.map((piece) => (piece.kind === 'noise' ? piece : { kind: 'message', message: piece.frame }));
  return {
    push: (bytes) => pieces(cut.push(bytes)),
    size: cut.size,
    skip: () => pieces(cut.skip()),
    assign: place,
    noiseMax,
    partMs,
    sizeOf: (frame) => encode(frame).length,
  };
};

/** Describes each frame with `words`, one line each; `words` must not show card data. Noise is counted. */
export const framedNarrator = <M>({ framer, sizeMax }: Frames<M>, describeFrame: (frame: M) => string): Narrator => {
  const cutters = { said: cutter(framer, sizeMax), heard: cutter(framer, sizeMax) };
  const describe = (piece: Cut<M>): string =>
    piece.kind === 'frame' ? describeFrame(piece.frame) : `${piece.bytes.length} unreadable bytes: ${piece.why}`;
  return { push: (direction, bytes) => cutters[direction].push(bytes).map(describe) };
};

/** Records in full the frames that `isShown` knows to be free of card data; of all others only the number of bytes. */
export const framedScribe = <M>({ framer, sizeMax, encode }: Frames<M>, isShown: (frame: M) => boolean): Scribe => {
  const cut = cutter(framer, sizeMax);
  const printMasked = (piece: Cut<M>): string => {
    if (piece.kind === 'noise') return '**'.repeat(piece.bytes.length);
    const bytes = encode(piece.frame);
    return isShown(piece.frame) ? printBytes({ bytes, counts: bytes.map(() => 1) }) : '**'.repeat(bytes.length);
  };
  return { push: (bytes) => cut.push(bytes).map(printMasked) };
};

type PlainMoney = { do: 'pay' | 'refund'; amount: Money };

/** What the till can ask of the terminal. */
export type PlainCall =
  | { do: 'hello' | 'last' | 'cancel' | 'endOfDay' }
  | PlainMoney
  /** `charged`: the amount that the terminal must have under this number, for protocols that can send it. */
  | { do: 'reverse'; receiptNumber: string; charged?: Money };

/**
 * How a plain protocol writes and reads its messages. The readers throw a Fault when an answer has no known meaning.
 */
export type PlainProtocol<M> = {
  frames: Frames<M>;
  /** The message for this call; its answer repeats the number. */
  ask(call: PlainCall, number: string): M;
  /** The number that this answer repeats, or `notice` for a message sent unasked. */
  placeOf(message: M): { number: string } | 'notice';
  infoOf(answer: M): TerminalInfo;
  /** `busy`: the terminal is still at a payment, perhaps one of a lost connection. */
  outcomeOf(answer: M): IntegratedOutcome | { kind: 'none' } | { kind: 'busy' };
  linesOf(answer: M): readonly string[];
  eventOf(notice: M): TerminalEvent | undefined;
};

/** How long the terminal may take for an answer, ms; `money` is added to the customer's time. */
const answersMs = { quick: 5_000, money: 60_000, endOfDay: 900_000 };
/** Numbers have at most six digits and then start again. */
const numbers = 1_000_000;

/** Says hello on this link. Throws the faults of link and device; the link is closed then. */
export const openPlainTerminal = async <M>(
  link: Link,
  tools: DriverTools,
  protocol: PlainProtocol<M>,
): Promise<IntegratedTerminal> => {
  const terminal = new PlainTerminal(link, tools, protocol);
  try {
    await terminal.echo();
    return terminal;
  } catch (error) {
    await terminal.close();
    throw error;
  }
};

class PlainTerminal<M> implements IntegratedTerminal {
  readonly #session: ProtocolSession<M>;
  readonly #tools: DriverTools;
  readonly #protocol: PlainProtocol<M>;
  #number: number;
  #info: TerminalInfo = { model: '', serial: '', firmware: '' };
  #tell: ((event: TerminalEvent) => void) | undefined;

  constructor(link: Link, tools: DriverTools, protocol: PlainProtocol<M>) {
    this.#tools = tools;
    this.#protocol = protocol;
    // Starts at the time of day, so that an answer to an earlier session matches nothing.
    this.#number = tools.clock.now() % numbers;
    const { clock, report } = tools;
    const place = (message: M, open: readonly Question[]) => {
      const at = protocol.placeOf(message);
      return at === 'notice' ? at : (open.find(({ number }) => number === at.number) ?? 'stray');
    };
    const events = { notice: (notice: M) => this.#notice(notice), report, ended: () => {} };
    this.#session = new ProtocolSession({ link, clock, protocol: framedProtocol(protocol.frames, place), events });
  }

  async info(): Promise<TerminalInfo> {
    return this.#info;
  }

  async health() {
    await this.echo();
    return { ok: true, problems: [] };
  }

  async echo(): Promise<void> {
    const answer = await this.#ask({ do: 'hello' }, answersMs.quick);
    this.#info = this.#read(answer, () => this.#protocol.infoOf(answer));
  }

  pay(request: IntegratedRequest, notify: (event: TerminalEvent) => void): Promise<IntegratedOutcome> {
    return this.#money({ do: 'pay', amount: request.amount }, request, notify);
  }

  refund(request: IntegratedRequest, notify: (event: TerminalEvent) => void): Promise<IntegratedOutcome> {
    return this.#money({ do: 'refund', amount: request.amount }, request, notify);
  }

  async reverse(
    { receiptNumber, amount }: Reversible,
    notify: (event: TerminalEvent) => void,
  ): Promise<IntegratedOutcome> {
    if (!/^\d{1,12}$/.test(receiptNumber)) {
      throw new Fault('terminal.refused', { command: 'reverse', status: '-', why: 'that is no receipt number' });
    }
    return this.#money({ do: 'reverse', receiptNumber, charged: amount }, { withinMs: answersMs.money }, notify);
  }

  async lastOutcome(): Promise<IntegratedOutcome | { kind: 'none' }> {
    const answer = await this.#ask({ do: 'last' }, answersMs.quick);
    const outcome = this.#read(answer, () => this.#protocol.outcomeOf(answer));
    if (outcome.kind !== 'busy') return outcome;
    throw new Fault('terminal.unclear', { command: 'last', status: '-', why: 'it is still at a payment' });
  }

  async cancel(): Promise<void> {
    await this.#session.overtake(this.#question({ do: 'cancel' }, answersMs.quick), answersMs.quick);
  }

  async endOfDay(): Promise<{ lines: readonly string[] }> {
    const answer = await this.#ask({ do: 'endOfDay' }, answersMs.endOfDay);
    return { lines: this.#read(answer, () => this.#protocol.linesOf(answer)) };
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  /** When the customer's time is up the terminal is told to stop, and its answer says how the payment ended. */
  async #money(
    call: PlainCall,
    { withinMs, onAccepted }: Pick<IntegratedRequest, 'withinMs' | 'onAccepted'>,
    notify: (event: TerminalEvent) => void,
  ): Promise<IntegratedOutcome> {
    if ('amount' in call && call.amount.minor <= 0n) {
      throw new Fault('amount.unpositive', { amount: printMoney(call.amount) });
    }
    this.#idle();
    this.#tell = notifyFirst(onAccepted, notify);
    const stop = this.#tools.clock.after(withinMs, () => this.#stop());
    try {
      const answer = await this.#ask(call, withinMs + answersMs.money);
      const outcome = this.#read(answer, () => this.#protocol.outcomeOf(answer));
      if (outcome.kind === 'busy') return { kind: 'notBegun', code: '-', why: 'the terminal is at another payment' };
      if (outcome.kind !== 'none') return outcome;
      throw new Fault('terminal.unclear', { command: call.do, status: '-', why: 'it does not say how it ended' });
    } finally {
      stop();
      this.#tell = undefined;
    }
  }

  /** The answer to the command says how it ended; a failed cancel is only worth a report. */
  #stop(): void {
    this.cancel().catch((error: unknown) => {
      if (error instanceof Fault) this.#tools.report(error);
    });
  }

  async #ask(call: PlainCall, withinMs: number): Promise<M> {
    this.#idle();
    return this.#session.ask(this.#question(call, withinMs));
  }

  /** Throws `terminal.busy` while a command runs. */
  #idle(): void {
    const running = this.#session.runningQuestion();
    if (running !== undefined) throw new Fault('terminal.busy', { command: running.name });
  }

  #question(call: PlainCall, withinMs: number): Question {
    this.#number = (this.#number + 1) % numbers;
    const number = `${this.#number}`;
    const bytes = this.#protocol.frames.encode(this.#protocol.ask(call, number));
    return { name: call.do, number, bytes, withinMs };
  }

  /** An answer that cannot be understood ends the session: the till then asks again what happened to the money. */
  #read<T>(answer: M, decode: () => T): T {
    return this.#session.read(this.#protocol.frames.encode(answer).length, decode);
  }

  #notice(notice: M): Fault | undefined {
    const event = this.#protocol.eventOf(notice);
    if (event === undefined) return new Fault('terminal.stray', { bytes: this.#protocol.frames.encode(notice).length });
    this.#tell?.(event);
    return undefined;
  }
}

/** Any event from the terminal proves that it has accepted the request. */
const notifyFirst = (onAccepted: (() => void) | undefined, notify: (event: TerminalEvent) => void) => {
  let isAccepted = false;
  return (event: TerminalEvent): void => {
    if (!isAccepted) onAccepted?.();
    isAccepted = true;
    notify(event);
  };
};
