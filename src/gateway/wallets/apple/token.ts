/**
 * Apple’s payment token (Payment Token Format Reference), encrypted and decrypted, and the merchant's key that it is
 * for.
 */

import { constants, createHash, type KeyObject, privateDecrypt, X509Certificate } from 'node:crypto';
import * as z from 'zod';
import { refuse } from '../opened-token.ts';
import type { ApplePaySettings } from '../settings.ts';
import {
  accountNumber,
  base64,
  hex,
  parseJson,
  parseShape,
  privateKeyOf,
  publicKeyHashOf,
  publicKeyOf,
  sha256,
  sharedSecret,
  text,
} from '../token.ts';

const header = {
  /** SHA-256 of the merchant's public key: selects one of the merchant's keys. */
  publicKeyHash: base64,
  transactionId: hex,
  /** SHA-256 of the merchant's data for the wallet, if any. */
  applicationData: hex.optional(),
};

const ellipticCurve = z.object({
  version: z.literal('EC_v1'),
  data: base64,
  signature: base64,
  header: z.object({ ...header, ephemeralPublicKey: base64 }),
});

const rsa = z.object({
  version: z.literal('RSA_v1'),
  data: base64,
  signature: base64,
  header: z.object({ ...header, wrappedKey: base64 }),
});

export const applePaymentData = z.discriminatedUnion('version', [ellipticCurve, rsa]);
export type ApplePaymentData = z.output<typeof applePaymentData>;

const wholeToken = z.object({ paymentData: z.unknown() });

/** The paymentData, either alone or in the wallet's whole token. Throws `wallet.refused`. */
export const paymentDataIn = (token: string): ApplePaymentData => {
  const json = parseJson(token, 'it');
  const parsedToken = wholeToken.safeParse(json);
  const inner = parsedToken.success && parsedToken.data.paymentData !== undefined ? parsedToken.data.paymentData : json;
  return parseShape(applePaymentData, inner, 'it');
};

const common = {
  applicationPrimaryAccountNumber: accountNumber,
  /** YYMMDD */
  applicationExpirationDate: z.string().regex(/^\d{2}(0[1-9]|1[0-2])\d{2}$/),
  /** ISO 4217 numeric, three digits. */
  currencyCode: z.string().regex(/^\d{3}$/),
  /** Minor units. */
  transactionAmount: z.number().int().nonnegative(),
  cardholderName: text.optional(),
  deviceManufacturerIdentifier: hex.optional(),
};

export const applePayload = z.discriminatedUnion('paymentDataType', [
  z.object({
    ...common,
    paymentDataType: z.literal('3DSecure'),
    paymentData: z.object({ onlinePaymentCryptogram: base64, eciIndicator: z.string().optional() }),
  }),
  z.object({
    ...common,
    paymentDataType: z.literal('EMV'),
    paymentData: z.object({ emvData: base64, encryptedPINData: hex.optional() }),
  }),
]);
export type ApplePayload = z.output<typeof applePayload>;

// The merchant's side of a token: which of the merchant's keys it is for, and the key that encrypted it.

const hashes = new WeakMap<KeyObject, Buffer>();

/** The merchant's key whose hash the token names. Throws `wallet.refused`. */
export const merchantKeyFor = (publicKeyHash: string, keys: ApplePaySettings['keys']): KeyObject => {
  const wantedHash = Buffer.from(publicKeyHash, 'base64');
  const found = keys.map(({ privateKey }) => privateKeyOf(privateKey)).find((key) => hashOf(key).equals(wantedHash));
  if (found === undefined) throw refuse('no payment processing key of this channel has its publicKeyHash');
  return found;
};

const hashOf = (key: KeyObject): Buffer => {
  const keyHash = hashes.get(key) ?? publicKeyHashOf(key);
  hashes.set(key, keyHash);
  return keyHash;
};

/** The wallet's name for a merchant: SHA-256 of the registered id. */
export const merchantIdHash = (merchantId: string): Buffer => sha256(merchantId);

/** The extension that contains the merchant's hash, as OBJECT IDENTIFIER 1.2.840.113635.100.6.32 in DER. */
const MERCHANT_ID = Buffer.from('06092a864886f763640620', 'hex');
/** An OCTET STRING around another string of 64 characters. */
const HASH_HEAD = 4;

/** The merchant's hash in Apple's payment processing certificate. Undefined for any other certificate. */
export const merchantIdHashIn = (certificate: string): Buffer | undefined => {
  const { raw } = new X509Certificate(certificate);
  const i = raw.indexOf(MERCHANT_ID);
  const start = i + MERCHANT_ID.length + HASH_HEAD;
  const written = raw.subarray(start, start + 64).toString('latin1');
  return i < 0 || !/^[0-9A-Fa-f]{64}$/.test(written) ? undefined : Buffer.from(written, 'hex');
};

/** NIST SP 800-56A, 5.8.1, with SHA-256: one round yields the 32 bytes of id-aes256-GCM. Party V is the merchant. */
export const contentKeyOf = (secret: Buffer, merchant: Buffer): Buffer =>
  createHash('sha256')
    .update(Buffer.from([0, 0, 0, 1]))
    .update(secret)
    .update('\x0did-aes256-GCM')
    .update('Apple')
    .update(merchant)
    .digest();

/** The key of the token's data: agreed on, or unwrapped. Throws whatever the cryptographic functions throw. */
export const dataKeyOf = (token: ApplePaymentData, key: KeyObject, merchant: Buffer): Buffer => {
  if (token.version === 'EC_v1') {
    const ephemeral = publicKeyOf(Buffer.from(token.header.ephemeralPublicKey, 'base64'));
    return contentKeyOf(sharedSecret(key, ephemeral), merchant);
  }
  const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  return privateDecrypt({ key, ...padding }, Buffer.from(token.header.wrappedKey, 'base64'));
};
