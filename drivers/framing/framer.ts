/** Cutting a byte stream into frames: the framer looks at bytes and names one cut, the cutter holds the bytes. */
import { overwrite } from '../../src/base/hex.ts';

export type Cut<F> =
  | { kind: 'frame'; frame: F; size: number }
  /** The first `size` bytes belong to no frame. `why` is for the trace. */
  | { kind: 'noise'; size: number; why: string };

/**
 * One cut from the start of what is held, or undefined while more bytes are needed. Pure. What is held is overwritten
 * by what comes later: a frame has copies of its bytes.
 */
export type Framer<F> = (held: Uint8Array) => Cut<F> | undefined;

export type FramePiece<F> = { kind: 'frame'; frame: F } | { kind: 'noise'; bytes: Uint8Array; why: string };

export type Cutter<F> = {
  /** Everything that can be cut now, in order; the rest is held. */
  push(bytes: Uint8Array): FramePiece<F>[];
  /** How many bytes are held: the start of a frame whose end has not come. */
  held(): number;
  /** Gives up on the held start: its first byte is noise, and the rest is looked at again. */
  skip(): FramePiece<F>[];
};

/**
 * Holds bytes for a framer. `sizeMax` is the longest frame; a framer that asks for more than that gets its first byte
 * called noise, so what is held never exceeds `sizeMax` after a push.
 */
export const cutter = <F>(framer: Framer<F>, sizeMax: number): Cutter<F> => {
  /** What is held stands in it from `start` to `end`. Kept from push to push: a long frame comes in many portions. */
  let store: Uint8Array = new Uint8Array(0);
  let start = 0;
  let end = 0;

  const cutFrom = (bytes: Uint8Array, pieces: FramePiece<F>[]): number => cutAll(bytes, { framer, sizeMax, pieces });

  /** What was cut is overwritten: an encrypted PIN is not to stand here until other bytes come. */
  const pass = (count: number): void => {
    overwrite(store.subarray(start, start + count));
    start += count;
  };

  const keep = (bytes: Uint8Array): void => {
    const held = end - start;
    if (end + bytes.length > store.length) {
      const roomy = held + bytes.length <= store.length ? store : new Uint8Array(2 * (held + bytes.length));
      roomy.set(store.subarray(start, end));
      overwrite(roomy === store ? store.subarray(held) : store);
      store = roomy;
      start = 0;
      end = held;
    }
    store.set(bytes, end);
    end += bytes.length;
  };

  return {
    push(bytes) {
      const pieces: FramePiece<F>[] = [];
      // Mostly nothing is held: then nothing is copied that can be cut at once.
      if (start === end) {
        start = 0;
        end = 0;
        keep(bytes.subarray(cutFrom(bytes, pieces)));
      } else {
        keep(bytes);
        pass(cutFrom(store.subarray(start, end), pieces));
      }
      return pieces;
    },
    held: () => end - start,
    skip() {
      if (start === end) return [];
      const pieces: FramePiece<F>[] = [
        { kind: 'noise', bytes: store.slice(start, start + 1), why: 'its frame never ended' },
      ];
      pass(1);
      pass(cutFrom(store.subarray(start, end), pieces));
      return pieces;
    },
  };
};

const tooLong = { kind: 'noise', size: 1, why: 'no frame is that long' } as const;

type Cutting<F> = { framer: Framer<F>; sizeMax: number; pieces: FramePiece<F>[] };

/** Puts what can be cut off these bytes to the pieces, and gives the place of the rest. */
const cutAll = <F>(bytes: Uint8Array, { framer, sizeMax, pieces }: Cutting<F>): number => {
  let at = 0;
  while (at < bytes.length) {
    const rest = at === 0 ? bytes : bytes.subarray(at);
    const cut = framer(rest) ?? (rest.length >= sizeMax ? tooLong : undefined);
    if (cut === undefined) break;
    const size = Math.max(1, Math.min(cut.size, rest.length));
    pieces.push(
      cut.kind === 'frame'
        ? { kind: 'frame', frame: cut.frame }
        : { kind: 'noise', bytes: rest.slice(0, size), why: cut.why },
    );
    at += size;
  }
  return at;
};
