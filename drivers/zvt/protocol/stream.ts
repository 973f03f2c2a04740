/** One way of a conversation cut into what it is made of, in whichever form it is: for recordings and narration. */
import { concat } from '../../../src/base/hex.ts';
import { cutter, type FramePiece } from '../../framing/framer.ts';
import { type ZvtApdu, zvtApdu, zvtApduMax } from '../../framing/zvt-apdu.ts';
import { type ZvtFrame, zvtFrameMax, zvtSerial } from '../../framing/zvt-serial.ts';
import { sniff, type ZvtFraming } from './form.ts';

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
