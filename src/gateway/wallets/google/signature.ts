/** Whether Google signed a message for this recipient: by a root key (ECv1), or by a key that a root key signed. */
import { verify } from 'node:crypto';
import { publicKeyOf } from '../agreement.ts';
import type { GooglePaySettings, GoogleRootKeys } from '../settings.ts';
import { fitting, jsonOf, refuse } from '../token.ts';
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

// Google's root signing keys: which of a set may be believed, and the set of its test environment.

/** The SubjectPublicKeyInfo of P-256 around a point's coordinates. */
const p256 = (coordinates: string): string => `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${coordinates}`;

/**
 * Of https://payments.developers.google.com/paymentmethodtoken/test/keys.json. Only what is signed in Google’s test
 * environment fits them; production has keys of its own, which a merchant takes from Google himself.
 */
export const testRootKeys: GoogleRootKeys = {
  keys: [
    {
      keyValue: p256('IsFro6K+IUxRr4yFTOTO+kFCCEvHo7B9IOMLxah6c977oFzX/beObH4a9OfosMHmft3JJZ6B3xpjIb8kduK4/A=='),
      protocolVersion: 'ECv1',
    },
    {
      keyValue: p256('GnJ7Yo1sX9b4kr4Aa5uq58JRQfzD8bIJXw7WXaap/hVE+PnFxvjx4nVxt79SdRuUVeu++HZD0cGAv4IOznc96w=='),
      protocolVersion: 'ECv2',
      keyExpiration: '2154841200000',
    },
  ],
};

export const rootKeysOf = ({ environment, rootKeys }: GooglePaySettings): GoogleRootKeys => {
  if (rootKeys !== undefined) return rootKeys;
  // The configuration is refused without them; a channel that was made by a program may lack them all the same.
  if (environment === 'PRODUCTION') throw refuse('this channel has no root keys of Google’s production environment');
  return testRootKeys;
};

/** Those of the version whose time is not over, base64. Without a date only ECv1’s are believed: Google says so. */
const believedKeys = ({ keys }: GoogleRootKeys, version: string, now: number): readonly string[] => {
  const ofVersion = keys.filter(({ protocolVersion }) => protocolVersion === version);
  if (ofVersion.length === 0) throw refuse(`no root key of Google for ${version} is set for this channel`);
  const believed = ofVersion.filter(({ keyExpiration }) =>
    keyExpiration === undefined ? version === 'ECv1' : Number(keyExpiration) > now,
  );
  if (believed.length === 0) throw refuse(`every root key of Google for ${version} that is set here has expired`);
  return believed.map(({ keyValue }) => keyValue);
};
