/**
 * AES-256-GCM with a random nonce (NIST SP 800-38D): decryption returns what was encrypted with the same associated
 * data.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { concat } from '../../base/hex.ts';
import type { Random } from '../../base/ids.ts';

export const KEY_BYTES = 32;
const NONCE = 12;
const TAG = 16;

type Under = { key: Uint8Array; associated: string };

/** nonce ‖ ciphertext ‖ tag, base64. */
export const encrypt = ({ key, associated }: Under, plaintext: Uint8Array, random: Random): string => {
  const nonce = random(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(Buffer.from(associated));
  return Buffer.from(concat(nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag())).toString('base64');
};

/** Throws a plain error if a byte, the key or the associated data differ. The caller says what was to be decrypted. */
export const decrypt = ({ key, associated }: Under, base64: string): Uint8Array => {
  const sealedBytes = Buffer.from(base64, 'base64');
  // The platform's decoder accepts invalid base64: only the canonical form of these bytes is accepted here.
  if (sealedBytes.toString('base64') !== base64) throw new TypeError('not canonical base64');
  const decipher = createDecipheriv('aes-256-gcm', key, sealedBytes.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(Buffer.from(associated)).setAuthTag(sealedBytes.subarray(-TAG));
  return concat(decipher.update(sealedBytes.subarray(NONCE, -TAG)), decipher.final());
};

// A vault key's id: enough of its hash to notice a changed key, and nothing of the key itself.

/** 16 lower-case hex digits: the first 8 bytes of a SHA-256 over a label and the key. */
export const keyIdOf = (key: Uint8Array): string =>
  createHash('sha256').update('tillgate vault key ').update(key).digest('hex').slice(0, 16);
