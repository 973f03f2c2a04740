/** How a notification is encrypted: AES-256-GCM with a random nonce of 12 bytes (NIST SP 800-38D), all of it in hex. */
import { createCipheriv, createDecipheriv, createHash, createSecretKey } from 'node:crypto';
import type { Random } from '../../base/ids.ts';
import type { Vault } from '../vault/vault.ts';
import type { Webhook } from './store/webhooks.ts';

export const VECTOR_HEADER = 'X-Initialization-Vector';
export const TAG_HEADER = 'X-Authentication-Tag';
/** Which secret it was, for receivers that know two of them. */
export const KEY_HEADER = 'X-Key-Id';

const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

type Encrypted = { headers: Readonly<Record<string, string>>; body: string };

/** 12 hex digits that tell a secret from others, and nothing about it. */
export const keyIdOf = (secret: string): string =>
  createHash('sha256').update(Buffer.from(secret, 'hex')).digest('hex').slice(0, 12);

export type Encrypt = (plain: string) => Encrypted;

/**
 * `secret`: 64 hex digits. What it gives draws a nonce of its own with each call: a repeated attempt shares none with
 * the first. The key is made ready once for many.
 */
export const encrypter = (
  { secret, wrapper }: { secret: string; wrapper: Webhook['wrapper'] },
  random: Random,
): Encrypt => {
  const key = createSecretKey(secret, 'hex');
  const keyId = keyIdOf(secret);
  return (plain) => {
    const nonce = random(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    const hex = `${cipher.update(plain, 'utf8', 'hex')}${cipher.final('hex')}`.toUpperCase();
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

/** The way back. Throws a plain error when the tag does not fit to key, nonce and body. */
export const decryptNotification = (of: { secret: string; nonce: string; tag: string; body: string }): string => {
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(of.secret, 'hex'), Buffer.from(of.nonce, 'hex'), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(Buffer.from(of.tag, 'hex'));
  return decipher.update(of.body, 'hex', 'utf8') + decipher.final('utf8');
};

// What a URL's notifications are encrypted with: sealed at rest, and replaced with no moment when nobody can read.

export const SECRET = /^[0-9A-Fa-f]{64}$/;
const SECRET_BYTES = 32;

/** A receiver has so long to learn a new secret before it is used, unless told otherwise. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000;

export const newSecret = (random: Random): string => Buffer.from(random(SECRET_BYTES)).toString('hex');

/** The secret to encrypt with at this time, wall time, ms. Throws what the vault does. */
export const secretOf = (webhook: Webhook, vault: Pick<Vault, 'openSecret'>, now: number): string => {
  const { secret, next } = webhook;
  const sealed = next !== undefined && next.from <= now ? next.secret : secret;
  if (sealed === undefined) throw new TypeError('a removed webhook has no secret');
  return vault.openSecret(sealed, webhook);
};

/** With a secret whose time has come in the place of the one before, which is gone then. */
export const turned = (webhook: Webhook, now: number): Webhook => {
  const { next, ...rest } = webhook;
  return next === undefined || next.from > now ? webhook : { ...rest, secret: next.secret };
};

/** With its secrets under the vault's current key; undefined where they are. Throws what the vault does. */
export const rewrapped = (webhook: Webhook, vault: Pick<Vault, 'rewrap' | 'keyId'>): Webhook | undefined => {
  const { secret, next } = webhook;
  const isOld = (keyId: string | undefined) => keyId !== undefined && keyId !== vault.keyId();
  if (!isOld(secret?.keyId) && !isOld(next?.secret.keyId)) return undefined;
  return {
    ...webhook,
    ...(secret === undefined ? {} : { secret: vault.rewrap(secret, webhook) }),
    ...(next === undefined ? {} : { next: { ...next, secret: vault.rewrap(next.secret, webhook) } }),
  };
};
