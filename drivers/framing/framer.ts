/** Cutting a byte stream into frames: the framer looks at bytes and names one cut, the cutter holds the bytes. */
import { concat } from '../../src/base/hex.ts';

export type Cut<F> =
  | { kind: 'frame'; frame: F; size: number }
  /** The first `size` bytes belong to no frame. `why` is for the trace. */
  | { kind: 'noise'; size: number; why: string };

/** One cut from the start of what is held, or undefined while more bytes are needed. Pure. */
export type Framer<F> = (held: Uint8Array) => Cut<F> | undefined;

export type Piece<F> = { kind: 'frame'; frame: F } | { kind: 'noise'; bytes: Uint8Array; why: string };

export type Cutter<F> = {
  /** Everything that can be cut now, in order; the rest is held. */
  push(bytes: Uint8Array): Piece<F>[];
  /** How many bytes are held: the start of a frame whose end has not come. */
  held(): number;
  /** Gives up on the held start: its first byte is noise, and the rest is looked at again. */
  skip(): Piece<F>[];
};

/**
 * Holds bytes for a framer. `sizeMax` is the longest frame; a framer that asks for more than that gets its first byte
 * called noise, so what is held never exceeds `sizeMax` after a push.
 */
export const cutter = <F>(framer: Framer<F>, sizeMax: number): Cutter<F> => {
  let held: Uint8Array = new Uint8Array(0);

  const cutAll = (forced: number): Piece<F>[] => {
    const pieces: Piece<F>[] = [];
    let at = Math.min(forced, held.length);
    if (at > 0) pieces.push({ kind: 'noise', bytes: held.slice(0, at), why: 'its frame never ended' });
    while (at < held.length) {
      const rest = held.subarray(at);
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
    held = held.slice(at);
    return pieces;
  };

  return {
    push(bytes) {
      held = held.length === 0 ? bytes.slice() : concat(held, bytes);
      return cutAll(0);
    },
    held: () => held.length,
    skip: () => cutAll(1),
  };
};

const tooLong = { kind: 'noise', size: 1, why: 'no frame is that long' } as const;
