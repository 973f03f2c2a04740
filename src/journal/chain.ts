/** The hash chain: each entry's hash covers the one before it, so that nothing can be changed or taken out unseen. */
import { createHash } from 'node:crypto';

export type Entry = {
  /** 1, 2, 3 … without a gap. */
  readonly entry: number;
  /** Wall time, ms. For people; nothing is decided by it. */
  readonly at: number;
  /** What it is about: a sale's id. */
  readonly subject: string;
  readonly kind: string;
  /** JSON text. */
  readonly body: string;
};

export const firstLink = new Uint8Array(32);

/** SHA-256 over the hash before and the entry's fields; JSON keeps their borders. 32 bytes. */
export const link = (before: Uint8Array, { entry, at, subject, kind, body }: Entry): Uint8Array =>
  createHash('sha256')
    .update(before)
    .update(JSON.stringify([entry, at, subject, kind, body]))
    .digest();
