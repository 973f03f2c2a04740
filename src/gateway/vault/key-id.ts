/** What a vault key is known by: so much of its hash that a changed key is noticed, and nothing of the key is told. */
import { createHash } from 'node:crypto';

/** 16 lower-case hex digits: the first 8 bytes of a SHA-256 over a label and the key. */
export const keyIdOf = (key: Uint8Array): string =>
  createHash('sha256').update('tillgate vault key ').update(key).digest('hex').slice(0, 16);
