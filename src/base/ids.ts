/** Identities come in by argument, so that a simulation can repeat them. */
import { randomBytes } from 'node:crypto';

export interface Ids {
  /** A new id of 32 lower-case hex digits, unique for ever. */
  next(): string;
}

export const systemIds: Ids = { next: () => randomBytes(16).toString('hex') };

/** Random bytes by argument, for keys, nonces and unpredictable numbers. */
export type Random = (length: number) => Uint8Array;

export const systemRandom: Random = (length) => new Uint8Array(randomBytes(length));
