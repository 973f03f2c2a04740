/**
 * The recovery code of a till's key: what a shop writes down once, for the day the machine's key store is gone.
 * 26 letters and digits of Crockford's Base32, 130 bits, in groups of five; I, L and O are read as 1 and 0.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { fromHex, toHex } from '../../base/hex.ts';
import type { Random } from '../../base/ids.ts';
import { type StretchCost, stretch } from '../../base/stretch.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = 26;
/** The code has 130 bits of its own: this only keeps two files of one code from looking alike. */
export const recoveryStretchCost: StretchCost = 2 ** 14;

export const newCode = (random: Random): string =>
  [...random(CHARACTERS)]
    .map((byte) => ALPHABET[byte % 32])
    .join('')
    .replace(/(.{5})(?=.)/g, '$1-');

/** What was typed, as the code it may be; undefined when it can be none. */
export const codeIn = (typed: string): string | undefined => {
  const read = typed.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0');
  return read.length === CHARACTERS && [...read].every((one) => ALPHABET.includes(one)) ? read : undefined;
};

export type SealedKey = { salt: string; iv: string; sealed: string; tag: string };

const derived = (code: string, salt: Uint8Array, cost: StretchCost): Promise<Uint8Array> =>
  stretch(codeIn(code) ?? '', salt, cost);

/** The key under the code, AES-256-GCM. */
export const sealUnder = async (
  code: string,
  key: Uint8Array,
  { random, stretchCost }: { random: Random; stretchCost: StretchCost },
): Promise<SealedKey> => {
  const [salt, iv] = [random(16), random(12)];
  const cipher = createCipheriv('aes-256-gcm', await derived(code, salt, stretchCost), iv);
  const sealed = Buffer.concat([cipher.update(key), cipher.final()]);
  return { salt: toHex(salt), iv: toHex(iv), sealed: toHex(sealed), tag: toHex(cipher.getAuthTag()) };
};

/** The key; undefined when the code is another one, or the file was changed. */
export const openWith = async (
  code: string,
  sealed: SealedKey,
  stretchCost: StretchCost,
): Promise<Uint8Array | undefined> => {
  try {
    const key = await derived(code, fromHex(sealed.salt), stretchCost);
    const decipher = createDecipheriv('aes-256-gcm', key, fromHex(sealed.iv));
    decipher.setAuthTag(fromHex(sealed.tag));
    return Buffer.concat([decipher.update(fromHex(sealed.sealed)), decipher.final()]);
  } catch {
    return undefined;
  }
};
