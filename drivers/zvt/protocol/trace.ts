/**
 * Records a ZVT conversation without its card data: messages stay whole and valid, and masked bytes are marked. Such a
 * tape can be replayed.
 */
import { concat } from '../../../src/base/hex.ts';
import { printMoney } from '../../../src/base/money.ts';
import { encodeTlv, type Tlv } from '../../../src/emv/tlv.ts';
import type { Narrator, TraceDirection } from '../../driver.ts';
import { cutter, type FramePiece } from '../../framing/framer.ts';
import {
  encodeZvtApdu,
  encodeZvtFrame,
  type ZvtApdu,
  type ZvtFrame,
  zvtApduFramer,
  zvtApduMax,
  zvtFrameMax,
  zvtSerialFramer,
} from '../../framing/zvt-frame.ts';
import type { Link } from '../../links/link.ts';
import type { Scribe } from '../../links/tape.ts';
import { printBytes } from '../../links/tape-text.ts';
import { resultOf, statusOf } from './codes.ts';
import { commands, decodeRequest } from './commands.ts';
import { type Bmp, containerOf, decodeBmps, encodeBmps, encodeBraces, textOf } from './fields.ts';
import { problemsOf, readAbout } from './health.ts';
import { decodeMessage, homeCurrency, isAnswer, readResult, type ZvtMessage } from './messages.ts';

/** Shows whole messages with sensitive values masked, and acknowledgements. Noise is shown as unknown bytes. */
export const zvtScribe = (): Scribe => {
  const stream = zvtStream();
  return { push: (bytes) => stream.push(bytes).map(maskPiece) };
};

const maskPiece = (piece: StreamPiece): string => {
  if (piece.kind === 'ack') return '06';
  if (piece.kind === 'nak') return '15';
  return piece.kind === 'noise' ? '**'.repeat(piece.bytes) : maskApdu(piece.apdu, piece.form);
};

const maskApdu = (apdu: ZvtApdu, form: ZvtFraming): string => {
  const safe = mask(apdu, { byte: 0x00, digit: '0' });
  const content = encodeZvtApdu(safe);
  const input = encodeZvtApdu(apdu);
  // Hidden bytes are those that another fill byte changes: one that is equal by chance is marked like its neighbours.
  const onesCopy = encodeZvtApdu(mask(apdu, { byte: 0xff, digit: '9' }));
  const marks = content.map((byte, index) => (byte === input[index] && byte === onesCopy[index] ? 1 : 0));
  if (form === 'apdu') return printBytes({ bytes: content, counts: marks });
  // A DLE takes two bytes, so do start and end, and the checksum is masked together with the bytes it covers.
  const doubled = Uint8Array.from(
    [...content].flatMap((byte, index) => (byte === 0x10 ? [marks[index], marks[index]] : [marks[index]]) as number[]),
  );
  const checksum = marks.includes(0) ? 0 : 1;
  const counts = concat(Uint8Array.of(1, 1), doubled, Uint8Array.of(1, 1, checksum, checksum));
  return printBytes({ bytes: encodeZvtFrame(safe), counts });
};

// Removes from a ZVT message what a recording must not contain: card data and the password become zeros, hidden digits
// E. Only listed fields are shown; lengths stay, so the message remains valid.

const clearBmps = new Set('01 02 03 04 05 0B 0C 0D 19 27 29 2A 37 3B 49 60 87 88 8A 8B 8C A0 AA'.split(' '));
/** Text fields: long numbers in them are hidden. */
const textBmps = new Set(['3C']);
const clearTags = new Set(
  '08 09 0A 10 11 12 14 15 1A 1B 41 43 45 1F04 1F05 1F07 1F10 1F11 1F12 1F16 1F2B 1F40 1F41 1F42 1F43 1F44'.split(' '),
);
const textTags = new Set('07 42 44 46 47 1F17'.split(' '));

/** Commands whose data begins with the password. */
const withPassword = new Set('0600 0610 0620 0630 0631 0650 0691 0693 0501'.split(' '));
/** The bytes between password and bitmaps: configuration and currency of a registration. */
const headOf = (code: string): number => (code === '0600' ? 3 : 0);

/**
 * The replacement for hidden bytes, and for hidden digits in texts. Two different fills show which bytes are hidden.
 */
export type Fill = { byte: number; digit: string };

