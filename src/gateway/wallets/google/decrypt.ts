/** ECIES as Google has it: P-256, HKDF with SHA-256, AES in counter mode, HMAC with SHA-256. */
import { createDecipheriv, createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { pointOf, sharedSecret } from '../agreement.ts';
import { refuse } from '../token.ts';
import type { SealedMessage } from './token.ts';

export type EncryptedVersion = 'ECv1' | 'ECv2';

/** Bytes of each of the two keys. */
const keyBytes: Readonly<Record<EncryptedVersion, number>> = { ECv1: 16, ECv2: 32 };
const ciphers: Readonly<Record<EncryptedVersion, string>> = { ECv1: 'aes-128-ctr', ECv2: 'aes-256-ctr' };

const IV = new Uint8Array(16);
const SALT = new Uint8Array(32);

/** The keys for the ciphertext and its tag, out of the shared secret. `point` is the ephemeral public key, 65 bytes. */
export const messageKeys = (secret: Buffer, point: Buffer, version: EncryptedVersion) => {
  const length = keyBytes[version];
  const derived = Buffer.from(hkdfSync('sha256', Buffer.concat([point, secret]), SALT, 'Google', 2 * length));
  return { aesKey: derived.subarray(0, length), macKey: derived.subarray(length) };
};

/** The message, under whichever of the keys fits: a merchant who changes keys has two. Throws `wallet.refused`. */
export const decrypted = (sealed: SealedMessage, version: EncryptedVersion, keys: readonly KeyObject[]): string => {
  // All of them are tried, so that time does not tell which one fits.
  const opened = keys.map((key) => openedWith(key, sealed, version)).find((each) => each !== undefined);
  if (opened === undefined) throw refuse('it cannot be decrypted with any private key of this channel');
  return opened;
};

const openedWith = (key: KeyObject, sealed: SealedMessage, version: EncryptedVersion): string | undefined => {
  try {
    const point = Buffer.from(sealed.ephemeralPublicKey, 'base64');
    const message = Buffer.from(sealed.encryptedMessage, 'base64');
    const tag = Buffer.from(sealed.tag, 'base64');
    const { aesKey, macKey } = messageKeys(sharedSecret(key, pointOf(point)), point, version);
    const expected = createHmac('sha256', macKey).update(message).digest();
    if (tag.length !== expected.length || !timingSafeEqual(tag, expected)) return undefined;
    const opening = createDecipheriv(ciphers[version], aesKey, IV);
    return Buffer.concat([opening.update(message), opening.final()]).toString('utf8');
  } catch {
    // A point that is none: as with a wrong tag, nothing is said about it.
    return undefined;
  }
};
