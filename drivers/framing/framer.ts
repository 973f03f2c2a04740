/** Cutting a byte stream into frames: the framer looks at bytes and names one cut, the cutter holds the bytes. */
import { overwrite } from '../../src/base/hex.ts';

export type Cut<F> =
  | { kind: 'frame'; frame: F; size: number }
  /** The first `size` bytes belong to no frame. The trace shows `why`. */
  | { kind: 'noise'; size: number; why: string };

/**
 * One cut from the start of the held bytes, or undefined while more bytes are needed. Pure. Held bytes are overwritten
 * later, so a frame must copy its bytes.
 */
export type Framer<F> = (buffer: Uint8Array) => Cut<F> | undefined;

export type FramePiece<F> = { kind: 'frame'; frame: F } | { kind: 'noise'; bytes: Uint8Array; why: string };

export type Cutter<F> = {
  /** Everything that can be cut now, in order; the rest stays held. */
  push(bytes: Uint8Array): FramePiece<F>[];
  /** The number of bytes held: an incomplete frame. */
  size(): number;
  /** Gives up on the incomplete frame: its first byte becomes noise, and the rest is scanned again. */
  skip(): FramePiece<F>[];
};

/**
 * Holds bytes for a framer. `sizeMax` is the length of the longest frame. If the framer asks for more than that, the
 * first byte becomes noise, so no more than `sizeMax` bytes are held after a push.
 */
export const cutter = <F>(framer: Framer<F>, sizeMax: number): Cutter<F> => {
  /** The held bytes are those from `start` to `end`. Reused between pushes: a long frame arrives in many portions. */
  let store: Uint8Array = new Uint8Array(0);
  let start = 0;
  let end = 0;

  const cutFrom = (bytes: Uint8Array, pieces: FramePiece<F>[]): number => cutAll(bytes, { framer, sizeMax, pieces });

  /** Bytes that were cut are overwritten: an encrypted PIN must not stay here until other bytes arrive. */
  const discard = (count: number): void => {
    overwrite(store.subarray(start, start + count));
    start += count;
  };

  const keep = (bytes: Uint8Array): void => {
    const bufferedCount = end - start;
    if (end + bytes.length > store.length) {
      const roomy =
        bufferedCount + bytes.length <= store.length ? store : new Uint8Array(2 * (bufferedCount + bytes.length));
      roomy.set(store.subarray(start, end));
      overwrite(roomy === store ? store.subarray(bufferedCount) : store);
      store = roomy;
      start = 0;
      end = bufferedCount;
    }
    store.set(bytes, end);
    end += bytes.length;
  };

  return {
    push(bytes) {
      const pieces: FramePiece<F>[] = [];
      // Usually nothing is held, and bytes that can be cut at once are not copied.
      if (start === end) {
        start = 0;
        end = 0;
        keep(bytes.subarray(cutFrom(bytes, pieces)));
      } else {
        keep(bytes);
        discard(cutFrom(store.subarray(start, end), pieces));
      }
      return pieces;
    },
    size: () => end - start,
    skip() {
      if (start === end) return [];
      const pieces: FramePiece<F>[] = [
        { kind: 'noise', bytes: store.slice(start, start + 1), why: 'its frame never ended' },
      ];
      discard(1);
      discard(cutFrom(store.subarray(start, end), pieces));
      return pieces;
    },
  };
};

const tooLong = { kind: 'noise', size: 1, why: 'no frame is that long' } as const;

type CutState<F> = { framer: Framer<F>; sizeMax: number; pieces: FramePiece<F>[] };

/** Adds what can be cut off these bytes to the pieces, and returns the position of the rest. */
const cutAll = <F>(bytes: Uint8Array, { framer, sizeMax, pieces }: CutState<F>): number => {
  let offset = 0;
  while (offset < bytes.length) {
    const rest = offset === 0 ? bytes : bytes.subarray(offset);
    const cut = framer(rest) ?? (rest.length >= sizeMax ? tooLong : undefined);
    if (cut === undefined) break;
    const size = Math.max(1, Math.min(cut.size, rest.length));
    pieces.push(
      cut.kind === 'frame'
        ? { kind: 'frame', frame: cut.frame }
        : { kind: 'noise', bytes: rest.slice(0, size), why: cut.why },
    );
    offset += size;
  }
  return offset;
};
