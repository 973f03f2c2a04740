/**
 * Opens the payment credential of Samsung Pay: a JWE, alone or in the wallet's JSON, optionally inside a JWS; parses,
 * decrypts and verifies these.
 */

import { constants, createDecipheriv, createPublicKey, type KeyObject, privateDecrypt, verify } from 'node:crypto';
import * as z from 'zod';
import { systemRandom } from '../../base/ids.ts';
import { currencyRow } from '../../base/money.ts';
import { type OpenedToken, refuse } from './opened-token.ts';
import type { SamsungPaySettings } from './settings.ts';
import {
  accountNumber,
  base64,
  eciOf,
  milliseconds,
  orRefuse,
  parseJson,
  parseShape,
  privateKeyOf,
  text,
} from './token.ts';

/** `S`: a single payment. */
const threeDS = z.object({ type: z.literal('S'), version: text, data: text });

/** The parts of the wallet's credential that are read. */
export const samsungCredential = z.object({ method: z.literal('3DS').optional(), '3DS': threeDS });

const payload = z.object({
  /** Minor units. */
  amount: z.string().regex(/^\d{1,12}$/),
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  /** The time of its creation, wall time in ms. */
  utc: milliseconds,
  eci_indicator: z.string().optional(),
  tokenPAN: accountNumber,
  /** MMYY */
  tokenPanExpiration: z.string().regex(/^(0[1-9]|1[0-2])\d{2}$/),
  cryptogram: base64,
});

/** Throws `wallet.refused`. */
export const openSamsungPay = (token: string, { privateKeys, signingKeys = [] }: SamsungPaySettings): OpenedToken => {
  const compact = compactIn(dataIn(token));
  const isSigned = 'payload' in compact;
  if (!isSigned && signingKeys.length > 0) throw refuse('it is not signed, and this channel accepts only signed ones');
  const sealed = isSigned ? compactIn(verifyMessage(compact, signingKeys)) : compact;
  if ('payload' in sealed) throw refuse('the signed content is not encrypted');
  const subject = 'what it holds';
  const paid = parseShape(payload, parseJson(decryptMessage(sealed, privateKeys.map(privateKeyOf)), subject), subject);
  if (currencyRow(paid.currency_code) === undefined) throw refuse('its currency is not in ISO 4217');
  const eci = eciOf(paid.eci_indicator);
  const { tokenPAN: number, tokenPanExpiration: expiry, cryptogram } = paid;
  return {
    // A credential has no id of its own. Its cryptogram is made once, for one number.
    id: `${number} ${cryptogram} ${paid.utc}`,
    card: { number, expiryMonth: expiry.slice(0, 2), expiryYear: `20${expiry.slice(2)}` },
    cryptogram,
    eci,
    amount: { minor: BigInt(paid.amount), currency: paid.currency_code },
  };
};

/** The compact text, alone or in 3DS.data. */
const dataIn = (token: string): string => {
  if (!token.trimStart().startsWith('{')) return token.trim();
  return parseShape(samsungCredential, parseJson(token, 'it'), 'it')['3DS'].data;
};

// JWE (RFC 7516, 7.1) and JWS (RFC 7515, 7.1) in their compact forms: parsed, decrypted with the merchant's keys,
// verified with Samsung's.

const keyAlgorithms = ['RSA1_5', 'RSA-OAEP', 'RSA-OAEP-256'] as const;
const contentAlgorithms = ['A128GCM', 'A256GCM'] as const;
const signatureAlgorithms = ['RS256', 'PS256', 'ES256'] as const;

/** Unsupported header fields that must not be ignored (RFC 7516, section 4.1.13): compression is not supported. */
const nothingCritical = { crit: z.never().optional(), zip: z.never().optional() };

const encryptionHeader = z.object({ alg: z.enum(keyAlgorithms), enc: z.enum(contentAlgorithms), ...nothingCritical });
const signatureHeader = z.object({ alg: z.enum(signatureAlgorithms), ...nothingCritical });

type KeyAlgorithm = (typeof keyAlgorithms)[number];
type ContentAlgorithm = (typeof contentAlgorithms)[number];
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

type JweMessage = {
  alg: KeyAlgorithm;
  enc: ContentAlgorithm;
  /** As it is in the text: it is authenticated with the content. */
  header: string;
  wrappedKey: Buffer;
  iv: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
};

type JwsMessage = { alg: SignatureAlgorithm; input: string; payload: string; signature: Buffer };

const COMPACT = /^[\w-]+(?:\.[\w-]+)*$/;

