/** MPI messages: a body of any length, cut into chained blocks to send and joined again, within a bound, when heard. */

import { concat } from '../../../src/base/hex.ts';
import { overwrite } from '../../../src/base/overwrite.ts';
import { cutter } from '../../framing/framer.ts';
import { encodeMpiBlock, type MpiBlock, mpiBlock, mpiBlockMax, mpiBodyMax } from '../../framing/mpi-block.ts';

/** An answer or a command (`unsolicited` false), or a notice of the device (true). */
export type MpiMessage = { kind: 'message'; nad: 1 | 2; unsolicited: boolean; body: Uint8Array };
export type MpiPiece = MpiMessage | { kind: 'noise'; bytes: Uint8Array; why: string };

/** The longest message that is joined: answers with several encrypted tracks stay far below it. */
export const messageMax = 16_384;

export type MpiReader = { push(bytes: Uint8Array): MpiPiece[]; held(): number; skip(): MpiPiece[] };

/** Reads one direction of a link. Holds at most one block and, per address and kind, one message being joined. */
export const mpiReader = (): MpiReader => {
  const blocks = cutter(mpiBlock, mpiBlockMax);
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
    held: () => blocks.held() + [...joining.values()].reduce((sum, { size }) => sum + size, 0),
    skip: () => {
      joining.clear();
      return pieces(blocks.skip());
    },
  };
};

/** The bytes of a message to or from the PIN pad: one block, or several chained ones. */
export const encodeMessage = (body: Uint8Array, as: { unsolicited: boolean } = { unsolicited: false }): Uint8Array => {
  const blocks: Uint8Array[] = [];
  let at = 0;
  while (at < body.length || blocks.length === 0) {
    // A last block of one byte is against the rules (LEN 2 to 254), so the one before leaves it a second byte.
    const left = body.length - at;
    const size = left === mpiBodyMax + 1 ? mpiBodyMax - 1 : Math.min(left, mpiBodyMax);
    const more = size < left;
    blocks.push(encodeMpiBlock({ nad: 1, more, unsolicited: as.unsolicited, body: body.subarray(at, at + size) }));
    at += size;
  }
  return concat(...blocks);
};
