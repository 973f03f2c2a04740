/** Keys and certificates in a configuration: PEM texts, or the files that hold them, read when the gateway starts. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import * as z from 'zod';
import { readTextFile } from '../../base/text-file.ts';

/** Far more than any key. */
const LENGTH_MAX = 64 * 1024;

type Found = { text: string } | { why: string };

/** The text itself where it is one, else that of the file of this name. The words never hold what was given. */
export const textOrFile = (given: string, isText: (given: string) => boolean): Found => {
  if (isText(given)) return { text: given };
  try {
    const text = readTextFile(given);
    if (text.length > LENGTH_MAX) return { why: 'names a file that is too long' };
    return isText(text) ? { text } : { why: 'names a file that holds nothing of the kind' };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { why: code === 'ENOENT' ? 'must be a PEM text or a file, and there is no such file' : 'cannot be read' };
  }
};

/** A shape whose value is the PEM text; `whyNot` says what is wrong with it. */
const pem = (label: RegExp, whyNot: (text: string) => string | undefined) =>
  z.string('must be a PEM text or a file').transform((given, context) => {
    const found = textOrFile(given, (text) => label.test(text));
    const why = 'why' in found ? found.why : whyNot(found.text);
    if (why === undefined && 'text' in found) return found.text;
    context.addIssue({ code: 'custom', message: why ?? 'cannot be read' });
    return z.NEVER;
  });

const keyShape = (wants: string, fits: (key: KeyObject) => boolean) =>
  pem(/-----BEGIN [A-Z ]*PRIVATE KEY-----/, (text) => {
    if (/ENCRYPTED/.test(text)) return 'is protected by a passphrase: take it off, and protect the file';
    try {
      return fits(createPrivateKey(text)) ? undefined : `must be a private key of ${wants}`;
    } catch {
      return 'is a damaged private key';
    }
  });

const isP256 = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';

const isRsa = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;

export const p256Key = keyShape('the curve P-256', isP256);
export const rsaKey = keyShape('RSA with 2048 bits or more', isRsa);
export const p256OrRsaKey = keyShape('the curve P-256, or of RSA with 2048 bits or more', (key) => {
  return isP256(key) || isRsa(key);
});

export const certificate = pem(/-----BEGIN CERTIFICATE-----/, (text) => {
  try {
    new X509Certificate(text);
    return undefined;
  } catch {
    return 'is a damaged certificate';
  }
});

export const publicKeyOrCertificate = pem(/-----BEGIN (CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY)-----/, (text) => {
  try {
    createPublicKey(text);
    return undefined;
  } catch {
    return 'is a damaged public key or certificate';
  }
});
