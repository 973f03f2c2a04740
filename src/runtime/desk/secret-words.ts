/** Words that open something: 256 random bits for whoever holds one, and nothing but a hash here. */
import { createHash } from 'node:crypto';
import type { Random } from '../../base/ids.ts';

/** 43 letters, digits, `-` and `_`. */
export const secretWord = (random: Random): string => Buffer.from(random(32)).toString('base64url');

/** Hex. A random word needs no stretching: there is nothing to guess it from. */
export const hashOf = (word: string): string => createHash('sha256').update(word).digest('hex');
