/**
 * MPI messages: a body of any length, sent as chained blocks and joined again on arrival, within a bound; and which
 * open question an answer belongs to.
 */

import { createHash } from 'node:crypto';
import { Fault } from '../../../src/base/fault.ts';
import { concat, fromHex, overwrite, toHex } from '../../../src/base/hex.ts';
import { type Cut, cutter, type Framer } from '../../framing/framer.ts';
import type { MessagePiece, Protocol, Question } from '../../session.ts';
import { decodeNotice, statusRow } from './notices.ts';

// The block of Miura's MPI: NAD PCB LEN body LRC, the LRC being the XOR of everything before it.
// Source: the vendor's public SDK sources (MpiPacket and its tests).

type MpiBlock = {
  /** Sender or receiver: 1 the PIN pad, 2 the printer or dock. */
  nad: 1 | 2;
  /** More blocks of the same message follow. */
  more: boolean;
  /** Sent by the device without a request. */
  unsolicited: boolean;
  body: Uint8Array;
};

const mpiBodyMax = 254;
export const mpiBlockMax = mpiBodyMax + 4;

/** Cuts one block. A byte that cannot start a block is noise, with the rule that it breaks. */
export const mpiBlockFramer: Framer<MpiBlock> = (buffer) => {
  const [nad, pcb, length] = buffer;
  if (nad === undefined) return undefined;
  if (nad !== 1 && nad !== 2) return noise('no block starts with this byte');
  if (pcb === undefined) return undefined;
  if ((pcb & 0xbe) !== 0) return noise('no block has this control byte');
  if (length === undefined) return undefined;
  if (length < 2 || length > mpiBodyMax) return noise(`no block has a body of ${length} bytes`);

  const size = length + 4;
  if (buffer.length < size) return undefined;
  if (lrc(buffer.subarray(0, size)) !== 0) return noise('the checksum is wrong');
  const body = buffer.slice(3, size - 1);
  return { kind: 'frame', frame: { nad, more: (pcb & 1) !== 0, unsolicited: (pcb & 0x40) !== 0, body }, size };
};

const noise = (reason: string): Cut<MpiBlock> => ({ kind: 'noise', size: 1, why: reason });

const lrc = (bytes: Uint8Array): number => {
  let sum = 0;
  for (let offset = 0; offset < bytes.length; offset += 1) sum ^= bytes[offset] as number;
  return sum;
};

/** The bytes of one block. Throws `terminal.garbled` when the body is not of 2 to 254 bytes. */
export const encodeMpiBlock = ({ nad, more, unsolicited, body }: MpiBlock): Uint8Array => {
  if (body.length < 2 || body.length > mpiBodyMax) throw new Fault('terminal.garbled', { bytes: body.length });
  const open = concat(Uint8Array.of(nad, (unsolicited ? 0x40 : 0) | (more ? 1 : 0), body.length), body);
  return concat(open, Uint8Array.of(lrc(open)));
};

/** Decodes exactly one block. Throws `terminal.garbled` for anything shorter, longer or broken. */
export const decodeMpiBlock = (bytes: Uint8Array): MpiBlock => {
  const cut = mpiBlockFramer(bytes);
  if (cut?.kind !== 'frame' || cut.size !== bytes.length) throw new Fault('terminal.garbled', { bytes: bytes.length });
  return cut.frame;
};

/** An answer or a command (`unsolicited` false), or a notice of the device (true). */
export type MpiMessage = { kind: 'message'; nad: 1 | 2; unsolicited: boolean; body: Uint8Array };
export type MpiPiece = MpiMessage | { kind: 'noise'; bytes: Uint8Array; why: string };

/** The longest message that is joined: answers with several encrypted tracks are far shorter. */
export const messageMax = 16_384;

export type MpiReader = { push(bytes: Uint8Array): MpiPiece[]; size(): number; skip(): MpiPiece[] };

