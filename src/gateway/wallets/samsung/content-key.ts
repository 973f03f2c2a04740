/**
 * Unwraps the key of a JWE so that nobody learns from the answer whether its padding was right: Bleichenbacher's attack
 * needs no more. Whatever is wrong gives a random key, which then fails like a wrong tag (RFC 7516, section 11.5).
 */
import { constants, type KeyObject, privateDecrypt } from 'node:crypto';
import { systemRandom } from '../../../base/ids.ts';
import type { ContentAlgorithm, KeyAlgorithm } from './jose.ts';

export const contentKeyBytes: Readonly<Record<ContentAlgorithm, number>> = { A128GCM: 16, A256GCM: 32 };

type Wrapped = { alg: KeyAlgorithm; enc: ContentAlgorithm; wrappedKey: Buffer };

/** Never throws. The key for the content, or as many random bytes. */
export const contentKeyOf = ({ alg, enc, wrappedKey }: Wrapped, privateKey: KeyObject): Buffer => {
  const length = contentKeyBytes[enc];
  // Made in every case: the time that it takes must tell nothing.
  const substitute = Buffer.from(systemRandom(length));
  try {
    if (alg === 'RSA1_5') return unpadded(rawDecrypt(wrappedKey, privateKey), substitute);
    const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: alg === 'RSA-OAEP' ? 'sha1' : 'sha256' };
    const key = privateDecrypt({ key: privateKey, ...padding }, wrappedKey);
    return key.length === length ? key : substitute;
  } catch {
    return substitute;
  }
};

const rawDecrypt = (wrapped: Buffer, key: KeyObject): Buffer =>
  privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, wrapped);

/** 00 02, at least eight bytes that are not zero, 00, the key (RFC 8017, section 7.2). */
const PADDING_MIN = 8;

/**
 * Looks at every byte and branches on none. Where the key must begin is known, so that nothing is searched for. Not by
 * OpenSSL's own unpadding: BoringSSL, in the same program on a desktop, has no safe one.
 */
const unpadded = (block: Buffer, substitute: Buffer): Buffer => {
  const start = block.length - substitute.length;
  if (start < PADDING_MIN + 3) return substitute;
  let wrong = (block[0] as number) | ((block[1] as number) ^ 2) | (block[start - 1] as number);
  for (let at = 2; at < start - 1; at += 1) wrong |= isZero(block[at] as number);
  // All ones where something was wrong, else all zeros.
  const mask = (isZero(wrong) - 1) & 0xff;
  const key = Buffer.alloc(substitute.length);
  for (let at = 0; at < key.length; at += 1) {
    key[at] = ((block[start + at] as number) & ~mask) | ((substitute[at] as number) & mask);
  }
  return key;
};

/** 1 for 0, 0 for 1 to 255. */
const isZero = (byte: number): number => ((byte - 1) >>> 31) & 1;
