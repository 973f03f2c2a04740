/** Google's side of a token, for cases that its published tokens lack: our own keys, signatures and encryption. */
import { createCipheriv, createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { messageKeys, signedBytes } from '../../../src/gateway/wallets/google-pay.ts';
import type { GooglePaySettings } from '../../../src/gateway/wallets/settings.ts';
import { sharedSecret } from '../../../src/gateway/wallets/token.ts';

export type Version = 'ECv1' | 'ECv2' | 'ECv2SigningOnly';

export const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
export const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const spkiOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'der' }).toString('base64');

const root = keyPair();
const intermediate = keyPair();
const merchant = keyPair();

export const now = Date.UTC(2030, 0, 1);
const DAY = 86_400_000;

export const settings: GooglePaySettings = {
  environment: 'PRODUCTION',
  recipientId: 'gateway:tillgate',
  gatewayMerchantId: 'shop-1',
  privateKeys: [pemOf(merchant.privateKey)],
  rootKeys: {
    keys: ['ECv1', 'ECv2', 'ECv2SigningOnly'].map((protocolVersion) => ({
      keyValue: spkiOf(root.publicKey),
      protocolVersion,
      keyExpiration: String(now + 10 * DAY),
    })),
  },
};

export const deviceCard = {
  messageId: 'message-1',
  messageExpiration: String(now + DAY),
  gatewayMerchantId: 'shop-1',
  paymentMethod: 'CARD',
  paymentMethodDetails: {
    authMethod: 'CRYPTOGRAM_3DS',
    pan: '4761739001010010',
    expirationMonth: 1,
    expirationYear: 2031,
    cryptogram: 'AK+zkbPMCORcABCD3AGRAoACFA==',
    eciIndicator: '05',
    assuranceDetails: { cardHolderAuthenticated: false, accountVerified: true },
  },
};

type GoogleTokenOptions = {
  version?: Version;
  recipientId?: string;
  keyExpiration?: number;
  message?: unknown;
  by?: KeyObject;
};

const signature = (key: KeyObject, ...texts: string[]): string =>
  sign('sha256', signedBytes(...texts), key).toString('base64');

/** A token for the settings above by default. */
export const googleToken = (options: GoogleTokenOptions = {}) => {
  const { version = 'ECv2', recipientId = settings.recipientId, message = deviceCard } = options;
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const signedMessage = version === 'ECv2SigningOnly' ? text : seal(text, version);
  const signer = version === 'ECv1' ? root.privateKey : intermediate.privateKey;
  const token = {
    protocolVersion: version,
    signature: signature(signer, 'Google', recipientId, version, signedMessage),
    signedMessage,
  };
  if (version === 'ECv1') return token;
  const signedKey = JSON.stringify({
    keyValue: spkiOf(intermediate.publicKey),
    keyExpiration: String(options.keyExpiration ?? now + DAY),
  });
  const signatures = [signature(options.by ?? root.privateKey, 'Google', version, signedKey)];
  return { ...token, intermediateSigningKey: { signedKey, signatures } };
};

const seal = (text: string, version: 'ECv1' | 'ECv2'): string => {
  const ephemeral = keyPair();
  const point = ephemeral.publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  const secret = sharedSecret(ephemeral.privateKey, createPublicKey(merchant.privateKey));
  const { aesKey, macKey } = messageKeys(secret, point, version);
  const cipher = createCipheriv(version === 'ECv1' ? 'aes-128-ctr' : 'aes-256-ctr', aesKey, new Uint8Array(16));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return JSON.stringify({
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: createHmac('sha256', macKey).update(encrypted).digest('base64'),
  });
};
