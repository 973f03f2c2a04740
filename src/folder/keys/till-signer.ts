/** The till's own signature: under the seals of its journal, and under what it states elsewhere. */
import { createHmac } from 'node:crypto';
import { Fault } from '../../base/fault.ts';
import { fromHex } from '../../base/hex.ts';
import type { Journal } from '../../journal/journal.ts';
import { isSigned, signerOf } from '../../journal/signing.ts';
import { readSecrets } from './secrets.ts';

export type TillSigner = {
  /** 16 hex digits. */
  readonly keyId: string;
  /** 32 bytes, base64url: it stands in the journal's first seal. */
  readonly publicKey: string;
  /** 64 bytes, base64url. What is signed here can never pass for a seal. */
  sign(bytes: Uint8Array): string;
};

/** `signingKey` is the private key in till.secrets.json, 32 bytes. */
export const tillSigner = (signingKey: Uint8Array): TillSigner => {
  const { keyId, publicKey, sign } = signerOf(signingKey);
  return { keyId, publicKey, sign: (bytes) => sign('statement', bytes) };
};

/** Whether the till with this public key signed these bytes by `TillSigner.sign`. */
export const isSignedByTill = (publicKey: string, bytes: Uint8Array, signature: string): boolean =>
  isSigned({ purpose: 'statement', publicKey, bytes, signature });

/** The public key of the till of this folder; undefined when it has none yet, or its secrets are gone, or sealed. */
export const publicKeyOf = (folder: string, sealKey?: Uint8Array): string | undefined => {
  const key = readSecrets(folder, sealKey)?.signingKey;
  return key === undefined ? undefined : signerOf(fromHex(key)).publicKey;
};

// Whether the till's key is the one its stored sales were sealed under: told before one of them is tried.

/** Remembers the key's check value on the first start. Throws `secrets.gone` when it is another key now. */
export const proveKey = ({ sql }: Journal, tillKey: Uint8Array, path: string): void => {
  sql.run(
    'CREATE TABLE IF NOT EXISTS till_key (only INTEGER PRIMARY KEY CHECK (only = 1), check_value TEXT NOT NULL) STRICT',
  );
  const value = createHmac('sha256', tillKey).update('tillgate till key check').digest('hex').slice(0, 16);
  const known = sql.get('SELECT check_value AS value FROM till_key')?.['value'];
  if (known === undefined) sql.run('INSERT INTO till_key (only, check_value) VALUES (1, ?)', value);
  else if (known !== value) throw new Fault('secrets.gone', { path });
};
