/**
 * How a notification is encrypted and decrypted: AES-256-GCM with a random nonce of 12 bytes (NIST SP 800-38D), all in
 * hex; and the secrets used.
 */
import { createCipheriv, createDecipheriv, createHash, createSecretKey } from 'node:crypto';
import type { Random } from '../../base/ids.ts';
import type { Json } from '../spec/json.ts';
import type { Webhook } from '../store/webhook-store.ts';
import type { Vault } from '../vault/vault.ts';

export const VECTOR_HEADER = 'X-Initialization-Vector';
export const TAG_HEADER = 'X-Authentication-Tag';
/** Identifies the secret, for receivers that know two of them. */
export const KEY_HEADER = 'X-Key-Id';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Encrypted = { headers: Readonly<Record<string, string>>; body: string };

/** 12 hex digits that identify a secret and reveal nothing about it. */
export const keyIdOf = (secret: string): string =>
  createHash('sha256').update(Buffer.from(secret, 'hex')).digest('hex').slice(0, 12);

export type Encrypt = (plaintext: string) => Encrypted;

/**
 * `secret`: 64 hex digits. The returned function draws a new nonce for each call: a repeated attempt shares none with
 * the first. The key is prepared once for many calls.
 */
export const encrypter = (
  { secret, wrapper }: { secret: string; wrapper: Webhook['wrapper'] },
  random: Random,
): Encrypt => {
  const key = createSecretKey(secret, 'hex');
  const keyId = keyIdOf(secret);
  return (plaintext) => {
    const nonce = random(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    const hex = `${cipher.update(plaintext, 'utf8', 'hex')}${cipher.final('hex')}`.toUpperCase();
    return {
      headers: {
        'Content-Type': wrapper === 'JSON' ? 'application/json' : 'text/plain',
        [VECTOR_HEADER]: Buffer.from(nonce).toString('hex').toUpperCase(),
        [TAG_HEADER]: cipher.getAuthTag().toString('hex').toUpperCase(),
        [KEY_HEADER]: keyId,
      },
      body: wrapper === 'JSON' ? JSON.stringify({ encryptedBody: hex }) : hex,
    };
  };
};

/** Decrypts. Throws a plain error if the tag does not match key, nonce and body. */
export const decryptNotification = (key: { secret: string; nonce: string; tag: string; body: string }): string => {
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key.secret, 'hex'), Buffer.from(key.nonce, 'hex'), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(Buffer.from(key.tag, 'hex'));
  return decipher.update(key.body, 'hex', 'utf8') + decipher.final('utf8');
};

// The secrets of a URL's notifications: encrypted at rest, and replaced without a moment in which the receiver cannot
// decrypt.

export const SECRET = /^[0-9A-Fa-f]{64}$/;
const SECRET_BYTES = 32;

/** The default time for a receiver to learn a new secret before it is used. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000;

export const newSecret = (random: Random): string => Buffer.from(random(SECRET_BYTES)).toString('hex');

/** The secret to encrypt with at this time, wall time, ms. Throws what the vault throws. */
export const secretOf = (webhook: Webhook, vault: Pick<Vault, 'openSecret'>, now: number): string => {
  const { secret, next } = webhook;
  const sealed = next !== undefined && next.from <= now ? next.secret : secret;
  if (sealed === undefined) throw new TypeError('a removed webhook has no secret');
  return vault.openSecret(sealed, webhook);
};

/** The webhook after a due secret has replaced the previous one. */
export const completeRotation = (webhook: Webhook, now: number): Webhook => {
  const { next, ...rest } = webhook;
  return next === undefined || next.from > now ? webhook : { ...rest, secret: next.secret };
};

/**
 * The webhook with its secrets under the vault's current key; undefined if they already are. Throws what the vault
 * throws.
 */
export const rewrapped = (webhook: Webhook, vault: Pick<Vault, 'rewrap' | 'keyId'>): Webhook | undefined => {
  const { secret, next } = webhook;
  const isOld = (keyId: string | undefined) => keyId !== undefined && keyId !== vault.keyId();
  if (!isOld(secret?.keyId) && !isOld(next?.secret.keyId)) return undefined;
  return {
    ...webhook,
    secret: secret && vault.rewrap(secret, webhook),
    next: next && { ...next, secret: vault.rewrap(next.secret, webhook) },
  };
};

