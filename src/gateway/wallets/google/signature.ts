/** Whether Google signed a message for this recipient: by a root key (ECv1), or by a key that a root key signed. */
import { verify } from 'node:crypto';
import { publicKeyOf } from '../agreement.ts';
import type { GoogleRootKeys } from '../settings.ts';
import { fitting, jsonOf, refuse } from '../token.ts';
import { believedKeys } from './root-keys.ts';
import { type GoogleToken, signedKey } from './token.ts';

const SENDER = 'Google';

/** What is signed: each text with its length in bytes before it, four of them, the lowest first. */
export const signedBytes = (...texts: readonly string[]): Buffer =>
  Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );

export type Recipient = { recipientId: string; rootKeys: GoogleRootKeys; now: number };

/** Throws `wallet.refused`. */
export const checkSignature = (token: GoogleToken, { recipientId, rootKeys, now }: Recipient): void => {
  const { protocolVersion, signature, signedMessage } = token;
  const roots = believedKeys(rootKeys, protocolVersion, now);
  const keys = token.protocolVersion === 'ECv1' ? roots : [intermediateKeyOf(token, roots, now)];
  const message = signedBytes(SENDER, recipientId, protocolVersion, signedMessage);
  if (keys.some((key) => isSignedBy(key, message, signature))) return;
  throw refuse(`its message is not signed by Google for ${recipientId}`);
};

type Chained = Exclude<GoogleToken, { protocolVersion: 'ECv1' }>;

/** The key that signed the message, base64. */
const intermediateKeyOf = (token: Chained, roots: readonly string[], now: number): string => {
  const { signedKey: text, signatures } = token.intermediateSigningKey;
  const bytes = signedBytes(SENDER, token.protocolVersion, text);
  const isGoogles = roots.some((root) => signatures.some((signature) => isSignedBy(root, bytes, signature)));
  if (!isGoogles) throw refuse('its intermediate signing key is not signed by a root key that is trusted here');
  const what = 'its intermediate signing key';
  const { keyValue, keyExpiration } = fitting(signedKey, jsonOf(text, what), what);
  if (Number(keyExpiration) <= now) throw refuse('its intermediate signing key has expired');
  return keyValue;
};

/** A key or signature that cannot be read has signed nothing. */
const isSignedBy = (key: string, bytes: Buffer, signature: string): boolean => {
  try {
    return verify('sha256', bytes, publicKeyOf(Buffer.from(key, 'base64')), Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
};
