/**
 * `till.key.json` of a till that runs in its own window: the key that seals the till's secrets, once wrapped by the
 * machine's key store and once encrypted with the recovery code.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { errorText, Fault } from '../../base/fault.ts';
import { readTextFile, replaceFile } from '../../base/files.ts';
import { fromHex, toHex } from '../../base/hex.ts';
import type { Random } from '../../base/ids.ts';
import { type StretchCost, stretch } from '../../base/stretch.ts';

// The recovery code of a till's key, which a shop writes down once in case the machine's key store is lost: 26 letters
// and digits of Crockford's Base32, 130 bits, in groups of five. I, L and O are read as 1 and 0.

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = 26;
/** The code itself has 130 bits; stretching only makes two files of one code look different. */
export const recoveryStretchCost: StretchCost = 2 ** 14;

export const createCode = (random: Random): string =>
  [...random(CHARACTERS)]
    .map((byte) => ALPHABET[byte % 32])
    .join('')
    .replace(/(.{5})(?=.)/g, '$1-');

/** The code that was typed. Undefined when it cannot be one. */
export const parseCode = (input: string): string | undefined => {
  const read = input.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0');
  return read.length === CHARACTERS && [...read].every((one) => ALPHABET.includes(one)) ? read : undefined;
};

export type SealedKey = { salt: string; iv: string; sealed: string; tag: string };

const deriveKey = (code: string, salt: Uint8Array, cost: StretchCost): Promise<Uint8Array> =>
  stretch(parseCode(code) ?? '', salt, cost);

/** Encrypts the key with the code, AES-256-GCM. */
export const sealUnder = async (
  code: string,
  key: Uint8Array,
  { random, stretchCost }: { random: Random; stretchCost: StretchCost },
): Promise<SealedKey> => {
  const [salt, iv] = [random(16), random(12)];
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(code, salt, stretchCost), iv);
  const sealed = Buffer.concat([cipher.update(key), cipher.final()]);
  return { salt: toHex(salt), iv: toHex(iv), sealed: toHex(sealed), tag: toHex(cipher.getAuthTag()) };
};

/** Returns the key. Undefined when the code is wrong, or the file was changed. */
export const openWith = async (
  code: string,
  sealed: SealedKey,
  stretchCost: StretchCost,
): Promise<Uint8Array | undefined> => {
  try {
    const key = await deriveKey(code, fromHex(sealed.salt), stretchCost);
    const decipher = createDecipheriv('aes-256-gcm', key, fromHex(sealed.iv));
    decipher.setAuthTag(fromHex(sealed.tag));
    return Buffer.concat([decipher.update(fromHex(sealed.sealed)), decipher.final()]);
  } catch {
    return undefined;
  }
};

const hex = z.string().regex(/^([0-9A-F]{2})+$/);

/** A newer version may have added fields. */
const shape = z.looseObject({
  version: z.literal(1),
  /** The key as wrapped by the machine's key store, base64. */
  machine: z.string().min(1),
  recovery: z.looseObject({ salt: hex, iv: hex, sealed: hex, tag: hex }),
});

type KeyFile = z.output<typeof shape>;

const fileIn = (folder: string): string => join(folder, 'till.key.json');

/** Undefined if there is none. Throws `config.malformed` for an unreadable file. */
export const readKeyFile = (folder: string): KeyFile | undefined => {
  const file = fileIn(folder);
  if (!existsSync(file)) return undefined;
  try {
    return shape.parse(JSON.parse(readTextFile(file)));
  } catch (error) {
    throw new Fault('config.malformed', { file, why: errorText(error) }, error);
  }
};

/** Completely or not at all; only its owner can read it. */
export const writeKeyFile = (folder: string, value: KeyFile): void => {
  const file = fileIn(folder);
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  replaceFile(`${file}.new`, file);
};

/** Deletes the file once the till's secrets are no longer sealed with a key of a key store. */
export const removeKeyFile = (folder: string): void => rmSync(fileIn(folder), { force: true });

/** The key for a typed recovery code. Undefined when it is not this till's. Throws as `readKeyFile`. */
export const keyByCode = async (
  folder: string,
  input: string,
  stretchCost: StretchCost,
): Promise<Uint8Array | undefined> => {
  const stored = readKeyFile(folder);
  return stored === undefined ? undefined : openWith(input, stored.recovery, stretchCost);
};