/** As received. */
type Received = { secret: string; vector: string; tag: string; body: string; keyId?: string };

type Verdict = { kind: 'good'; notification: Json } | { kind: 'wrong'; problems: readonly string[] };

/** Decrypts a notification as a receiver would, and explains what prevents it. */
export const verifyNotification = ({ secret, vector, tag, body, keyId }: Received): Verdict => {
  const inner = unwrapBody(body.trim());
  const says = [
    ...(SECRET.test(secret) ? [] : [`The secret must be 64 hex digits (32 bytes); ${lengthText(secret)}.`]),
    ...findHexFaults(VECTOR_HEADER, vector, 24),
    ...findHexFaults(TAG_HEADER, tag, TAG_BYTES * 2),
    ...('why' in inner ? [inner.why] : findHexFaults('The body', inner.hex)),
  ];
  if (says.length > 0 || 'why' in inner) return { kind: 'wrong', problems: says };
  const plaintext = opened({ secret, nonce: vector, tag, body: inner.hex });
  if (plaintext === undefined) return { kind: 'wrong', problems: [decryptionFailure(secret, keyId)] };
  try {
    return { kind: 'good', notification: JSON.parse(plaintext) as Json };
  } catch {
    return { kind: 'wrong', problems: ['It was decrypted, but the result is not JSON.'] };
  }
};

const opened = (key: Parameters<typeof decryptNotification>[0]): string | undefined => {
  try {
    return decryptNotification(key);
  } catch {
    return undefined;
  }
};

/** AES-256-GCM cannot tell a wrong key from a changed byte, so other known facts are reported. */
const decryptionFailure = (secret: string, keyId: string | undefined): string => {
  const expectedKeyId = keyIdOf(secret);
  if (keyId !== undefined && keyId.toLowerCase() !== expectedKeyId) {
    return `It is encrypted under a different secret: ${KEY_HEADER} is ${keyId}, and this secret has ${expectedKeyId}.`;
  }
  const hint =
    keyId === undefined ? `If ${KEY_HEADER} was ${expectedKeyId}, the secret is right. ` : 'The secret is right. ';
  return (
    'The tag does not match: the secret is a different one, or a byte of the body, the vector or the tag was changed. ' +
    `${hint}Use the body exactly as received, and ${TAG_HEADER} as the tag; do not append it to the body.`
  );
};

const unwrapBody = (body: string): { hex: string } | { why: string } => {
  if (body === '') return { why: 'The body is empty.' };
  if (!body.startsWith('{')) return { hex: body.replace(/^"(.*)"$/, '$1') };
  try {
    const { encryptedBody, type } = JSON.parse(body) as { encryptedBody?: unknown; type?: unknown };
    if (typeof encryptedBody === 'string') return { hex: encryptedBody };
    if (type !== undefined) return { why: 'The body is a notification that was already decrypted.' };
    return { why: 'The body is JSON without encryptedBody: the wrapper JSON is {"encryptedBody":"…"}.' };
  } catch {
    return { why: 'The body starts like JSON but is not JSON: it was cut off or changed.' };
  }
};

const findHexFaults = (headerName: string, text: string, digits?: number): string[] => {
  if (text === '') return [`${headerName} is empty.`];
  const invalidCharacter = /[^0-9A-Fa-f]/.exec(text);
  if (invalidCharacter !== null) {
    const base64 = /^[A-Za-z0-9+/]+=*$/.test(text) ? ' It looks like base64: it must be hex.' : '';
    return [`${headerName} must be hex digits; character ${invalidCharacter.index + 1} is not one.${base64}`];
  }
  if (digits !== undefined && text.length !== digits)
    return [`${headerName} must be ${digits} hex digits; ${lengthText(text)}.`];
  return text.length % 2 === 0 ? [] : [`${headerName} has an odd number of hex digits (${text.length}): one was lost.`];
};

const lengthText = (text: string): string =>
  /^[0-9A-Fa-f]*$/.test(text) ? `it has ${text.length}` : `it has ${text.length} characters, not all of them hex`;
