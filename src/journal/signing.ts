/** Ed25519 signatures of the till: seals, statements, exports. All use one key, and the purpose keeps them apart. */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

/** The purpose of a signature. It is signed together with the bytes. */
export type Purpose = 'seal' | 'statement' | 'export';

export interface Signer {
  /** 16 hex digits: the beginning of the public key's SHA-256. */
  readonly keyId: string;
  /** 32 bytes, base64url. */
  readonly publicKey: string;
  /** 64 bytes, base64url. */
  sign(purpose: Purpose, bytes: Uint8Array): string;
}

/** `seed` is the private key, 32 bytes (RFC 8032). */
export const signerOf = (seed: Uint8Array): Signer => {
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  return {
    keyId: keyIdOf(publicKey.toString('base64url')),
    publicKey: publicKey.toString('base64url'),
    sign: (purpose, bytes) => sign(null, bytesToSign(purpose, bytes), key).toString('base64url'),
  };
};

type Signed = { purpose: Purpose; publicKey: string; bytes: Uint8Array; signature: string };

/** Whether this key signed these bytes for this purpose; false for an invalid key or signature. */
export const isSigned = ({ purpose, publicKey, bytes, signature }: Signed): boolean => {
  const raw = Buffer.from(publicKey, 'base64url');
  if (raw.length !== KEY_BYTES) return false;
  const key = createPublicKey({ key: Buffer.concat([PUBLIC, raw]), format: 'der', type: 'spki' });
  return verify(null, bytesToSign(purpose, bytes), key, Buffer.from(signature, 'base64url'));
};

export const keyIdOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').slice(0, 16);

const KEY_BYTES = 32;
/** The bytes before the key in PKCS #8 and SPKI (RFC 8410). */
const PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC = Buffer.from('302a300506032b6570032100', 'hex');

const bytesToSign = (purpose: Purpose, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`tillgate ${purpose} 1\n`), bytes]);
