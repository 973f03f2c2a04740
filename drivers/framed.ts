/** A protocol of plain frames, given its framer: what the session needs of it, a narrator, and a scribe. */
import type { Narrator } from './driver.ts';
import { type FramePiece as Cut, cutter, type Framer } from './framing/framer.ts';
import type { Scribe } from './links/tape.ts';
import { printBytes } from './links/tape-text.ts';
import type { MessagePiece, Protocol, Question } from './session.ts';

/** `sizeMax`: the longest frame, bytes. `encode`: the frame as it goes over the link. */
export type Frames<M> = { framer: Framer<M>; sizeMax: number; encode(frame: M): Uint8Array };

/** Rests of an earlier conversation that are overlooked before the first answer, bytes. */
const noiseMax = 1_024;
/** How long the start of a frame may stand alone: 2 s are more than any frame takes at 9600 baud. */
const partMs = 2_000;

/** A new protocol state for one link. `place` says which open question a frame answers, if any. */
export const framedProtocol = <M>(
  { framer, sizeMax, encode }: Frames<M>,
  place: (frame: M, open: readonly Question[]) => Question | 'notice' | 'stray',
): Protocol<M> => {
  const cut = cutter(framer, sizeMax);
  const pieces = (all: Cut<M>[]): MessagePiece<M>[] =>
    all.map((piece) => (piece.kind === 'noise' ? piece : { kind: 'message', message: piece.frame }));
  return {
    push: (bytes) => pieces(cut.push(bytes)),
    held: cut.held,
    skip: () => pieces(cut.skip()),
    place,
    noiseMax,
    partMs,
    sizeOf: (frame) => encode(frame).length,
  };
};

/** Says each frame in these words, a line each; `words` must show no card data. Noise is counted. */
export const framedNarrator = <M>({ framer, sizeMax }: Frames<M>, words: (frame: M) => string): Narrator => {
  const ways = { said: cutter(framer, sizeMax), heard: cutter(framer, sizeMax) };
  const line = (piece: Cut<M>): string =>
    piece.kind === 'frame' ? words(piece.frame) : `${piece.bytes.length} unreadable bytes: ${piece.why}`;
  return { push: (way, bytes) => ways[way].push(bytes).map(line) };
};

/** Writes down whole the frames that `shows` knows to hold no card data; of all else only how many bytes there were. */
export const framedScribe = <M>({ framer, sizeMax, encode }: Frames<M>, shows: (frame: M) => boolean): Scribe => {
  const cut = cutter(framer, sizeMax);
  const line = (piece: Cut<M>): string => {
    if (piece.kind === 'noise') return '**'.repeat(piece.bytes.length);
    const bytes = encode(piece.frame);
    return shows(piece.frame) ? printBytes({ bytes, counts: bytes.map(() => 1) }) : '**'.repeat(bytes.length);
  };
  return { push: (bytes) => cut.push(bytes).map(line) };
};
