/** The merchant's side of a token: which of his keys it is for, and the key that it is encrypted with. */
import { constants, createHash, type KeyObject, privateDecrypt, X509Certificate } from 'node:crypto';
import { privateKeyOf, publicKeyHashOf, publicKeyOf, sha256, sharedSecret } from '../agreement.ts';
import type { ApplePaySettings } from '../settings.ts';
import { refuse } from '../token.ts';
import type { ApplePaymentData } from './token.ts';

const hashes = new WeakMap<KeyObject, Buffer>();

/** One of the merchant's keys, by the hash that the token names. Throws `wallet.refused`. */
export const merchantKeyFor = (publicKeyHash: string, keys: ApplePaySettings['keys']): KeyObject => {
  const wanted = Buffer.from(publicKeyHash, 'base64');
  const found = keys.map(({ privateKey }) => privateKeyOf(privateKey)).find((key) => hashOf(key).equals(wanted));
  if (found === undefined) throw refuse('no payment processing key of this channel has its publicKeyHash');
  return found;
};

const hashOf = (key: KeyObject): Buffer => {
  const known = hashes.get(key) ?? publicKeyHashOf(key);
  hashes.set(key, known);
  return known;
};

/** The wallet's name for a merchant: SHA-256 of the id that he registered. */
export const merchantIdHash = (merchantId: string): Buffer => sha256(merchantId);

/** The extension that holds the merchant's hash, as OBJECT IDENTIFIER 1.2.840.113635.100.6.32 in DER. */
const MERCHANT_ID = Buffer.from('06092a864886f763640620', 'hex');
/** An OCTET STRING around another string of 64 characters. */
const HASH_HEAD = 4;

/** The merchant's hash as Apple wrote it into a payment processing certificate. Undefined: it is another kind. */
export const merchantIdHashIn = (certificate: string): Buffer | undefined => {
  const { raw } = new X509Certificate(certificate);
  const at = raw.indexOf(MERCHANT_ID);
  const from = at + MERCHANT_ID.length + HASH_HEAD;
  const written = raw.subarray(from, from + 64).toString('latin1');
  return at < 0 || !/^[0-9A-Fa-f]{64}$/.test(written) ? undefined : Buffer.from(written, 'hex');
};

/** NIST SP 800-56A, 5.8.1, with SHA-256: one round gives the 32 bytes of id-aes256-GCM. Party V is the merchant. */
export const contentKeyOf = (secret: Buffer, merchant: Buffer): Buffer =>
  createHash('sha256')
    .update(Buffer.from([0, 0, 0, 1]))
    .update(secret)
    .update('\x0did-aes256-GCM')
    .update('Apple')
    .update(merchant)
    .digest();

/** The key of the token's data: agreed on, or unwrapped. Throws whatever the cryptography throws. */
export const dataKeyOf = (token: ApplePaymentData, key: KeyObject, merchant: Buffer): Buffer => {
  if (token.version === 'EC_v1') {
    const ephemeral = publicKeyOf(Buffer.from(token.header.ephemeralPublicKey, 'base64'));
    return contentKeyOf(sharedSecret(key, ephemeral), merchant);
  }
  const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  return privateDecrypt({ key, ...padding }, Buffer.from(token.header.wrappedKey, 'base64'));
};
