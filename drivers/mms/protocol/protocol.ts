/** MMS as the session sees it: how messages are cut, and which question a response answers. */
import { Fault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import type { Link } from '../../links/link.ts';
import type { Protocol, Question } from '../../session.ts';
import { messageReader, type ReceivedMmsMessage } from './wire.ts';

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
