/** What a URL's notifications are encrypted with: sealed at rest, and replaced with no moment when nobody can read. */
import type { Random } from '../../base/ids.ts';
import type { Vault } from '../vault/vault.ts';
import type { Webhook } from './store/webhooks.ts';

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