/** The same message, masked. Unreadable data longer than one byte is hidden completely. */
export const mask = ({ code, data }: ZvtApdu, fill: Fill): ZvtApdu => ({ code, data: maskedData(code, data, fill) });

const fillBytes = (length: number, { byte }: Fill): Uint8Array => new Uint8Array(length).fill(byte);

const maskedData = (code: string, data: Uint8Array, fill: Fill): Uint8Array => {
  if (code === '06D1') return concat(data.subarray(0, 1), maskedText(data.subarray(1), fill));
  if (!withPassword.has(code)) return data.length <= 1 ? data : maskedBmps(data, fill);
  const start = Math.min(data.length, 3 + headOf(code));
  return concat(
    fillBytes(Math.min(3, data.length), fill),
    data.subarray(3, start),
    maskedBmps(data.subarray(start), fill),
  );
};

const maskedBmps = (data: Uint8Array, fill: Fill): Uint8Array => {
  try {
    const shown = encodeBmps(decodeBmps(data).map((field) => maskedBmp(field, fill)));
    return shown.length === data.length ? shown : fillBytes(data.length, fill);
  } catch {
    // Data that is not a list of bitmaps cannot be judged.
    return fillBytes(data.length, fill);
  }
};

const maskedBmp = (field: Bmp, fill: Fill): Bmp => {
  const { number, value } = field;
  if (clearBmps.has(number)) return field;
  if (textBmps.has(number)) return { number, value: maskedText(value, fill) };
  if (number === '22') return { number, value: maskedNumber(value) };
  if (number !== '06') return { number, value: fillBytes(value.length, fill) };
  const objects = encodeTlv(containerOf([field]).map((object) => maskedObject(object, fill)));
  return { number, value: objects.length === value.length ? objects : fillBytes(value.length, fill) };
};

const maskedObject = (object: Tlv, fill: Fill): Tlv => {
  const { tag, value, children } = object;
  if (children !== undefined) return { ...object, children: children.map((child) => maskedObject(child, fill)) };
  if (clearTags.has(tag)) return object;
  return { tag, value: textTags.has(tag) ? maskedText(value, fill) : fillBytes(value.length, fill) };
};

/** Every run of eight or more digits, also grouped: a receipt's other numbers are shorter or matter less. */
const maskedText = (value: Uint8Array, { digit }: Fill): Uint8Array =>
  encodeBraces(textOf(value).replace(/\d(?:[ -]?\d){7,}/g, (run) => run.replace(/\d/g, digit)));

/** Keeps first six and last four digits as the terminal shows them, and the padding of the last byte. */
const maskedNumber = (value: Uint8Array): Uint8Array => {
  const nibbles = [...value].flatMap((byte) => [byte >> 4, byte & 0x0f]);
  const length = nibbles.at(-1) === 0x0f ? nibbles.length - 1 : nibbles.length;
  const shows = (at: number) => length >= 12 && (at < 6 || at >= length - 4);
  const shown = nibbles.map((nibble, index) => (index >= length || shows(index) ? nibble : 0x0e));
  return value.map((_, index) => ((shown[2 * index] ?? 0) << 4) | (shown[2 * index + 1] ?? 0));
};

// The two forms of ZVT on a wire: frames with acknowledgements on serial lines, bare APDUs on TCP.

export type ZvtFraming = 'serial' | 'apdu';

/** The form that a link needs: TCP carries bare APDUs, every other stream serial frames. */
export const formOf = ({ name }: Pick<Link, 'name'>): ZvtFraming => (name.startsWith('tcp') ? 'apdu' : 'serial');

/**
 * The form of a stream, from its first bytes; undefined while undecided. A serial stream begins with DLE, ACK or NAK.
 * ACK is also the class byte of half of the APDUs: the next byte decides, because no APDU that starts a conversation or
 * comes from a terminal has DLE, ACK or NAK as its instruction.
 */
