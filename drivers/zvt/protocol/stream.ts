/** One way of a conversation cut into what it is made of, in whichever form it is: for recordings and narration. */
import { concat } from '../../../src/base/hex.ts';
import { cutter, type FramePiece } from '../../framing/framer.ts';
import { type ZvtApdu, type ZvtFrame, zvtApdu, zvtApduMax, zvtFrameMax, zvtSerial } from '../../framing/zvt-frame.ts';
import type { Link } from '../../links/link.ts';

// The two forms of ZVT on a wire: frames with acknowledgement on serial lines, bare APDUs on TCP.

export type ZvtFraming = 'serial' | 'apdu';

/** Which form a link wants: TCP carries bare APDUs, every other stream the serial frames. */
export const formOf = ({ name }: Pick<Link, 'name'>): ZvtFraming => (name.startsWith('tcp') ? 'apdu' : 'serial');

/**
 * Which form a stream has, from its first bytes; undefined while that is open. A serial stream begins with DLE, ACK or
 * NAK. ACK is also the class of half of the APDUs: the byte behind it tells, as no APDU that begins a conversation or
 * comes from a terminal has an instruction that looks like DLE, ACK, NAK.
 */
const sniff = (bytes: Uint8Array): ZvtFraming | undefined => {
  const [first, second] = bytes;
  if (first === undefined) return undefined;
  if (first === 0x10 || first === 0x15) return 'serial';
  if (first !== 0x06) return 'apdu';
  if (second === undefined) return undefined;
  return second === 0x10 || second === 0x06 || second === 0x15 ? 'serial' : 'apdu';
};

export type StreamPiece =
  | { kind: 'apdu'; apdu: ZvtApdu; form: ZvtFraming }
  | { kind: 'ack' }
  | { kind: 'nak' }
  | { kind: 'noise'; bytes: number; why: string };

/** Holds the first byte or two until the form is known, then what is incomplete. */
export const zvtStream = (): { push(bytes: Uint8Array): StreamPiece[] } => {
  let form: ZvtFraming | undefined;
  let waiting: Uint8Array = new Uint8Array(0);
  const serial = cutter(zvtSerial, zvtFrameMax);
  const bare = cutter(zvtApdu, zvtApduMax);
  return {
    push(bytes) {
      waiting = concat(waiting, bytes);
      form ??= sniff(waiting);
      if (form === undefined) return [];
      const all = waiting;
      waiting = new Uint8Array(0);
      return form === 'serial' ? serial.push(all).map(ofFrame) : bare.push(all).map(ofApdu);
    },
  };
};

const ofFrame = (piece: FramePiece<ZvtFrame>): StreamPiece => {
  if (piece.kind === 'noise') return noise(piece);
  const { frame } = piece;
  if (frame.kind === 'apdu') return { ...frame, form: 'serial' };
  return frame.kind === 'broken' ? { ...frame, kind: 'noise' } : frame;
};

const ofApdu = (piece: FramePiece<ZvtApdu>): StreamPiece =>
  piece.kind === 'noise' ? noise(piece) : { kind: 'apdu', apdu: piece.frame, form: 'apdu' };

const noise = ({ bytes, why }: { bytes: Uint8Array; why: string }): StreamPiece => ({
  kind: 'noise',
  bytes: bytes.length,
  why,
});
