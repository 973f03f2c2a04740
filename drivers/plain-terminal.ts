/**
 * A terminal that authorises by itself, over a protocol of plain frames: each command has one answer with its number,
 * and what the terminal shows meanwhile comes unasked. What such a protocol says is given; how a terminal is asked,
 * timed, cancelled and left stands here. Protocols that are not so plain have their own (drivers/zvt).
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

/** `sizeMax`: the longest frame, bytes. `encode`: the frame as it goes over the link. */
export type Frames<M> = { framer: Framer<M>; sizeMax: number; encode(frame: M): Uint8Array };

/** Rests of an earlier conversation that are overlooked before the first answer, bytes. */
const noiseMax = 1_024;
/** How long the start of a frame may stand alone: 2 s are more than any frame takes at 9600 baud. */
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
    held: cut.held,
    skip: () => pieces(cut.skip()),
    place,
    noiseMax,
    partMs,
    sizeOf: (frame) => encode(frame).length,
  };
};

/** Says each frame in these words, a line each; `words` must show no card data. Noise is counted. */
export const framedNarrator = <M>({ framer, sizeMax }: Frames<M>, words: (frame: M) => string): Narrator => {
  const ways = { said: cutter(framer, sizeMax), heard: cutter(framer, sizeMax) };
  const line = (piece: Cut<M>): string =>
    piece.kind === 'frame' ? words(piece.frame) : `${piece.bytes.length} unreadable bytes: ${piece.why}`;
  return { push: (way, bytes) => ways[way].push(bytes).map(line) };
};

/** Writes down whole the frames that `shows` knows to hold no card data; of all else only how many bytes there were. */
export const framedScribe = <M>({ framer, sizeMax, encode }: Frames<M>, shows: (frame: M) => boolean): Scribe => {
  const cut = cutter(framer, sizeMax);
  const line = (piece: Cut<M>): string => {
    if (piece.kind === 'noise') return '**'.repeat(piece.bytes.length);
    const bytes = encode(piece.frame);
    return shows(piece.frame) ? printBytes({ bytes, counts: bytes.map(() => 1) }) : '**'.repeat(bytes.length);
  };
  return { push: (bytes) => cut.push(bytes).map(line) };
};

type PlainMoney = { do: 'pay' | 'refund'; amount: Money };

/** What the till asks. */
export type PlainCall =
  | { do: 'hello' | 'last' | 'cancel' | 'endOfDay' }
  | PlainMoney
  /** `charged`: the amount that the terminal must know under this number, for protocols that can say it. */
  | { do: 'reverse'; receiptNumber: string; charged?: Money };

/** What a plain protocol says. Whatever reads an answer throws a Fault when nobody knows what it means. */
export type PlainProtocol<M> = {
  frames: Frames<M>;
  /** The message that asks for this; its answer repeats the number. */
  ask(call: PlainCall, number: string): M;
  /** The number that this answer repeats, or `notice` of what comes unasked. */
  placeOf(message: M): { number: string } | 'notice';
  infoOf(answer: M): TerminalInfo;
  /** `busy`: a payment still runs there, perhaps one of a lost connection. */
  outcomeOf(answer: M): IntegratedOutcome | { kind: 'none' } | { kind: 'busy' };
  linesOf(answer: M): readonly string[];
  eventOf(notice: M): TerminalEvent | undefined;
};

/** How long the terminal may take for an answer, ms; for money beyond the time that the customer has. */
const answersMs = { quick: 5_000, money: 60_000, endOfDay: 900_000 };
/** Numbers have six digits at most and then begin anew. */
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
    // From the time of day, so that an answer to an earlier session is nobody's.
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

  pay(request: IntegratedRequest, tell: (event: TerminalEvent) => void): Promise<IntegratedOutcome> {
    return this.#money({ do: 'pay', amount: request.amount }, request, tell);
  }

  refund(request: IntegratedRequest, tell: (event: TerminalEvent) => void): Promise<IntegratedOutcome> {
    return this.#money({ do: 'refund', amount: request.amount }, request, tell);
  }

  async reverse(
    { receiptNumber, amount }: Reversible,
    tell: (event: TerminalEvent) => void,
  ): Promise<IntegratedOutcome> {
    if (!/^\d{1,12}$/.test(receiptNumber)) {
      throw new Fault('terminal.refused', { command: 'reverse', status: '-', why: 'that is no receipt number' });
    }
    return this.#money({ do: 'reverse', receiptNumber, charged: amount }, { withinMs: answersMs.money }, tell);
  }

  async last(): Promise<IntegratedOutcome | { kind: 'none' }> {
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

  /** When the customer's time is over the terminal is told to stop, and its answer tells how it ended. */
  async #money(
    call: PlainCall,
    { withinMs, taken }: Pick<IntegratedRequest, 'withinMs' | 'taken'>,
    tell: (event: TerminalEvent) => void,
  ): Promise<IntegratedOutcome> {
    if ('amount' in call && call.amount.minor <= 0n) {
      throw new Fault('amount.unpositive', { amount: printMoney(call.amount) });
    }
    this.#idle();
    this.#tell = firstly(taken, tell);
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

  /** The end of the command tells how it went; that the cancel itself failed is only worth a report. */
  #stop(): void {
    this.cancel().catch((why: unknown) => {
      if (why instanceof Fault) this.#tools.report(why);
    });
  }

  async #ask(call: PlainCall, withinMs: number): Promise<M> {
    this.#idle();
    return this.#session.ask(this.#question(call, withinMs));
  }

  /** Throws `terminal.busy` while a command runs. */
  #idle(): void {
    const running = this.#session.running();
    if (running !== undefined) throw new Fault('terminal.busy', { command: running.name });
  }

  #question(call: PlainCall, withinMs: number): Question {
    this.#number = (this.#number + 1) % numbers;
    const number = `${this.#number}`;
    const bytes = this.#protocol.frames.encode(this.#protocol.ask(call, number));
    return { name: call.do, number, bytes, withinMs };
  }

  /** An answer that nobody understands ends the session: the till then asks anew what became of the money. */
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

/** What the terminal shows says that it has taken the request. */
const firstly = (taken: (() => void) | undefined, tell: (event: TerminalEvent) => void) => {
  let wasTaken = false;
  return (event: TerminalEvent): void => {
    if (!wasTaken) taken?.();
    wasTaken = true;
    tell(event);
  };
};
