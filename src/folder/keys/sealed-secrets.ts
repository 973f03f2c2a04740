/**
 * A till's secrets under a key that this machine's key store holds: where the till runs in its own window, its file
 * says nothing to whoever copies it. AES-256-GCM over the file's text.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import * as z from 'zod';
import { Fault } from '../../base/fault.ts';
import { fromHex, toHex } from '../../base/hex.ts';
import type { Random } from '../../base/ids.ts';
import { writable } from '../unknown-keys.ts';

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9A-F]{${2 * bytes}}$`));

/** A newer version may have written more beside what opens it. */
const shape = z.looseObject({
  sealed: z.looseObject({ iv: hex(12), text: z.string().regex(/^([0-9A-F]{2})+$/), tag: hex(16) }),
});

export type SealedSecrets = z.output<typeof shape>;

export const isSealed = (value: unknown): value is SealedSecrets => shape.safeParse(value).success;

/** `key`: 32 bytes. */
export const sealSecrets = (value: unknown, key: Uint8Array, random: Random): SealedSecrets => {
  const iv = random(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(writable(value)), 'utf8'), cipher.final()]);
  return { sealed: { iv: toHex(iv), text: toHex(text), tag: toHex(cipher.getAuthTag()) } };
};

/** Throws `secrets.sealed` without a key, or with one that does not fit. `file` is named in its words. */
export const openSecrets = ({ sealed }: SealedSecrets, key: Uint8Array | undefined, file: string): unknown => {
  if (key === undefined) throw new Fault('secrets.sealed', { file });
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, fromHex(sealed.iv));
    decipher.setAuthTag(fromHex(sealed.tag));
    return JSON.parse(Buffer.concat([decipher.update(fromHex(sealed.text)), decipher.final()]).toString('utf8'));
  } catch (error) {
    throw new Fault('secrets.sealed', { file }, error);
  }
};
