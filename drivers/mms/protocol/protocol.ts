/** MMS as the session sees it: how messages are cut, and which question a response answers. */
import { Fault, isFault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { type FramePiece as Cut, cutter } from '../../framing/framer.ts';
import {
  encodeMmsReports,
  encodeSlip,
  mmsReportReader,
  type SlipFrame,
  slip,
  slipFrameMax,
  slipInfo,
} from '../../framing/mms-frame.ts';
import { type Link, reportBytes } from '../../links/link.ts';
import type { MessagePiece, Protocol, Question } from '../../session.ts';
import { decodeMessage, encodeMessage, type MmsMessage, messageMax } from './message.ts';

/** A question with what its answer must carry. */
export type NumberedQuestion = Question & { ref: number; id: string; echo?: string };

const isNumbered = (question: Question): question is NumberedQuestion => 'ref' in question;

/**
 * What an echo says, hex: the session's next number and the time, milliseconds since 1970, so that none is said twice.
 * Whole numbers in a row: as floating-point ones most moments end in empty bytes, and in a recording a 42 before
 * fourteen zeros reads like a card number.
 */
export const echoData = (ms: number, ref: number): string =>
  ref.toString(16).padStart(2, '0').toUpperCase() + ms.toString(16).padStart(16, '0').toUpperCase();

/**
 * Which question a response belongs to: number and command must be the same. The echo at the opening says something of
 * its own too, so that no response of an earlier life passes for it.
 */
export const place = (message: ReceivedMmsMessage, open: readonly Question[]): Question | 'notice' | 'stray' => {
  if (message.kind === 'notification') return 'notice';
  if (message.kind === 'tooLong') return open[0] ?? 'stray';
  if (message.kind !== 'response') return 'stray';
  const found = open.filter(isNumbered).find(({ ref, id }) => ref === message.ref && id === message.id);
  if (found === undefined) return 'stray';
  const { echo } = found;
  const said = toHex(message.payload ?? new Uint8Array(0));
  // One that says nothing, or the command's id alone, cannot be told from another.
  if (echo === undefined || said === '' || said === message.id) return found;
  return said.endsWith(echo) ? found : 'stray';
};

/** A new protocol state for one link. `answered` hears of each response at its very place in the conversation. */
export const mmsProtocol = (
  carries: Link['carries'],
  answered: (id: string) => void,
): Protocol<ReceivedMmsMessage> => ({
  ...messageReader(carries),
  place(message, open) {
    const placed = place(message, open);
    if (typeof placed !== 'string' && message.kind === 'response') answered(message.id);
    return placed;
  },
  noiseMax: 4_096,
  // The longest message takes a second and a half at 115200 baud.
  partMs: 4_000,
  sizeOf: ({ size }) => size,
});

/** Why a message cannot be sent. */
export const tooLong = (command: string, most: number): Fault =>
  new Fault('terminal.refused', { command, status: '03', why: `it takes messages of at most ${most} bytes` });

// MMS messages on either kind of link: reports of 64 bytes over USB, SLIP frames over serial and TCP.

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

// A link of HID reports that takes messages of any length: whoever writes to it need not count.

/** The same link; what is written to one of reports goes out report by report, the last filled with zeros. */
export const byReport = (link: Link): Link => {
  if (link.carries === 'stream') return link;
  return {
    name: link.name,
    carries: link.carries,
    listen: (listener) => link.listen(listener),
    close: () => link.close(),
    async write(bytes) {
      for (let at = 0; at < bytes.length; at += reportBytes) {
        const report = new Uint8Array(reportBytes);
        report.set(bytes.subarray(at, at + reportBytes));
        await link.write(report);
      }
    },
  };
};
