/** MMS messages on either kind of link: reports of 64 bytes over USB, SLIP frames over serial and TCP. */
import { isFault } from '../../../src/base/fault.ts';
import { type FramePiece as Cut, cutter } from '../../framing/framer.ts';
import { encodeMmsReports, mmsReportReader } from '../../framing/mms-reports.ts';
import { encodeSlip, type SlipFrame, slip, slipFrameMax, slipInfo } from '../../framing/slip.ts';
import type { Link } from '../../links/link.ts';
import type { MessagePiece } from '../../session.ts';
import { decodeMessage, encodeMessage, type MmsMessage, messageMax } from './message.ts';

/** A whole message as bytes; or `most`: the other side takes messages of so many bytes at most. */
export type Frame = { bytes: Uint8Array } | { most: number };

/** `size` is that of the message's bytes. */
export type ReceivedMmsMessage = (MmsMessage | { kind: 'tooLong'; most: number }) & { size: number };

type Reader<M> = { push(bytes: Uint8Array): MessagePiece<M>[]; held(): number; skip(): MessagePiece<M>[] };

/** Cuts one direction of a link into messages that are not yet read. */
export const frameReader = (carries: Link['carries']): Reader<Frame> => {
  if (carries === 'reports') {
    const reports = mmsReportReader(messageMax);
    const read = (pieces: Cut<Uint8Array>[]): MessagePiece<Frame>[] =>
      pieces.map((piece) => (piece.kind === 'noise' ? piece : { kind: 'message', message: { bytes: piece.frame } }));
    return { push: (bytes) => read(reports.push(bytes)), held: reports.held, skip: () => read(reports.skip()) };
  }
  const frames = cutter(slip, slipFrameMax(messageMax));
  const read = (pieces: Cut<SlipFrame>[]): MessagePiece<Frame>[] =>
    pieces.flatMap((piece): MessagePiece<Frame>[] => {
      // An END more is how SLIP flushes a line; nothing is lost by it.
      if (piece.kind === 'noise') return piece.bytes.every((byte) => byte === 0xc0) ? [] : [piece];
      const { message, most } = piece.frame;
      return [{ kind: 'message', message: most === undefined ? { bytes: message } : { most } }];
    });
  return { push: (bytes) => read(frames.push(bytes)), held: frames.held, skip: () => read(frames.skip()) };
};

/** Reads the messages of one direction of a link; bytes in good form that are no message are noise. */
export const messageReader = (carries: Link['carries']): Reader<ReceivedMmsMessage> => {
  const frames = frameReader(carries);
  const read = (pieces: MessagePiece<Frame>[]): MessagePiece<ReceivedMmsMessage>[] =>
    pieces.map((piece) => (piece.kind === 'noise' ? piece : messagePieceOf(piece.message)));
  return { push: (bytes) => read(frames.push(bytes)), held: frames.held, skip: () => read(frames.skip()) };
};

const messagePieceOf = (frame: Frame): MessagePiece<ReceivedMmsMessage> => {
  if ('most' in frame) return { kind: 'message', message: { kind: 'tooLong', most: frame.most, size: 0 } };
  const { bytes } = frame;
  try {
    return { kind: 'message', message: { ...decodeMessage(bytes), size: bytes.length } };
  } catch (error) {
    if (!isFault(error, 'terminal.garbled')) throw error;
    return { kind: 'noise', bytes, why: 'no message' };
  }
};

export type Going = { carries: Link['carries']; from: 'host' | 'device' };

/** A message's bytes in the form of this kind of link: whole reports, or a frame. */
export const framed = (message: Uint8Array, { carries, from }: Going): Uint8Array => {
  if (carries === 'reports') return encodeMmsReports(message);
  return encodeSlip({ info: from === 'host' ? slipInfo.fromHost : slipInfo.fromDevice, message });
};

export const bytesOf = (message: MmsMessage, going: Going): Uint8Array => framed(encodeMessage(message), going);