/** Reads one direction of a link. Holds at most one block, and per address and kind one incomplete message. */
export const mpiReader = (): MpiReader => {
  const blocks = cutter(mpiBlockFramer, mpiBlockMax);
  const joining = new Map<string, { parts: Uint8Array[]; size: number }>();

  const join = ({ nad, more, unsolicited, body }: MpiBlock): MpiPiece | undefined => {
    const key = `${nad} ${unsolicited}`;
    const { parts, size } = joining.get(key) ?? { parts: [], size: 0 };
    joining.delete(key);
    parts.push(body);
    const bytes = size + body.length;
    if (bytes > messageMax) return { kind: 'noise', bytes: concat(...parts), why: 'a chained message never ended' };
    if (!more) {
      const whole = concat(...parts);
      overwrite(...parts);
      return { kind: 'message', nad, unsolicited, body: whole };
    }
    joining.set(key, { parts, size: bytes });
    return undefined;
  };

  const pieces = (cuts: ReturnType<typeof blocks.push>): MpiPiece[] =>
    cuts.flatMap((cut) => (cut.kind === 'noise' ? [cut] : (join(cut.frame) ?? [])));

  return {
    push: (bytes) => pieces(blocks.push(bytes)),
    size: () => blocks.size() + [...joining.values()].reduce((sum, { size }) => sum + size, 0),
    skip: () => {
      joining.clear();
      return pieces(blocks.skip());
    },
  };
};

/** The bytes of a message to or from the PIN pad: one block, or several chained ones. */
export const encodeMessage = (body: Uint8Array, as: { unsolicited: boolean } = { unsolicited: false }): Uint8Array => {
  const blocks: Uint8Array[] = [];
  let offset = 0;
  while (offset < body.length || blocks.length === 0) {
    // A last block of one byte is not allowed (LEN 2 to 254), so the block before it leaves it a second byte.
    const left = body.length - offset;
    const size = left === mpiBodyMax + 1 ? mpiBodyMax - 1 : Math.min(left, mpiBodyMax);
    const more = size < left;
    blocks.push(
      encodeMpiBlock({ nad: 1, more, unsolicited: as.unsolicited, body: body.subarray(offset, offset + size) }),
    );
    offset += size;
  }
  return concat(...blocks);
};

// The command body of MPI, an ISO 7816 look-alike: CLA INS P1 P2, then Lc and data if any. Data that does not fit into
// one block has an extended Lc: 00 and two bytes. Source: the vendor's public SDK (JavaMpi-1-1i, CommandApdu).

export type Apdu = {
  /** CLA and INS, four hex digits. */
  code: string;
  p1: number;
  p2: number;
  data: Uint8Array;
};

/** The longest data of a command: in one block of 254 bytes, and for a device that accepts longer commands. */
export const apduDataMax = { plain: 249, extended: 1_017 } as const;

/** Throws `terminal.garbled` when the data is longer than any device accepts. */
export const encodeApdu = ({ code, p1, p2, data }: Apdu): Uint8Array => {
  const { length } = data;
  if (length > apduDataMax.extended) throw new Fault('terminal.garbled', { bytes: length });
  const header = concat(fromHex(code), Uint8Array.of(p1, p2));
  if (length === 0) return header;
  const size = length > apduDataMax.plain ? Uint8Array.of(0, length >> 8, length & 0xff) : Uint8Array.of(length);
  return concat(header, size, data);
};

/** Reads a command body; Le after header or data is ignored. Throws `terminal.garbled`. */
export const decodeApdu = (body: Uint8Array): Apdu => {
  const [, , p1, p2] = body;
  const data = dataOf(body);
  if (p1 === undefined || p2 === undefined || data === undefined)
    throw new Fault('terminal.garbled', { bytes: body.length });
  return { code: toHex(body.subarray(0, 2)), p1, p2, data };
};

/** Without data, the header of four bytes stands alone or is followed by Le. */
const dataOf = (body: Uint8Array): Uint8Array | undefined => {
  if (body.length === 4 || body.length === 5) return new Uint8Array(0);
  const isExtended = isLong(body);
  const [start, le] = isExtended ? [7, 2] : [5, 1];
  const end = start + (isExtended ? (body[5] ?? 0) * 256 + (body[6] ?? 0) : (body[4] ?? 0));
  return body.length === end || body.length === end + le ? body.slice(start, end) : undefined;
};

/** Whether a command body has the extended Lc. */
export const isLong = (body: Uint8Array): boolean => body.length > 7 && body[4] === 0;

