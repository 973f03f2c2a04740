/** The till's signature, for the seals of its journal and for its other statements. */
import { createHmac } from 'node:crypto';
import { Fault } from '../../base/fault.ts';
import { fromHex } from '../../base/hex.ts';
import type { Journal } from '../../journal/journal.ts';
import { isSigned, signerOf } from '../../journal/signing.ts';
import { readSecrets } from './secrets.ts';

export type TillSigner = {
  /** 16 hex digits. */
  readonly keyId: string;
  /** 32 bytes, base64url: it is in the journal's first seal. */
  readonly publicKey: string;
  /** 64 bytes, base64url. A signature made here can never pass for a seal. */
  sign(bytes: Uint8Array): string;
};

/** `signingKey` is the private key in till.secrets.json, 32 bytes. */
export const tillSigner = (signingKey: Uint8Array): TillSigner => {
  const { keyId, publicKey, sign } = signerOf(signingKey);
  return { keyId, publicKey, sign: (bytes) => sign('statement', bytes) };
};

/** Whether the till with this public key signed these bytes with `TillSigner.sign`. */
export const isSignedByTill = (publicKey: string, bytes: Uint8Array, signature: string): boolean =>
  isSigned({ purpose: 'statement', publicKey, bytes, signature });

/** The public key of this folder's till. Undefined when it has none yet, or its secrets are missing or sealed. */
export const publicKeyOf = (folder: string, sealKey?: Uint8Array): string | undefined => {
  const key = readSecrets(folder, sealKey)?.signingKey;
  return key === undefined ? undefined : signerOf(fromHex(key)).publicKey;
};

// Checks that the till's key is the one that sealed its stored sales, before any of them is opened.

/** Stores the key's check value on the first start. Throws `secrets.gone` when the key has changed. */
export const proveKey = ({ sql }: Journal, tillKey: Uint8Array, path: string): void => {
  sql.run(
    'CREATE TABLE IF NOT EXISTS till_key (only INTEGER PRIMARY KEY CHECK (only = 1), check_value TEXT NOT NULL) STRICT',
  );
  const value = createHmac('sha256', tillKey).update('tillgate till key check').digest('hex').slice(0, 16);
  const known = sql.get('SELECT check_value AS value FROM till_key')?.['value'];
  if (known === undefined) sql.run('INSERT INTO till_key (only, check_value) VALUES (1, ?)', value);
  else if (known !== value) throw new Fault('secrets.gone', { path });
};
