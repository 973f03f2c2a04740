/**
 * Encrypts what must be kept for forwarding: each record under a data key of its own, wrapped by the till's key.
 * Destroying the wrapped key makes the record unreadable for ever, wherever copies of it are.
 */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { Fault } from '../base/fault.ts';
import { concat } from '../base/hex.ts';
import type { Random } from '../base/ids.ts';

const KEY = 32;
const NONCE = 12;
const TAG = 16;

type Sealed = { readonly sealed: Uint8Array; readonly wrapped: Uint8Array };

export interface Sealer {
  seal(id: string, text: string): Sealed;
  /** Throws `seal.broken` when the record, its key or its id was changed, or the till's key differs. */
  open(id: string, record: Sealed): string;
}

/** `tillKey` is 32 bytes. The record's id is authenticated too: records cannot be swapped. */
export const sealer = (tillKey: Uint8Array, random: Random): Sealer => {
  const wrapping = createSecretKey(tillKey);
  return {
    seal(id, text) {
      // Drawn in one call: a call of the system's generator costs as much as the encryption.
      const randomPool = random(KEY + NONCE + NONCE);
      const dataKey = randomPool.subarray(0, KEY);
      const record = {
        sealed: encrypt({ key: dataKey, nonce: randomPool.subarray(KEY, KEY + NONCE), id }, Buffer.from(text, 'utf8')),
        wrapped: encrypt({ key: wrapping, nonce: randomPool.subarray(KEY + NONCE), id }, dataKey),
      };
      dataKey.fill(0);
      return record;
    },
    open(id, { sealed, wrapped }) {
      try {
        const dataKey = decrypt({ key: wrapping, id }, wrapped);
        const text = Buffer.from(decrypt({ key: dataKey, id }, sealed)).toString('utf8');
        dataKey.fill(0);
        return text;
      } catch (error) {
        throw new Fault('seal.broken', { id }, error);
      }
    },
  };
};

/** nonce ‖ ciphertext ‖ tag, AES-256-GCM. */
const encrypt = (
  { key, nonce, id }: { key: Uint8Array | KeyObject; nonce: Uint8Array; id: string },
  plain: Uint8Array,
): Uint8Array => {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(Buffer.from(id));
  return concat(nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag());
};

const decrypt = ({ key, id }: { key: Uint8Array | KeyObject; id: string }, whole: Uint8Array): Uint8Array => {
  const cipher = createDecipheriv('aes-256-gcm', key, whole.subarray(0, NONCE), { authTagLength: TAG });
  cipher.setAAD(Buffer.from(id)).setAuthTag(whole.subarray(-TAG));
  return concat(cipher.update(whole.subarray(NONCE, -TAG)), cipher.final());
};