/**
 * Which question an answer belongs to. MPI has no message numbers: the device answers an abort first, then the running
 * command (last asked, first answered). But that command may have ended by itself while the abort was under way, so an
 * answer that only it can have (data, or a status about customer or card) stays its answer.
 */
export const place = ({ nad, unsolicited, body }: MpiMessage, open: readonly Question[]) => {
  if (nad !== 1) return 'stray';
  const [first, overtaking] = open;
  // Once card notices are on, a device reports the slot at once and gives no separate answer.
  if (unsolicited) return first?.name === 'cardStatus' && isCardNotice(body) ? first : 'notice';
  if (first === undefined) return 'stray';
  if (overtaking !== undefined) return endsRunning(body) ? first : overtaking;
  // After a reopen, answers to the earlier session may still arrive. Only the reset's answer has a serial number.
  if (first.name === 'reset' && !Buffer.from(body.buffer, body.byteOffset, body.length).includes(SERIAL))
    return 'stray';
  if (first.name === 'abort' && body.length !== 2) return 'stray';
  return first;
};

const isCardNotice = (body: Uint8Array): boolean => {
  try {
    return decodeNotice(body).kind === 'card';
  } catch {
    return false;
  }
};

/** Tag 9F1E, the serial number. */
const SERIAL = Buffer.from([0x9f, 0x1e]);

const byTheCommand = new Set(['refused', 'notReady', 'ok']);

const endsRunning = (body: Uint8Array): boolean => body.length !== 2 || !byTheCommand.has(statusRow(toHex(body)).means);

/** Commands that read a card: their answer can ask for the host (template E4). */
const asksForHost = new Set(['startContact', 'startContactless']);

/** Commands whose answer is only a status. */
const answeredShortly = new Set(['cardStatus', 'display', 'abort']);

/** `mayOwe`: a question was left unanswered, and a device may still answer it with 9000. */
export type MpiProtocol = Protocol<MpiMessage> & { mayOwe(): void };

/** A new protocol state for one link. */
export const mpiProtocol = (): MpiProtocol => {
  const reader = mpiReader();
  let request: Uint8Array = new Uint8Array(0);
  /** The card status was answered by its notice; a device may still send 9000 for it. */
  let mayOwe = false;

  /** A surplus answer is recognised because the open question never has such a short answer. */
  const placeWithOwed = (message: MpiMessage, open: readonly Question[]) => {
    const placed = place(message, open);
    const name = typeof placed === 'string' ? undefined : placed.name;
    if (name === 'cardStatus') mayOwe = message.unsolicited;
    const isTooShort = mayOwe && name !== undefined && !answeredShortly.has(name) && toHex(message.body) === '9000';
    if (isTooShort) mayOwe = false;
    return isTooShort ? 'stray' : placed;
  };

  /** A byte-for-byte repeat of the request for the host answers nothing. */
  const placeWithoutRepeats = (message: MpiMessage, open: readonly Question[]) => {
    const { body } = message;
    const isAsk = body[0] === 0xe4;
    // The body itself is not kept: it contains encrypted account data.
    const digest = isAsk ? new Uint8Array(createHash('sha256').update(body).digest()) : undefined;
    const isAgain = digest !== undefined && toHex(digest) === toHex(request);
    const placed = isAgain && !asksForHost.has(open[0]?.name ?? '') ? 'stray' : placeWithOwed(message, open);
    if (digest !== undefined && placed === open[0]) request = digest;
    return placed;
  };
  const wrap = (pieces: ReturnType<typeof reader.push>): MessagePiece<MpiMessage>[] =>
    pieces.map((piece) => (piece.kind === 'noise' ? piece : { kind: 'message', message: piece }));
  return {
    push: (bytes) => wrap(reader.push(bytes)),
    size: reader.size,
    skip: () => wrap(reader.skip()),
    assign: placeWithoutRepeats,
    noiseMax: 1_024,
    // A block of 258 bytes takes 23 ms at 115200 baud and well below a second over Bluetooth.
    partMs: 2_000,
    sizeOf: ({ body }) => body.length,
    mayOwe() {
      mayOwe = true;
    },
  };
};
