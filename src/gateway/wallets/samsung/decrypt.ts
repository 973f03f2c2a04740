/** The content of a JWE under one of the merchant's keys, and whether a JWS was signed by one of Samsung's. */
import { constants, createDecipheriv, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { orRefuse, refuse } from '../token.ts';
import { contentKeyOf } from './content-key.ts';
import type { JweMessage, JwsMessage } from './jose.ts';

const ciphers = { A128GCM: 'aes-128-gcm', A256GCM: 'aes-256-gcm' } as const;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** One answer for every failure, of the key or of the content. Throws `wallet.refused`. */
export const decrypted = (sealed: JweMessage, keys: readonly KeyObject[]): string => {
  // All of them are tried, so that time does not tell which one fits.
  const opened = keys.map((key) => openedWith(key, sealed)).find((each) => each !== undefined);
  if (opened === undefined) throw refuse('it cannot be decrypted with any private key of this channel');
  return opened;
};

const openedWith = (privateKey: KeyObject, sealed: JweMessage): string | undefined => {
  const { enc, header, iv, ciphertext, tag } = sealed;
  const key = contentKeyOf(sealed, privateKey);
  try {
    if (iv.length !== IV_BYTES || tag.length !== TAG_BYTES) return undefined;
    const opening = createDecipheriv(ciphers[enc], key, iv, { authTagLength: TAG_BYTES });
    opening.setAAD(Buffer.from(header, 'latin1'));
    opening.setAuthTag(tag);
    return Buffer.concat([opening.update(ciphertext), opening.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};

/** What was signed, in clear: the compact JWE. Throws `wallet.refused`. */
export const verified = ({ alg, input, payload, signature }: JwsMessage, signingKeys: readonly string[]): string => {
  if (signingKeys.length === 0) throw refuse('it is signed, and no signing key of Samsung is set for this channel');
  const isSigned = signingKeys.some((pem) => isSignedBy(createPublicKey(pem), { alg, input, signature }));
  if (!isSigned) throw refuse('it is not signed by a signing key that is trusted here');
  return payload;
};

const isSignedBy = (key: KeyObject, { alg, input, signature }: Omit<JwsMessage, 'payload'>): boolean =>
  orRefuse('its signature cannot be checked', () => {
    const type = key.asymmetricKeyType;
    // The key says what it is for: a token cannot have it used for anything else.
    if ((alg === 'ES256') !== (type === 'ec')) return false;
    const options =
      alg === 'ES256'
        ? { key, dsaEncoding: 'ieee-p1363' as const }
        : { key, ...(alg === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}) };
    return verify('sha256', Buffer.from(input, 'latin1'), options, signature);
  });
