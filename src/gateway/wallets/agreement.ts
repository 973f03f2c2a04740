/** Key agreement on P-256, which both Apple Pay and Google Pay begin with, and the keys that it takes. */
import { createHash, createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';

/** The x coordinate of the shared point, 32 bytes. Throws for a public key that is not on the curve. */
export const sharedSecret = (privateKey: KeyObject, publicKey: KeyObject): Buffer =>
  diffieHellman({ privateKey, publicKey });

/** Throws for bytes that are no SubjectPublicKeyInfo (DER). */
export const publicKeyOf = (spki: Buffer): KeyObject => createPublicKey({ key: spki, format: 'der', type: 'spki' });

/** Throws for what is no uncompressed point: 04, x, y, of 65 bytes in all. */
export const pointOf = (point: Buffer): KeyObject => {
  if (point.length !== 65 || point[0] !== 4) throw new RangeError('not an uncompressed point');
  const x = point.toString('base64url', 1, 33);
  const y = point.toString('base64url', 33);
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
};

export const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** SHA-256 of the public half as SubjectPublicKeyInfo. */
export const publicKeyHashOf = (privateKey: KeyObject): Buffer =>
  sha256(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }));

const made = new Map<string, KeyObject>();

/** The key of a PEM text. Parsing takes longer than a payment's own work, and a gateway has few keys. */
export const privateKeyOf = (pem: string): KeyObject => {
  const known = made.get(pem);
  if (known !== undefined) return known;
  const key = createPrivateKey(pem);
  made.set(pem, key);
  return key;
};