/** Five parts are encrypted, three are signed. Throws `wallet.refused`. */
const compactIn = (text: string): JweMessage | JwsMessage => {
  const parts = COMPACT.test(text) ? text.split('.') : [];
  const [header = '', second = '', third = '', fourth = '', fifth = ''] = parts;
  const parseHeader = (): unknown =>
    parseJson(Buffer.from(header, 'base64url').toString('utf8'), 'the header of its data');
  if (parts.length === 5) {
    const { alg, enc } = parseShape(encryptionHeader, parseHeader(), 'the header of its data');
    const [wrappedKey, iv, ciphertext, tag] = [bytes(second), bytes(third), bytes(fourth), bytes(fifth)];
    return { alg, enc, header, wrappedKey, iv, ciphertext, tag };
  }
  if (parts.length === 3) {
    const { alg } = parseShape(signatureHeader, parseHeader(), 'the header of its data');
    return { alg, input: `${header}.${second}`, payload: bytes(second).toString('utf8'), signature: bytes(third) };
  }
  throw refuse('its data is neither a JWE nor a JWS');
};

const bytes = (part: string): Buffer => Buffer.from(part, 'base64url');

// Unwraps the key of a JWE without revealing whether its padding was right: Bleichenbacher's attack needs no more. Any
// error leads to a random key, which then fails like a wrong tag (RFC 7516, section 11.5).

export const contentKeyBytes: Readonly<Record<ContentAlgorithm, number>> = { A128GCM: 16, A256GCM: 32 };

type Wrapped = { alg: KeyAlgorithm; enc: ContentAlgorithm; wrappedKey: Buffer };

/** Never throws. The key for the content, or as many random bytes. */
export const contentKeyOf = ({ alg, enc, wrappedKey }: Wrapped, privateKey: KeyObject): Buffer => {
  const length = contentKeyBytes[enc];
  // Made in every case, so that the duration reveals nothing.
  const substitute = Buffer.from(systemRandom(length));
  try {
    if (alg === 'RSA1_5') return removePadding(rawDecrypt(wrappedKey, privateKey), substitute);
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
 * Reads every byte and branches on none. The key's position is known, so nothing is searched for. Does not use
 * OpenSSL's own unpadding: BoringSSL, in the same program on a desktop, has no safe one.
 */
const removePadding = (block: Buffer, substitute: Buffer): Buffer => {
  const start = block.length - substitute.length;
  if (start < PADDING_MIN + 3) return substitute;
  let mismatch = (block[0] as number) | ((block[1] as number) ^ 2) | (block[start - 1] as number);
  for (let offset = 2; offset < start - 1; offset += 1) mismatch |= isZero(block[offset] as number);
  // All ones if something was wrong, otherwise all zeros.
  const mask = (isZero(mismatch) - 1) & 0xff;
  const key = Buffer.alloc(substitute.length);
  for (let offset = 0; offset < key.length; offset += 1) {
    key[offset] = ((block[start + offset] as number) & ~mask) | ((substitute[offset] as number) & mask);
  }
  return key;
};

/** 1 for 0, 0 for 1 to 255. */
const isZero = (byte: number): number => ((byte - 1) >>> 31) & 1;

// The content of a JWE under one of the merchant's keys, and whether a JWS was signed with one of Samsung's.

const ciphers = { A128GCM: 'aes-128-gcm', A256GCM: 'aes-256-gcm' } as const;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** One result for every failure, of the key or of the content. Throws `wallet.refused`. */
const decryptMessage = (sealed: JweMessage, keys: readonly KeyObject[]): string => {
  // All of them are tried, so that the duration does not reveal which one fits.
  const plaintext = keys.map((key) => decryptWith(key, sealed)).find((each) => each !== undefined);
  if (plaintext === undefined) throw refuse('it cannot be decrypted with any private key of this channel');
  return plaintext;
};

const decryptWith = (privateKey: KeyObject, sealed: JweMessage): string | undefined => {
  const { enc, header, iv, ciphertext, tag } = sealed;
  const key = contentKeyOf(sealed, privateKey);
  try {
    if (iv.length !== IV_BYTES || tag.length !== TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ciphers[enc], key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(header, 'latin1'));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};

/** The signed text: the compact JWE. Throws `wallet.refused`. */
const verifyMessage = ({ alg, input, payload, signature }: JwsMessage, signingKeys: readonly string[]): string => {
  if (signingKeys.length === 0) throw refuse('it is signed, and no signing key of Samsung is set for this channel');
  const isSigned = signingKeys.some((pem) => isSignedBy(createPublicKey(pem), { alg, input, signature }));
  if (!isSigned) throw refuse('it is not signed with a trusted signing key');
  return payload;
};

const isSignedBy = (key: KeyObject, { alg, input, signature }: Omit<JwsMessage, 'payload'>): boolean =>
  orRefuse('its signature cannot be checked', () => {
    const type = key.asymmetricKeyType;
    // The key's type must match the algorithm: a token cannot have it used for anything else.
    if ((alg === 'ES256') !== (type === 'ec')) return false;
    const options =
      alg === 'ES256'
        ? { key, dsaEncoding: 'ieee-p1363' as const }
        : alg === 'PS256'
          ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
          : { key };
    return verify('sha256', Buffer.from(input, 'latin1'), options, signature);
  });
