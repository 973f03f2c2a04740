/** Words that open something: random bits for whoever holds one, and nothing but a hash here. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../base/ids.ts';

/** 256 bits: 43 letters, digits, `-` and `_`. */
export const secretWord = (random: Random): string => Buffer.from(random(32)).toString('base64url');

/** 128 bits, 22 characters: for an address that people may have to copy. */
export const shortSecretWord = (random: Random): string => Buffer.from(random(16)).toString('base64url');

/** Whether both are the same word. Takes as long for every wrong one. */
export const isSameWord = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));

/** Hex. A random word needs no stretching: there is nothing to guess it from. */
export const hashOf = (word: string): string => createHash('sha256').update(word).digest('hex');
