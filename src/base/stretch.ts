/** Keys stretched from PINs and passphrases by scrypt (RFC 7914). The cost of a guess is an argument. */
import { scrypt } from 'node:crypto';

/** scrypt's N, a power of two: how much memory and time one guess takes. Tests pass a small one. */
export type StretchCost = number;

/** 32 MB and a tenth of a second. */
export const systemStretchCost: StretchCost = 2 ** 15;

/** N blocks of 1 KB each. */
export const STRETCH_BLOCK = 8;

/** 32 bytes. */
export const stretch = (secret: string | Uint8Array, salt: Uint8Array, cost: StretchCost): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const options = { N: cost, r: STRETCH_BLOCK, p: 1, maxmem: 256 * cost * STRETCH_BLOCK };
    scrypt(secret, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
