/** Random tokens: whoever holds one has access, and the till stores only its hash. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../base/ids.ts';

/** 256 bits: 43 letters, digits, `-` and `_`. */
export const createToken = (random: Random): string => Buffer.from(random(32)).toString('base64url');

/** 128 bits, 22 characters: for an address that people may have to copy. */
export const createShortToken = (random: Random): string => Buffer.from(random(16)).toString('base64url');

/** Whether both are the same token. Takes the same time for every wrong one. */
export const isSameToken = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));

/** Hex. A random token needs no key stretching, since it cannot be guessed. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
