/**
 * Carries APDUs over a link, for both the till and the simulated terminal. On serial lines every frame is acknowledged
 * before the next is sent; after a NAK it is sent again, three times in all; a frame that arrives twice because its ACK
 * was lost is acknowledged twice and passed on once. On TCP an APDU counts as delivered when it is written. Source:
 * PA00P016.
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
  zvtApduFramer,
  zvtApduMax,
  zvtFrameMax,
  zvtNak,
  zvtSerialFramer,
} from '../../framing/zvt-frame.ts';
import { isAnswer } from './messages.ts';
import type { ZvtFraming } from './trace.ts';

/** How long the other side may take for its ACK (timer T3). */
export const ackMs = 5_000;
/** How long an incomplete message may wait for its rest. At 9600 baud a byte takes a millisecond. */
const partMs = 2_000;
/** How often a frame is sent, including the first attempt. */
const sendingsMax = 3;
const lineMax = 64;

export type TransportOptions = {
  form: ZvtFraming;
  clock: Clock;
  /** Writes bytes to the wire; `acknowledgement` for a bare ACK or NAK. */
  put(bytes: Uint8Array, kind: 'message' | 'acknowledgement'): void;
  received(apdu: ZvtApdu): void;
  /** Bytes that are not a message. On TCP nothing after them can be trusted. */
  noise(bytes: number): void;
  /** The other side does not accept what is sent. */
  failed(fault: Fault): void;
  /** Whether a frame without an ACK is sent again. Never by the till: an accepted command must not be given twice. */
  repeats: 'never' | 'whenSilent';
};

type Outgoing = { apdu: ZvtApdu; frame: Uint8Array; sendings: number };

export class Transport {
  readonly #options: TransportOptions;
  readonly #cutter: { push(bytes: Uint8Array): FramePiece<ZvtFrame>[]; size(): number; skip(): FramePiece<ZvtFrame>[] };
  readonly #line: Outgoing[] = [];
  /** The last frame received: it may be repeated until a later frame of ours is acknowledged. */
  #mayRepeat: string | undefined;
  #stopAck = (): void => {};
  #stopPart = (): void => {};
  #over = false;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#cutter =
      options.form === 'serial' ? cutter(zvtSerialFramer, zvtFrameMax) : cutter(zvtApduAsFrame, zvtApduMax);
  }

  /** Sends it once everything before it has been acknowledged. */
  send(apdu: ZvtApdu) {
    if (this.#over) return;
    if (this.#options.form === 'apdu') return this.#options.put(encodeZvtApdu(apdu), 'message');
    if (this.#line.length >= lineMax) return this.#fail(new Fault('terminal.silent', { command: 'ACK', ms: ackMs }));
    this.#line.push({ apdu, frame: encodeZvtFrame(apdu), sendings: 0 });
    if (this.#line.length === 1) this.#put();
  }

  handle(bytes: Uint8Array): void {
    if (!this.#over) this.#take(this.#cutter.push(bytes));
  }

  /** Drops what was not sent yet, and what could be repeated: a new conversation begins. */
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
    if (this.#over || this.#cutter.size() === 0) return;
    this.#stopPart = deadline(this.#options.clock, partMs, () => {
      // The frame will never be complete: ask the other side to send it again.
      if (this.#options.form === 'serial') this.#options.put(zvtNak, 'acknowledgement');
      this.#take(this.#cutter.skip());
    });
  }

  #hearFrame(frame: ZvtFrame) {
    if (this.#options.form === 'apdu') return frame.kind === 'apdu' ? this.#options.received(frame.apdu) : undefined;
    if (frame.kind === 'ack') return this.#acknowledged();
    if (frame.kind === 'nak') return this.#refused();
    if (frame.kind === 'broken') {
      this.#options.put(zvtNak, 'acknowledgement');
      // The listener limits broken frames: it counts them like other noise.
      return this.#options.noise(1);
    }
    this.#options.put(zvtAck, 'acknowledgement');
    // An answer proves that the question was received, although its ACK was lost.
    if (isAnswer(frame.apdu) && this.#line[0] !== undefined && !isAnswer(this.#line[0].apdu)) this.#acknowledged();
    const dialect = `${frame.apdu.code}${toHex(frame.apdu.data)}`;
    if (dialect === this.#mayRepeat) return;
    this.#mayRepeat = dialect;
    this.#options.received(frame.apdu);
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

  #fail(fault: Fault): void {
    this.stop();
    this.#options.failed(fault);
  }
}

const zvtApduAsFrame = (buffer: Uint8Array) => {
  const cut = zvtApduFramer(buffer);
  return cut?.kind === 'frame' ? { ...cut, frame: { kind: 'apdu' as const, apdu: cut.frame } } : cut;
};
