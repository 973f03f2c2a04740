/** MPI as the session sees it: how messages are cut, and which open question an answer belongs to. */
import { toHex } from '../../src/base/hex.ts';
import type { Piece, Protocol, Question } from '../session.ts';
import { type MpiMessage, mpiReader } from './messages.ts';
import { statusRow } from './status-words.ts';

/**
 * Which question an answer belongs to. MPI has no numbers: the device answers an abort first, then the command that ran
 * (last asked, first answered). But that command may have ended by itself while the abort was under way, so what can
 * only be its answer (data, or the status of a customer's or card's doing) stays its answer.
 */
export const place = ({ nad, unsolicited, body }: MpiMessage, open: readonly Question[]) => {
  if (nad !== 1) return 'stray';
  if (unsolicited) return 'notice';
  const [first, overtaking] = open;
  if (first === undefined) return 'stray';
  if (overtaking !== undefined) return endsRunning(body) ? first : overtaking;
  // After a reopen the answers of an earlier life may still come. Only the reset's own answer carries a serial number.
  if (first.name === 'reset' && !toHex(body).includes('9F1E')) return 'stray';
  if (first.name === 'abort' && body.length !== 2) return 'stray';
  return first;
};

const byTheCommand = new Set(['refused', 'notReady', 'ok']);

const endsRunning = (body: Uint8Array): boolean => body.length !== 2 || !byTheCommand.has(statusRow(toHex(body)).means);

/** Commands that read a card, whose answer may ask for the host's word (template E4). */
const asksForHost = new Set(['startContact', 'startContactless']);

/** A new protocol state for one link. */
export const mpiProtocol = (): Protocol<MpiMessage> => {
  const reader = mpiReader();
  let asked = '';

  /** The request for the host's word said once more, byte for byte, answers nothing. */
  const placeOnce = (message: MpiMessage, open: readonly Question[]) => {
    const body = toHex(message.body);
    const placed = body === asked && !asksForHost.has(open[0]?.name ?? '') ? 'stray' : place(message, open);
    if (body.startsWith('E4') && placed === open[0]) asked = body;
    return placed;
  };
  const wrap = (pieces: ReturnType<typeof reader.push>): Piece<MpiMessage>[] =>
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
  };
};
