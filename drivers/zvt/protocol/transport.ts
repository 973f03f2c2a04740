/**
 * Carries APDUs over a link, for the till and for the simulated terminal alike. On serial lines every frame is
 * acknowledged before the next goes out; a NAK has it sent again, three times in all; a frame that was heard twice,
 * because its ACK got lost, is acknowledged twice and passed on once. On TCP an APDU is delivered when it is written.
 * Source: PA00P016.
 */
import { type Clock, deadline } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { cutter, type FramePiece } from '../../framing/framer.ts';
import {
  encodeZvtApdu,
  encodeZvtFrame,
  type ZvtApdu,
  type ZvtFrame,
  zvtAck,
  zvtApdu,
  zvtApduMax,
  zvtFrameMax,
  zvtNak,
  zvtSerial,
} from '../../framing/zvt-frame.ts';
import { isAnswer } from './messages.ts';
import type { ZvtFraming } from './trace.ts';

/** How long the other side may take for its ACK (timer T3). */
export const ackMs = 5_000;
/** How long a message may stand still before its end. At 9600 baud a byte takes a millisecond. */
const partMs = 2_000;
/** The first sending included. */
const sendingsMax = 3;
const lineMax = 64;

export type TransportOptions = {
  form: ZvtFraming;
  clock: Clock;
  /** Puts bytes on the wire; `acknowledgement` when they are a bare ACK or NAK. */
  put(bytes: Uint8Array, kind: 'message' | 'acknowledgement'): void;
  heard(apdu: ZvtApdu): void;
  /** Bytes that are no message. On TCP nothing behind them can be trusted. */
  noise(bytes: number): void;
  /** The other side does not take what is said. */
  failed(why: Fault): void;
  /**
   * Whether a frame whose ACK does not come is sent again. Never by the till: a command that was taken must not be
   * given twice.
   */
  repeats: 'never' | 'whenSilent';
};

type Outgoing = { apdu: ZvtApdu; frame: Uint8Array; sendings: number };

export class Transport {
  readonly #options: TransportOptions;
  readonly #cutter: { push(bytes: Uint8Array): FramePiece<ZvtFrame>[]; held(): number; skip(): FramePiece<ZvtFrame>[] };
  readonly #line: Outgoing[] = [];
  /** The last frame heard, until a frame of our own said later was acknowledged: until then it may be a repetition. */
  #mayRepeat: string | undefined;
  #stopAck = (): void => {};
  #stopPart = (): void => {};
  #over = false;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#cutter = options.form === 'serial' ? cutter(zvtSerial, zvtFrameMax) : cutter(zvtApduAsFrame, zvtApduMax);
  }

  /** Says it, when everything said before has been acknowledged. */
  send(apdu: ZvtApdu) {
    if (this.#over) return;
    if (this.#options.form === 'apdu') return this.#options.put(encodeZvtApdu(apdu), 'message');
    if (this.#line.length >= lineMax) return this.#fail(new Fault('terminal.silent', { command: 'ACK', ms: ackMs }));
    this.#line.push({ apdu, frame: encodeZvtFrame(apdu), sendings: 0 });
    if (this.#line.length === 1) this.#put();
  }

  hear(bytes: Uint8Array): void {
    if (!this.#over) this.#take(this.#cutter.push(bytes));
  }

  /** Forgets what was not said yet, and what may have been heard twice: a new conversation begins. */
  clear(): void {
    this.#stopAck();
    this.#line.length = 0;
    this.#mayRepeat = undefined;
  }

  stop(): void {
    this.#over = true;
    this.#stopAck();
    this.#stopPart();
    this.#line.length = 0;
  }

  #put(): void {
    const next = this.#line[0];
    if (next === undefined) return;
    next.sendings += 1;
    this.#options.put(next.frame, 'message');
    this.#stopAck = deadline(this.#options.clock, ackMs, () => this.#unacknowledged(next));
  }

  #unacknowledged(next: Outgoing): void {
    const gaveUp = this.#options.repeats === 'never' || next.sendings >= sendingsMax;
    if (gaveUp) this.#fail(new Fault('terminal.silent', { command: `ACK of ${next.apdu.code}`, ms: ackMs }));
    else this.#put();
  }

  #take(pieces: FramePiece<ZvtFrame>[]): void {
    this.#stopPart();
    for (const piece of pieces) {
      if (this.#over) return;
      if (piece.kind === 'noise') this.#options.noise(piece.bytes.length);
      else this.#hearFrame(piece.frame);
    }
    if (this.#over || this.#cutter.held() === 0) return;
    this.#stopPart = deadline(this.#options.clock, partMs, () => {
      // What was begun will not end: the other side is to say it again.
      if (this.#options.form === 'serial') this.#options.put(zvtNak, 'acknowledgement');
      this.#take(this.#cutter.skip());
    });
  }

  #hearFrame(frame: ZvtFrame) {
    if (this.#options.form === 'apdu') return frame.kind === 'apdu' ? this.#options.heard(frame.apdu) : undefined;
    if (frame.kind === 'ack') return this.#acknowledged();
    if (frame.kind === 'nak') return this.#refused();
    if (frame.kind === 'broken') {
      this.#options.put(zvtNak, 'acknowledgement');
      // The bound on broken frames is the listener's: it counts them like any noise.
      return this.#options.noise(1);
    }
    this.#options.put(zvtAck, 'acknowledgement');
    // Who answers has heard the question, though its ACK got lost.
    if (isAnswer(frame.apdu) && this.#line[0] !== undefined && !isAnswer(this.#line[0].apdu)) this.#acknowledged();
    const heard = `${frame.apdu.code}${toHex(frame.apdu.data)}`;
    if (heard === this.#mayRepeat) return;
    this.#mayRepeat = heard;
    this.#options.heard(frame.apdu);
  }

  #acknowledged(): void {
    if (this.#line.shift() === undefined) return;
    this.#stopAck();
    this.#mayRepeat = undefined;
    this.#put();
  }

  #refused() {
    const next = this.#line[0];
    if (next === undefined) return;
    this.#stopAck();
    if (next.sendings < sendingsMax) return this.#put();
    this.#fail(new Fault('terminal.garbled', { bytes: next.frame.length }));
  }

  #fail(why: Fault): void {
    this.stop();
    this.#options.failed(why);
  }
}

const zvtApduAsFrame = (held: Uint8Array) => {
  const cut = zvtApdu(held);
  return cut?.kind === 'frame' ? { ...cut, frame: { kind: 'apdu' as const, apdu: cut.frame } } : cut;
};
