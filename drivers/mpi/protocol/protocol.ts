/** MPI as the session sees it: how messages are cut, and which open question an answer belongs to. */
import { createHash } from 'node:crypto';
import { toHex } from '../../../src/base/hex.ts';
import type { MessagePiece, Protocol, Question } from '../../session.ts';
import { type MpiMessage, mpiReader } from './messages.ts';
import { decodeNotice, statusRow } from './notices.ts';

/**
 * Which question an answer belongs to. MPI has no numbers: the device answers an abort first, then the command that ran
 * (last asked, first answered). But that command may have ended by itself while the abort was under way, so what can
 * only be its answer (data, or the status of a customer's or card's doing) stays its answer.
 */
export const place = ({ nad, unsolicited, body }: MpiMessage, open: readonly Question[]) => {
  if (nad !== 1) return 'stray';
  const [first, overtaking] = open;
  // Told of cards from now on, a device says at once how the slot is; an answer of its own it gives none.
  if (unsolicited) return first?.name === 'cardStatus' && tellsOfCards(body) ? first : 'notice';
  if (first === undefined) return 'stray';
  if (overtaking !== undefined) return endsRunning(body) ? first : overtaking;
  // After a reopen the answers of an earlier life may still come. Only the reset's own answer carries a serial number.
  if (first.name === 'reset' && !Buffer.from(body.buffer, body.byteOffset, body.length).includes(SERIAL))
    return 'stray';
  if (first.name === 'abort' && body.length !== 2) return 'stray';
  return first;
};

const tellsOfCards = (body: Uint8Array): boolean => {
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

/** Commands that read a card, whose answer may ask for the host's word (template E4). */
const asksForHost = new Set(['startContact', 'startContactless']);

/** Commands whose answer is a status alone. */
const answeredShortly = new Set(['cardStatus', 'display', 'abort']);

/** `mayOwe`: a question was left unanswered, to which a device may say 9000 all the same. */
export type MpiProtocol = Protocol<MpiMessage> & { mayOwe(): void };

/** A new protocol state for one link. */
export const mpiProtocol = (): MpiProtocol => {
  const reader = mpiReader();
  let asked: Uint8Array = new Uint8Array(0);
  /** The card status was answered by its notice: a device may say 9000 to it all the same. */
  let mayOwe = false;

  /** One answer too many: it is known by a question whose answer is never so short. */
  const placeOwed = (message: MpiMessage, open: readonly Question[]) => {
    const placed = place(message, open);
    const name = typeof placed === 'string' ? undefined : placed.name;
    if (name === 'cardStatus') mayOwe = message.unsolicited;
    const isTooShort = mayOwe && name !== undefined && !answeredShortly.has(name) && toHex(message.body) === '9000';
    if (isTooShort) mayOwe = false;
    return isTooShort ? 'stray' : placed;
  };

  /** The request for the host's word said once more, byte for byte, answers nothing. */
  const placeOnce = (message: MpiMessage, open: readonly Question[]) => {
    const { body } = message;
    const isAsk = body[0] === 0xe4;
    // Not the body itself, which holds encrypted account data.
    const digest = isAsk ? new Uint8Array(createHash('sha256').update(body).digest()) : undefined;
    const isAgain = digest !== undefined && toHex(digest) === toHex(asked);
    const placed = isAgain && !asksForHost.has(open[0]?.name ?? '') ? 'stray' : placeOwed(message, open);
    if (digest !== undefined && placed === open[0]) asked = digest;
    return placed;
  };
  const wrap = (pieces: ReturnType<typeof reader.push>): MessagePiece<MpiMessage>[] =>
    pieces.map((piece) => (piece.kind === 'noise' ? piece : { kind: 'message', message: piece }));
  return {
    push: (bytes) => wrap(reader.push(bytes)),
    held: reader.held,
    skip: () => wrap(reader.skip()),
    place: placeOnce,
    noiseMax: 1_024,
    // A block of 258 bytes takes 23 ms at 115200 baud and well below a second over Bluetooth.
    partMs: 2_000,
    sizeOf: ({ body }) => body.length,
    mayOwe() {
      mayOwe = true;
    },
  };
};
