/** How the tokens of all wallets are read, and the key agreement used by Apple and Google. */
import { createHash, createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { refuse } from './opened-token.ts';

/** Throws `wallet.refused` for a text that is not JSON. */
export const parseJson = (text: string, subject: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the token.
    throw refuse(`${subject} is not JSON`);
  }
};

/** The value in its schema's form. Throws `wallet.refused` with the first place that does not match. */
export const parseShape = <T>(schema: z.ZodType<T>, value: unknown, subject: string): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.map(String).join('.') ?? '';
  throw refuse(`${subject} does not have the provider’s form${path === '' ? '' : `: ${path} is missing or malformed`}`);
};

/** One refusal for any error in `work`: an attacker learns nothing from the kind of failure. */
export const orRefuse = <T>(reason: string, work: () => T): T => {
  try {
    return work();
  } catch {
    throw refuse(reason);
  }
};

/** `5` → `05`, `07` unchanged. Undefined for an empty one. Throws `wallet.refused`. */
export const eciOf = (eci: string | undefined): string | undefined => {
  if (eci === undefined || eci === '') return undefined;
  if (!/^0?[0-9]$/.test(eci)) throw refuse('its electronic commerce indicator is invalid');
  return eci.padStart(2, '0');
};

// The field formats in all providers' tokens.

export const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
export const hex = z.string().regex(/^(?:[0-9A-Fa-f]{2})+$/);
export const text = z.string().min(1);
/** A card's number, or the device's number that stands for it. */
export const accountNumber = z.string().regex(/^\d{12,19}$/);
/** Wall time, ms. */
export const milliseconds = z.string().regex(/^\d{1,15}$/);

// Key agreement on P-256, used by both Apple Pay and Google Pay, and its keys.

/** The x coordinate of the shared point, 32 bytes. Throws for a public key that is not on the curve. */
export const sharedSecret = (privateKey: KeyObject, publicKey: KeyObject): Buffer =>
  diffieHellman({ privateKey, publicKey });

/** Throws for bytes that are not a SubjectPublicKeyInfo (DER). */
export const publicKeyOf = (spki: Buffer): KeyObject => createPublicKey({ key: spki, format: 'der', type: 'spki' });

/** Throws unless the bytes are an uncompressed point: 04, x, y, 65 bytes in total. */
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

const keyCache = new Map<string, KeyObject>();

/** The key in a PEM text, cached: parsing takes longer than a payment's own work, and a gateway has few keys. */
export const privateKeyOf = (pem: string): KeyObject => {
  const cached = keyCache.get(pem);
  if (cached !== undefined) return cached;
  const key = createPrivateKey(pem);
  keyCache.set(pem, key);
  return key;
};
