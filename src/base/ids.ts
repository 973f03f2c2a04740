/** Ids are passed as arguments, so that a simulation can repeat them. */
import { randomBytes } from 'node:crypto';

export interface Ids {
  /** A new id of 32 lower-case hex digits, unique for ever. */
  next(): string;
}

const DRAWN_BYTES = 10;
const POOL_BYTES = 400 * DRAWN_BYTES;

/**
 * A letter, eleven digits of the time in ms, then eighty random bits: ids made one after another are neighbours in an
 * index, however large it grows, and nobody can guess a neighbour (the idea of RFC 9562, version 7). The letter keeps
 * languages that convert types from reading an id as a number. Random bytes are drawn for many ids at once.
 */
const createIds = (now: () => number, random: (length: number) => Buffer): Ids => {
  let pool: Buffer = Buffer.alloc(0);
  let offset = 0;
  return {
    next() {
      if (offset >= pool.length) {
        pool = random(POOL_BYTES);
        offset = 0;
      }
      const randomHex = pool.toString('hex', offset, offset + DRAWN_BYTES);
      offset += DRAWN_BYTES;
      return `a${now().toString(16).padStart(11, '0')}${randomHex}`;
    },
  };
};

export const systemIds: Ids = createIds(() => Date.now(), randomBytes);

/** Random bytes as an argument, for keys, nonces and unpredictable numbers. */
export type Random = (length: number) => Uint8Array;

export const systemRandom: Random = (length) => new Uint8Array(randomBytes(length));
