/** The compact forms of JWE (RFC 7516, 7.1) and JWS (RFC 7515, 7.1) taken apart. Nothing is believed yet. */
import * as z from 'zod';
import { fitting, jsonOf, refuse } from '../token.ts';

const keyAlgorithms = ['RSA1_5', 'RSA-OAEP', 'RSA-OAEP-256'] as const;
const contentAlgorithms = ['A128GCM', 'A256GCM'] as const;
const signatureAlgorithms = ['RS256', 'PS256', 'ES256'] as const;

/** What neither is known here nor may be left out of account (RFC 7516, section 4.1.13): compression is not offered. */
const nothingCritical = { crit: z.never().optional(), zip: z.never().optional() };

const encryptionHeader = z.object({ alg: z.enum(keyAlgorithms), enc: z.enum(contentAlgorithms), ...nothingCritical });
const signatureHeader = z.object({ alg: z.enum(signatureAlgorithms), ...nothingCritical });

export type KeyAlgorithm = (typeof keyAlgorithms)[number];
export type ContentAlgorithm = (typeof contentAlgorithms)[number];
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

export type JweMessage = {
  alg: KeyAlgorithm;
  enc: ContentAlgorithm;
  /** As it stands in the text: it is authenticated with the content. */
  header: string;
  wrappedKey: Buffer;
  iv: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
};

export type JwsMessage = { alg: SignatureAlgorithm; input: string; payload: string; signature: Buffer };

const COMPACT = /^[\w-]+(?:\.[\w-]+)*$/;

/** Five parts are encrypted, three are signed. Throws `wallet.refused`. */
export const compactIn = (text: string): JweMessage | JwsMessage => {
  const parts = COMPACT.test(text) ? text.split('.') : [];
  const [header = '', second = '', third = '', fourth = '', fifth = ''] = parts;
  const json = (): unknown => jsonOf(Buffer.from(header, 'base64url').toString('utf8'), 'the header of its data');
  if (parts.length === 5) {
    const { alg, enc } = fitting(encryptionHeader, json(), 'the header of its data');
    const [wrappedKey, iv, ciphertext, tag] = [bytes(second), bytes(third), bytes(fourth), bytes(fifth)];
    return { alg, enc, header, wrappedKey, iv, ciphertext, tag };
  }
  if (parts.length === 3) {
    const { alg } = fitting(signatureHeader, json(), 'the header of its data');
    return { alg, input: `${header}.${second}`, payload: bytes(second).toString('utf8'), signature: bytes(third) };
  }
  throw refuse('its data is neither a JWE nor a JWS');
};

const bytes = (part: string): Buffer => Buffer.from(part, 'base64url');
