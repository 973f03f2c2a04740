/** Random bytes in small pieces: reference numbers and approval codes take a few each, many times a second. */
import type { Random } from '../../../base/ids.ts';

const POOL_BYTES = 4096;

/**
 * Hands out what it drew before: asking the system's generator costs more than the rest of an answer does.
 * No byte is handed out twice. For numbers that are printed, never for keys.
 */
export const pooled = (random: Random): Random => {
  let pool = new Uint8Array(0);
  return (length) => {
    if (length > POOL_BYTES) return random(length);
    if (length > pool.length) pool = new Uint8Array(random(POOL_BYTES));
    const piece = pool.subarray(0, length);
    pool = pool.subarray(length);
    return piece;
  };
};
