/** The wallets of a channel in a configuration: settings that could open no token are reported at the start. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import * as z from 'zod';
import { readTextFile } from '../../base/files.ts';
import { merchantIdHash, merchantIdHashIn } from './apple/token.ts';
import type { ApplePaySettings, GooglePaySettings, GoogleRootKeys, SamsungPaySettings } from './settings.ts';

// Keys and certificates in a configuration: PEM texts, or the files that contain them, read when the gateway starts.

/** Far more than any key. */
const LENGTH_MAX = 64 * 1024;

type Found = { text: string } | { why: string };

/**
 * The text itself if it is one, otherwise that of the file with this name. Error messages never contain the given text.
 */
const readTextOrFile = (input: string, isText: (value: string) => boolean): Found => {
  if (isText(input)) return { text: input };
  try {
    const text = readTextFile(input);
    if (text.length > LENGTH_MAX) return { why: 'names a file that is too long' };
    return isText(text) ? { text } : { why: 'names a file without such a text' };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { why: code === 'ENOENT' ? 'must be a PEM text or a file, and there is no such file' : 'cannot be read' };
  }
};

/** A shape whose value is the PEM text; `whyNot` returns its error. */
const pem = (label: RegExp, whyNot: (text: string) => string | undefined) =>
  z.string('must be a PEM text or a file').transform((input, context) => {
    const content = readTextOrFile(input, (text) => label.test(text));
    const reason = 'why' in content ? content.why : whyNot(content.text);
    if (reason === undefined && 'text' in content) return content.text;
    context.addIssue({ code: 'custom', message: reason ?? 'cannot be read' });
    return z.NEVER;
  });

const keyShape = (wants: string, isFitting: (key: KeyObject) => boolean) =>
  pem(/-----BEGIN [A-Z ]*PRIVATE KEY-----/, (text) => {
    if (/ENCRYPTED/.test(text)) return 'is protected by a passphrase: remove it, and protect the file instead';
    try {
      return isFitting(createPrivateKey(text)) ? undefined : `must be a private key of ${wants}`;
    } catch {
      return 'is a damaged private key';
    }
  });

const isP256 = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';

const isRsa = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;

const p256Key = keyShape('the curve P-256', isP256);
const rsaKey = keyShape('RSA with 2048 bits or more', isRsa);
const p256OrRsaKey = keyShape('the curve P-256, or of RSA with 2048 bits or more', (key) => {
  return isP256(key) || isRsa(key);
});

const certificate = pem(/-----BEGIN CERTIFICATE-----/, (text) => {
  try {
    new X509Certificate(text);
    return undefined;
  } catch {
    return 'is a damaged certificate';
  }
});

const publicKeyOrCertificate = pem(/-----BEGIN (CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY)-----/, (text) => {
  try {
    createPublicKey(text);
    return undefined;
  } catch {
    return 'is a damaged public key or certificate';
  }
});

const listOf = <T extends z.ZodType>(each: T) =>
  z.array(each, 'must be a list').min(1, 'must not be empty').max(10, 'must be 10 or fewer');

const MINUTE = 60_000;

const applePay = z
  .strictObject({
    merchantId: z
      .string('must be a merchant id')
      .regex(/^[\w.-]{1,255}$/, 'must be an id such as merchant.com.example'),
    keys: listOf(z.strictObject({ privateKey: p256OrRsaKey, certificate: certificate.exactOptional() })),
    rootCertificates: listOf(certificate).exactOptional(),
    maxAgeMs: z
      .int('must be whole milliseconds')
      .min(MINUTE, 'must be 60000 or more')
      .max(24 * 60 * MINUTE, 'must be 86400000 or less')
      .exactOptional(),
  })
  .superRefine(({ merchantId, keys }, context) => {
    keys.forEach(({ privateKey, certificate: pem }, i) => {
      const reason = pem === undefined ? undefined : mismatchReason(pem, { privateKey, merchantId });
      if (reason !== undefined) context.addIssue({ code: 'custom', path: ['keys', i, 'certificate'], message: reason });
    });
  }) satisfies z.ZodType<ApplePaySettings>;

/** A certificate is not needed to open a token; if given, it must belong to this key and this merchant. */
const mismatchReason = (pem: string, { privateKey, merchantId }: { privateKey: string; merchantId: string }) => {
  if (!new X509Certificate(pem).checkPrivateKey(createPrivateKey(privateKey))) {
    return 'is not the certificate of this private key';
  }
  const hash = merchantIdHashIn(pem);
  if (hash === undefined) return 'is not a payment processing certificate of Apple';
  return hash.equals(merchantIdHash(merchantId)) ? undefined : 'is the certificate of another merchantId';
};

const rootKeySet = z.object(
  {
    keys: z
      .array(
        z.object({
          keyValue: z.string('must be base64').regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64'),
          protocolVersion: z.string('must be a protocol version'),
          keyExpiration: z
            .string('must be digits')
            .regex(/^\d{1,15}$/, 'must be digits')
            .exactOptional(),
        }),
        'must be a list',
      )
      .min(1, 'must not be empty'),
  },
  'must be Google’s published keys, or the file that holds them',
) satisfies z.ZodType<GoogleRootKeys>;

/** The file as Google publishes it, or its content. */
const rootKeys = z.preprocess((input, context) => {
  if (typeof input !== 'string') return input;
  const content = readTextOrFile(input, (text) => text.trimStart().startsWith('{'));
  try {
    if ('text' in content) return JSON.parse(content.text);
  } catch {
    // Reported below: the parser's own message would quote the file.
  }
  context.addIssue({ code: 'custom', message: 'why' in content ? rootKeyWords(content.why) : 'is not JSON' });
  return z.NEVER;
}, rootKeySet);

const rootKeyWords = (why: string): string => why.replace('a PEM text or a file', 'Google’s published keys or a file');

const googlePay = z
  .strictObject({
    environment: z.enum(['TEST', 'PRODUCTION'], 'must be TEST or PRODUCTION'),
    recipientId: z
      .string('must be merchant: or gateway: and an id')
      .regex(/^(merchant|gateway):[\w.-]{1,100}$/, 'must be merchant: or gateway: and an id'),
    gatewayMerchantId: z.string('must be an id').min(1, 'must not be empty').max(255).exactOptional(),
    privateKeys: listOf(p256Key),
    rootKeys: rootKeys.exactOptional(),
  })
  .superRefine(({ environment, recipientId, gatewayMerchantId, rootKeys: roots }, context) => {
    if (environment === 'PRODUCTION' && roots === undefined) {
      const keysUrl = 'https://payments.developers.google.com/paymentmethodtoken/keys.json';
      context.addIssue({
        code: 'custom',
        path: ['rootKeys'],
        message: `is missing: save ${keysUrl} and name the file`,
      });
    }
    if (recipientId.startsWith('gateway:') && gatewayMerchantId === undefined) {
      const message = 'is missing: without it a token for any merchant of this gateway would be accepted';
      context.addIssue({ code: 'custom', path: ['gatewayMerchantId'], message });
    }
  }) satisfies z.ZodType<GooglePaySettings>;

const samsungPay = z.strictObject({
  privateKeys: listOf(rsaKey),
  signingKeys: listOf(publicKeyOrCertificate).exactOptional(),
}) satisfies z.ZodType<SamsungPaySettings>;

/** WalletSettings in JSON, optionally with files in place of keys. */
export const walletsShape = z.strictObject({
  applePay: applePay.exactOptional(),
  googlePay: googlePay.exactOptional(),
  samsungPay: samsungPay.exactOptional(),
});
