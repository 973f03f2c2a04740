/** Opens the payment method token of Google Pay: protocol versions ECv1, ECv2 and ECv2SigningOnly. */
import { createDecipheriv, createHmac, hkdfSync, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import * as z from 'zod';
import { type OpenedToken, refuse } from './opened-token.ts';
import type { GooglePaySettings, GoogleRootKeys } from './settings.ts';
import {
  accountNumber,
  base64,
  eciOf,
  milliseconds,
  parseJson,
  parseShape,
  pointOf,
  privateKeyOf,
  publicKeyOf,
  sharedSecret,
  text,
} from './token.ts';

// Google’s payment method token ("Payment data cryptography for merchants"), encrypted and decrypted.

const signed = { signature: base64, signedMessage: text };

/** The signed parts are kept as texts: the signature covers their characters. */
const intermediateSigningKey = z.object({ signedKey: text, signatures: z.array(base64).min(1).max(10) });

const googleToken = z.discriminatedUnion('protocolVersion', [
  z.object({ protocolVersion: z.literal('ECv1'), ...signed }),
  z.object({ protocolVersion: z.enum(['ECv2', 'ECv2SigningOnly']), ...signed, intermediateSigningKey }),
]);
type GoogleToken = z.output<typeof googleToken>;

const signedKey = z.object({ keyValue: base64, keyExpiration: milliseconds });

export const sealedMessage = z.object({ encryptedMessage: base64, ephemeralPublicKey: base64, tag: base64 });
type SealedMessage = z.output<typeof sealedMessage>;

const month = z.number().int().min(1).max(12);
const year = z.number().int().min(2000).max(2099);

const cardDetails = z.object({
  /** Absent in ECv1’s messages about cards that the shopper typed. */
  authMethod: z.enum(['PAN_ONLY', 'CRYPTOGRAM_3DS']).optional(),
  pan: accountNumber,
  expirationMonth: month,
  expirationYear: year,
  cryptogram: base64.optional(),
  eciIndicator: z.string().optional(),
});

/** ECv1’s form of a device's card. */
const tokenizedDetails = z.object({
  dpan: accountNumber,
  expirationMonth: month,
  expirationYear: year,
  '3dsCryptogram': base64.optional(),
  '3dsEciIndicator': z.string().optional(),
});

const common = { messageExpiration: milliseconds, messageId: text.max(1024), gatewayMerchantId: z.string().optional() };

/** assuranceDetails, which only tell how Google identified the shopper, are not read. */
const googlePayload = z.discriminatedUnion('paymentMethod', [
  z.object({ ...common, paymentMethod: z.literal('CARD'), paymentMethodDetails: cardDetails }),
  z.object({ ...common, paymentMethod: z.literal('TOKENIZED_CARD'), paymentMethodDetails: tokenizedDetails }),
]);
type GooglePayload = z.output<typeof googlePayload>;

/** The decrypted message that Google signed for this recipient. `now` is wall time, ms. Throws `wallet.refused`. */
export const messageIn = (text: string, settings: GooglePaySettings, now: number): string => {
  const token = parseShape(googleToken, parseJson(text, 'it'), 'it');
  const { recipientId } = settings;
  checkSignature(token, { recipientId, rootKeys: rootKeysOf(settings), now });
  // Signed and not encrypted: the signed text is the message.
  if (token.protocolVersion === 'ECv2SigningOnly') return token.signedMessage;
  const sealed = parseShape(sealedMessage, parseJson(token.signedMessage, 'its signedMessage'), 'its signedMessage');
  return decryptMessage(sealed, token.protocolVersion, settings.privateKeys.map(privateKeyOf));
};

/** At `now`, wall time in ms. Throws `wallet.refused`. */
export const openGooglePay = (text: string, settings: GooglePaySettings, now: number): OpenedToken => {
  const subject = 'what it holds';
  const payload = parseShape(googlePayload, parseJson(messageIn(text, settings, now), subject), subject);
  const { gatewayMerchantId } = settings;
  if (gatewayMerchantId !== undefined && payload.gatewayMerchantId !== gatewayMerchantId) {
    throw refuse('it is for another merchant of this gateway: its gatewayMerchantId is not the channel’s');
  }
  return {
    id: payload.messageId,
    ...cardOf(payload),
    stale: Number(payload.messageExpiration) <= now ? 'its messageExpiration has passed' : undefined,
  };
};

const cardOf = (payload: GooglePayload): Pick<OpenedToken, 'card' | 'cryptogram' | 'eci'> => {
  const { expirationMonth, expirationYear } = payload.paymentMethodDetails;
  const expiry = { expiryMonth: String(expirationMonth).padStart(2, '0'), expiryYear: String(expirationYear) };
  if (payload.paymentMethod === 'TOKENIZED_CARD') {
    const { dpan, '3dsCryptogram': cryptogram, '3dsEciIndicator': eci } = payload.paymentMethodDetails;
    return { card: { number: dpan, ...expiry }, ...proofOf(cryptogram, eci) };
  }
  const { pan, authMethod = 'PAN_ONLY', cryptogram, eciIndicator } = payload.paymentMethodDetails;
  const proof = authMethod === 'PAN_ONLY' ? {} : proofOf(cryptogram, eciIndicator);
  return { card: { number: pan, ...expiry }, ...proof };
};

/** For a device's card: without its cryptogram it would pass for a card that the shopper typed. */
const proofOf = (cryptogram: string | undefined, input: string | undefined) => {
  if (cryptogram === undefined) throw refuse('its card is the device’s, and its cryptogram is missing');
  const eci = eciOf(input);
  return { cryptogram, eci };
};

// Google's variant of ECIES: P-256, HKDF with SHA-256, AES in counter mode, HMAC with SHA-256.

export type EncryptedVersion = 'ECv1' | 'ECv2';

/** The length of each of the two keys in bytes. */
const keyBytes: Readonly<Record<EncryptedVersion, number>> = { ECv1: 16, ECv2: 32 };
const ciphers: Readonly<Record<EncryptedVersion, string>> = { ECv1: 'aes-128-ctr', ECv2: 'aes-256-ctr' };

const IV = new Uint8Array(16);
const SALT = new Uint8Array(32);

/**
 * The keys for the ciphertext and its tag, derived from the shared secret. `point` is the ephemeral public key, 65
 * bytes.
 */
export const messageKeys = (secret: Buffer, point: Buffer, version: EncryptedVersion) => {
  const length = keyBytes[version];
  const derived = Buffer.from(hkdfSync('sha256', Buffer.concat([point, secret]), SALT, 'Google', 2 * length));
  return { aesKey: derived.subarray(0, length), macKey: derived.subarray(length) };
};

/**
 * The message, decrypted with whichever of the keys fits: a merchant who changes keys has two. Throws `wallet.refused`.
 */
const decryptMessage = (sealed: SealedMessage, version: EncryptedVersion, keys: readonly KeyObject[]): string => {
  // All of them are tried, so that the duration does not reveal which one fits.
  const plaintext = keys.map((key) => decryptWith(key, sealed, version)).find((each) => each !== undefined);
  if (plaintext === undefined) throw refuse('it cannot be decrypted with any private key of this channel');
  return plaintext;
};

const decryptWith = (key: KeyObject, sealed: SealedMessage, version: EncryptedVersion): string | undefined => {
  try {
    const point = Buffer.from(sealed.ephemeralPublicKey, 'base64');
    const message = Buffer.from(sealed.encryptedMessage, 'base64');
    const tag = Buffer.from(sealed.tag, 'base64');
    const { aesKey, macKey } = messageKeys(sharedSecret(key, pointOf(point)), point, version);
    const expected = createHmac('sha256', macKey).update(message).digest();
    if (tag.length !== expected.length || !timingSafeEqual(tag, expected)) return undefined;
    const decipher = createDecipheriv(ciphers[version], aesKey, IV);
    return Buffer.concat([decipher.update(message), decipher.final()]).toString('utf8');
  } catch {
    // Not a point on the curve: as with a wrong tag, no reason is given.
    return undefined;
  }
};

// Whether Google signed a message for this recipient: with a root key (ECv1), or with a key that a root key signed.

const SENDER = 'Google';

/** The signed bytes: each text preceded by its length in bytes, four of them, little-endian. */
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
const checkSignature = (token: GoogleToken, { recipientId, rootKeys, now }: Recipient): void => {
  const { protocolVersion, signature, signedMessage } = token;
  const roots = trustedKeys(rootKeys, protocolVersion, now);
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
  if (!isGoogles) throw refuse('its intermediate signing key is not signed by a trusted root key');
  const subject = 'its intermediate signing key';
  const { keyValue, keyExpiration } = parseShape(signedKey, parseJson(text, subject), subject);
  if (Number(keyExpiration) <= now) throw refuse('its intermediate signing key has expired');
  return keyValue;
};

/** A key or signature that cannot be parsed has signed nothing. */
const isSignedBy = (key: string, bytes: Buffer, signature: string): boolean => {
  try {
    return verify('sha256', bytes, publicKeyOf(Buffer.from(key, 'base64')), Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
};

// Google's root signing keys: which of a set may be trusted, and the set of its test environment.

/** The SubjectPublicKeyInfo of P-256 around the coordinates of a point. */
const p256Spki = (coordinates: string): string => `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${coordinates}`;

/**
 * From https://payments.developers.google.com/paymentmethodtoken/test/keys.json. Only tokens signed in Google’s test
 * environment match them; production has its own keys, which a merchant gets from Google.
 */
export const testRootKeys: GoogleRootKeys = {
  keys: [
    {
      keyValue: p256Spki('IsFro6K+IUxRr4yFTOTO+kFCCEvHo7B9IOMLxah6c977oFzX/beObH4a9OfosMHmft3JJZ6B3xpjIb8kduK4/A=='),
      protocolVersion: 'ECv1',
    },
    {
      keyValue: p256Spki('GnJ7Yo1sX9b4kr4Aa5uq58JRQfzD8bIJXw7WXaap/hVE+PnFxvjx4nVxt79SdRuUVeu++HZD0cGAv4IOznc96w=='),
      protocolVersion: 'ECv2',
      keyExpiration: '2154841200000',
    },
  ],
};

const rootKeysOf = ({ environment, rootKeys }: GooglePaySettings): GoogleRootKeys => {
  if (rootKeys !== undefined) return rootKeys;
  // The configuration is refused without them, but a channel made by a program may lack them.
  if (environment === 'PRODUCTION') throw refuse('this channel has no root keys of Google’s production environment');
  return testRootKeys;
};

/**
 * The version's keys that have not expired, base64. Without an expiry date only ECv1’s are trusted, as Google
 * specifies.
 */
const trustedKeys = ({ keys }: GoogleRootKeys, version: string, now: number): readonly string[] => {
  const ofVersion = keys.filter(({ protocolVersion }) => protocolVersion === version);
  if (ofVersion.length === 0) throw refuse(`no root key of Google for ${version} is set for this channel`);
  const trusted = ofVersion.filter(({ keyExpiration }) =>
    keyExpiration === undefined ? version === 'ECv1' : Number(keyExpiration) > now,
  );
  if (trusted.length === 0) throw refuse(`every root key of Google for ${version} that is set here has expired`);
  return trusted.map(({ keyValue }) => keyValue);
};