const detectFraming = (bytes: Uint8Array): ZvtFraming | undefined => {
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

/** Holds the first one or two bytes until the form is known, then incomplete messages. */
export const zvtStream = (): { push(bytes: Uint8Array): StreamPiece[] } => {
  let form: ZvtFraming | undefined;
  let waiting: Uint8Array = new Uint8Array(0);
  const serial = cutter(zvtSerialFramer, zvtFrameMax);
  const bare = cutter(zvtApduFramer, zvtApduMax);
  return {
    push(bytes) {
      waiting = concat(waiting, bytes);
      form ??= detectFraming(waiting);
      if (form === undefined) return [];
      const all = waiting;
      waiting = new Uint8Array(0);
      return form === 'serial' ? serial.push(all).map(pieceOfFrame) : bare.push(all).map(pieceOfApdu);
    },
  };
};

const pieceOfFrame = (piece: FramePiece<ZvtFrame>): StreamPiece => {
  if (piece.kind === 'noise') return noise(piece);
  const { frame } = piece;
  if (frame.kind === 'apdu') return { ...frame, form: 'serial' };
  return frame.kind === 'broken' ? { ...frame, kind: 'noise' } : frame;
};

const pieceOfApdu = (piece: FramePiece<ZvtApdu>): StreamPiece =>
  piece.kind === 'noise' ? noise(piece) : { kind: 'apdu', apdu: piece.frame, form: 'apdu' };

const noise = ({ bytes, why }: { bytes: Uint8Array; why: string }): StreamPiece => ({
  kind: 'noise',
  bytes: bytes.length,
  why,
});

/** Describes one conversation, never with card data. Acknowledgements on the line are left out; a NAK is shown. */
export const zvtNarrator = (): Narrator => {
  const streams = { said: zvtStream(), heard: zvtStream() };
  return {
    push: (direction, bytes) => streams[direction].push(bytes).flatMap((piece) => describePiece(direction, piece)),
  };
};

const describePiece = (direction: TraceDirection, piece: StreamPiece): string[] => {
  if (piece.kind === 'ack') return [];
  if (piece.kind === 'nak') return ['NAK: say it again'];
  if (piece.kind === 'noise') return [`${piece.bytes} unreadable bytes: ${piece.why}`];
  const { apdu } = piece;
  try {
    if (isAnswer(apdu)) return [describeAnswer(apdu)];
    return [direction === 'said' ? describeCommand(apdu) : describeMessageApdu(apdu)];
  } catch {
    // A malformed message is described by its code.
    return [`${apdu.data.length} bytes of ${apdu.code} that cannot be read`];
  }
};

const describeAnswer = ({ code }: ZvtApdu): string => {
  if (code.startsWith('80') || code === '8400') return 'taken';
  const low = code.slice(2);
  return low === '9C' ? 'PLEASE WAIT' : `REFUSED ${low}: ${low === '66' ? 'goods not issued' : resultOf(low).says}`;
};

const describeCommand = (apdu: ZvtApdu): string => {
  const request = decodeRequest(apdu);
  if (request === undefined) return `unknown command ${apdu.code}`;
  const name = commands[request.name].says.toUpperCase();
  if (request.name === 'authorisation' || request.name === 'refund') {
    const { amountMinor: minor, currency } = request.ask;
    return `${name} ${printMoney({ minor, currency })}`;
  }
  return request.name === 'reversal' ? `${name} of receipt ${request.ask.receipt}` : name;
};

const describeMessageApdu = (apdu: ZvtApdu): string => {
  const message = decodeMessage(apdu);
  return message === undefined ? `unknown message ${apdu.code}` : describeMessage(message);
};

const describeMessage = (message: ZvtMessage): string => {
  switch (message.kind) {
    case 'status':
      return `STATUS ${message.code}: ${statusOf(message.code).says}`;
    case 'result':
      return describeResult(message);
    case 'print': {
      const { receipt, lines, ends } = message;
      return `PRINT ${lines.length} lines of the ${receipt} receipt${ends ? ', its end' : ''}`;
    }
    case 'completion': {
      const problems = problemsOf(readAbout(message.data));
      return ['COMPLETION', ...problems].join('; ');
    }
    case 'aborted':
      return `ABORTED ${message.code}: ${resultOf(message.code).says}`;
  }
};

const describeResult = (message: Extract<ZvtMessage, { kind: 'result' }>): string => {
  const { code, amountMinor: minor, currency = homeCurrency, receiptNumber, details } = readResult(message);
  return [
    `RESULT ${code}: ${code === '00' ? 'approved' : resultOf(code).says}`,
    ...(minor === undefined ? [] : [printMoney({ minor, currency })]),
    ...(receiptNumber === undefined ? [] : [`receipt ${receiptNumber}`]),
    ...(details.entryMode === undefined ? [] : [details.entryMode]),
    ...(details.maskedPan === undefined ? [] : [details.maskedPan]),
  ].join(', ');
};
