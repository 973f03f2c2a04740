/**
 * MMS messages: `AA 00`, then BER-TLVs: 81 the kind, 82 the status or the detail, 84 the payload; how they are cut, and
 * which question a response answers. Source: MagTek, DynaFlex family programmer's manual, "Messages (Requests,
 * Responses, Notifications, and Files)".
 */
import { Fault, isFault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, find, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { type FramePiece as Cut, cutter } from '../../framing/framer.ts';
import {
  encodeMmsReports,
  encodeSlip,
  mmsReportReader,
  type SlipFrame,
  slipFrameMax,
  slipFramer,
  slipInfo,
} from '../../framing/mms-frame.ts';
import { type Link, reportBytes } from '../../links/link.ts';
import type { MessagePiece, Protocol, Question } from '../../session.ts';

/** `id` is the command or notification, four hex digits. `ref` links a response to its request. */
export type MmsMessage =
  | { kind: 'request'; ref: number; id: string; payload?: Uint8Array }
  /** `status`: summary and detail, eight hex digits. */
  | { kind: 'response'; ref: number; id: string; status: string; payload?: Uint8Array }
  /** `detail`: eight hex digits. */
  | { kind: 'notification'; id: string; detail: string; payload?: Uint8Array }
  /** Parts of files and everything else that this driver does not use. */
  | { kind: 'other'; type: number };

/** The longest message that is joined or sent: blocks with several tracks are far shorter. */
export const messageMax = 16_384;

const types = { request: 0x01, response: 0x82, notification: 0x83 } as const;
const start = Uint8Array.of(0xaa, 0x00);

const garbledFault = (bytes: Uint8Array, cause?: unknown): Fault =>
  new Fault('terminal.garbled', { bytes: bytes.length }, cause);

/** Reads a message; lengths need not be minimal. Throws `terminal.garbled`. */
export const decodeMessage = (bytes: Uint8Array): MmsMessage => {
  if (bytes[0] !== start[0] || bytes[1] !== start[1]) throw garbledFault(bytes);
  let list: Tlv[];
  try {
    list = decodeTlv(withDetailLength(bytes).subarray(start.length));
  } catch (cause) {
    throw garbledFault(bytes, cause);
  }
  const what = find(list, '81')?.value;
  const [type, ref] = what ?? [];
  if (what === undefined || type === undefined || ref === undefined) throw garbledFault(bytes);
  const state = toHex(find(list, '82')?.value ?? new Uint8Array(0));
  const payload = find(list, '84')?.value;
  if (what.length !== 4) return { kind: 'other', type };
  const id = toHex(what.subarray(2));
  if (type === types.request) return { kind: 'request', ref, id, payload };
  if (type !== types.response && type !== types.notification) return { kind: 'other', type };
  if (state.length !== 8) throw garbledFault(bytes);
  if (type === types.response) return { kind: 'response', ref, id, status: state, payload };
  return { kind: 'notification', id, detail: state, payload };
};

/** The manual prints battery notifications without the length of tag 82: the four bytes follow directly and end it. */
export const lacksDetailLength = (bytes: Uint8Array): boolean =>
  bytes.length === 13 && bytes[4] === types.notification && bytes[8] === 0x82;

const withDetailLength = (bytes: Uint8Array): Uint8Array =>
  lacksDetailLength(bytes) ? concat(bytes.subarray(0, 9), Uint8Array.of(4), bytes.subarray(9)) : bytes;

/** The bytes of a message. Throws `terminal.garbled` for the kind `other`. */
export const encodeMessage = (message: MmsMessage): Uint8Array => {
  if (message.kind === 'other') throw new Fault('terminal.garbled', { bytes: 0 });
  const ref = message.kind === 'notification' ? 0 : message.ref;
  const what = concat(Uint8Array.of(types[message.kind], ref), fromHex(message.id));
  const list = [tlv('81', what)];
  if (message.kind === 'response') list.push(tlv('82', message.status));
  if (message.kind === 'notification') list.push(tlv('82', message.detail));
  if (message.payload !== undefined) list.push(tlv('84', message.payload));
  return concat(start, encodeTlv(list));
};

/** The payload of a message with this id: the id, then TLVs. */
export const payloadOf = (id: string, content: Uint8Array): Uint8Array => concat(fromHex(id), content);

/** The TLVs of a payload. Some devices leave out the id in front. Throws `tlv.malformed`. */
export const contentOf = (id: string, payload: Uint8Array | undefined): Tlv[] => {
  if (payload === undefined) return [];
  return decodeTlv(toHex(payload.subarray(0, 2)) === id ? payload.subarray(2) : payload);
};

// How MMS requests end: a summary byte, then three detail bytes. Source: MagTek, DynaFlex family programmer's manual,
// "Messages", request status.

/** Eight hex digits. */
export type Status = string;

/** Whether the request was carried out or started: 00 done, 01 started, 40 and 41 the same with a warning. */
export const isSuccess = (status: Status): boolean => /^[04][01]/.test(status);

/** How the driver treats a refusal. */
type Refusal = 'unready' | 'noTransaction' | 'busy' | 'unknown' | 'refused';

export const details: Readonly<Record<string, { says: string; means: Refusal }>> = {
  '000002': { says: 'it failed', means: 'refused' },
  '000016': { says: 'somebody opened the terminal', means: 'unready' },
  '010101': { says: 'the message failed', means: 'refused' },
  '010102': { says: 'the message is malformed', means: 'refused' },
  '010109': { says: 'it is offline: it was opened, or keys are missing', means: 'unready' },
  '010110': { says: 'no key is assigned for PINs', means: 'unready' },
  '010113': { says: 'it does not have this feature', means: 'unknown' },
  '020101': { says: 'a parameter is wrong', means: 'refused' },
  '020102': { says: 'a parameter is wrong', means: 'refused' },
  '020103': { says: 'the answer would be too long', means: 'refused' },
  '020119': { says: 'there is no such key', means: 'refused' },
  '02011A': { says: 'it is not secured', means: 'refused' },
  '02011B': { says: 'the passcode is wrong', means: 'refused' },
  '02011C': { says: 'it is locked', means: 'unready' },
  '020304': { says: 'no transaction runs', means: 'noTransaction' },
  '020305': { says: 'it cannot be cancelled now', means: 'refused' },
  '020308': { says: 'a transaction runs', means: 'busy' },
  '02030D': { says: 'the transaction is in another state', means: 'noTransaction' },
  '02030E': { says: 'PIN entry is in another state', means: 'refused' },
  '02030F': { says: 'a PIN is being entered', means: 'busy' },
  '020311': { says: 'a barcode is being read', means: 'busy' },
  '020315': { says: 'it is sounding', means: 'busy' },
  '020316': { says: 'the battery is nearly empty', means: 'unready' },
};

/** The row of a status; an unknown one counts as a refusal. */
export const statusRow = (status: Status): { says: string; means: Refusal } =>
  details[status.slice(2)] ?? { says: 'an unknown status', means: 'refused' };

/** The statuses that the simulated device answers with. */
export const statuses = {
  done: '00000000',
  started: '01000000',
  startedWarned: '41020316',
  malformed: '80010102',
  offline: '80010109',
  noFeature: '80010113',
  badParameter: '80020102',
  noKey: '80020119',
  noTransaction: '80020304',
  cannotCancel: '80020305',
  inProgress: '80020308',
  wrongState: '8002030D',
  lowBattery: '80020316',
} as const;

/** A question, and what its answer must contain. */
export type NumberedQuestion = Question & { ref: number; id: string; echo?: string };

const isNumbered = (question: Question): question is NumberedQuestion => 'ref' in question;

/**
 * The bytes of an echo, hex: the session's next number and the time, milliseconds since 1970, so that no echo repeats.
 * Written as integers: most floating-point times end in empty bytes, and in a recording a 42 before fourteen zeros
 * reads like a card number.
 */
export const echoData = (ms: number, ref: number): string =>
  ref.toString(16).padStart(2, '0').toUpperCase() + ms.toString(16).padStart(16, '0').toUpperCase();

/**
 * Which question a response belongs to: number and command must match. The echo at the opening has unique bytes, so
 * that no response of an earlier session passes for it.
 */
export const place = (message: ReceivedMmsMessage, open: readonly Question[]): Question | 'notice' | 'stray' => {
  if (message.kind === 'notification') return 'notice';
  if (message.kind === 'tooLong') return open[0] ?? 'stray';
  if (message.kind !== 'response') return 'stray';
  const found = open.filter(isNumbered).find(({ ref, id }) => ref === message.ref && id === message.id);
  if (found === undefined) return 'stray';
  const { echo } = found;
  const text = toHex(message.payload ?? new Uint8Array(0));
  // An empty answer, or one that holds only the command's id, does not show which echo it answers.
  if (echo === undefined || text === '' || text === message.id) return found;
  return text.endsWith(echo) ? found : 'stray';
};

/** A new protocol state for one link. `answered` receives each response at its exact place in the conversation. */
export const mmsProtocol = (
  carries: Link['carries'],
  onAnswer: (id: string) => void,
): Protocol<ReceivedMmsMessage> => ({
  ...messageReader(carries),
  assign(message, open) {
    const placed = place(message, open);
    if (typeof placed !== 'string' && message.kind === 'response') onAnswer(message.id);
    return placed;
  },
  noiseMax: 4_096,
  // The longest message takes a second and a half at 115200 baud.
  partMs: 4_000,
  sizeOf: ({ size }) => size,
});

/** Why a message cannot be sent. */
export const tooLongFault = (command: string, most: number): Fault =>
  new Fault('terminal.refused', { command, status: '03', why: `it takes messages of at most ${most} bytes` });

// MMS messages on both kinds of link: reports of 64 bytes over USB, SLIP frames over serial and TCP.

/** The bytes of a whole message; or `most`: the other side takes messages of at most this many bytes. */
export type Frame = { bytes: Uint8Array } | { most: number };

/** `size` is the number of bytes in the message. */
export type ReceivedMmsMessage = (MmsMessage | { kind: 'tooLong'; most: number }) & { size: number };

type Reader<M> = { push(bytes: Uint8Array): MessagePiece<M>[]; size(): number; skip(): MessagePiece<M>[] };

/** Cuts one direction of a link into messages that are not decoded yet. */
export const frameReader = (carries: Link['carries']): Reader<Frame> => {
  if (carries === 'reports') {
    const reports = mmsReportReader(messageMax);
    const read = (pieces: Cut<Uint8Array>[]): MessagePiece<Frame>[] =>
      pieces.map((piece) => (piece.kind === 'noise' ? piece : { kind: 'message', message: { bytes: piece.frame } }));
    return { push: (bytes) => read(reports.push(bytes)), size: reports.size, skip: () => read(reports.skip()) };
  }
  const frames = cutter(slipFramer, slipFrameMax(messageMax));
  const read = (pieces: Cut<SlipFrame>[]): MessagePiece<Frame>[] =>
    pieces.flatMap((piece): MessagePiece<Frame>[] => {
      // SLIP flushes a line with an additional END; it is not an error.
      if (piece.kind === 'noise') return piece.bytes.every((byte) => byte === 0xc0) ? [] : [piece];
      const { message, most } = piece.frame;
      return [{ kind: 'message', message: most === undefined ? { bytes: message } : { most } }];
    });
  return { push: (bytes) => read(frames.push(bytes)), size: frames.size, skip: () => read(frames.skip()) };
};

/** Reads the messages of one direction of a link; well-formed bytes that are not a message are noise. */
export const messageReader = (carries: Link['carries']): Reader<ReceivedMmsMessage> => {
  const frames = frameReader(carries);
  const read = (pieces: MessagePiece<Frame>[]): MessagePiece<ReceivedMmsMessage>[] =>
    pieces.map((piece) => (piece.kind === 'noise' ? piece : messagePieceOf(piece.message)));
  return { push: (bytes) => read(frames.push(bytes)), size: frames.size, skip: () => read(frames.skip()) };
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

export type FramingContext = { carries: Link['carries']; from: 'host' | 'device' };

/** A message's bytes as this kind of link carries them: whole reports, or a frame. */
export const frameMessage = (message: Uint8Array, { carries, from }: FramingContext): Uint8Array => {
  if (carries === 'reports') return encodeMmsReports(message);
  return encodeSlip({ info: from === 'host' ? slipInfo.fromHost : slipInfo.fromDevice, message });
};

export const encodeFramed = (message: MmsMessage, context: FramingContext): Uint8Array =>
  frameMessage(encodeMessage(message), context);

/** The same link; on a link of reports, writes go out report by report, the last one padded with zeros. */
export const splitWrites = (link: Link): Link => {
  if (link.carries === 'stream') return link;
  return {
    name: link.name,
    carries: link.carries,
    listen: (listener) => link.listen(listener),
    close: () => link.close(),
    async write(bytes) {
      for (let offset = 0; offset < bytes.length; offset += reportBytes) {
        const report = new Uint8Array(reportBytes);
        report.set(bytes.subarray(offset, offset + reportBytes));
        await link.write(report);
      }
    },
  };
};
