/**
 * The till's secrets: a file beside till.json that only its owner can read. Only a till with an empty journal gets new
 * ones.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Fault } from '../../base/fault.ts';
import { readTextFile } from '../../base/files.ts';
import { fromHex, toHex } from '../../base/hex.ts';
import type { Random } from '../../base/ids.ts';
import { hasJournal, journalFile } from '../config.ts';
import { readChecked, readJson, replaceJson } from '../json-file.ts';
import { liveFolder } from '../till-exists.ts';
import { parsedKnown, type UnknownKey, unknownIn, writable } from '../unknown-keys.ts';
import { removeKeyFile } from './key-file.ts';

const secretsFile = (folder: string): string => join(folder, 'till.secrets.json');

const secretsShape = z.strictObject({
  /** The access token of this till's channel. */
  token: z.string().min(8),
  /** Hex, 32 bytes: wraps the data keys of the queue. */
  tillKey: z.string().regex(/^[0-9A-F]{64}$/),
  /** Hex, 32 bytes: the private key of the till's signatures. An older file without one gets one. */
  signingKey: z
    .string()
    .regex(/^[0-9A-F]{64}$/)
    .optional(),
  /** The bundled gateway's access token at its processor. */
  upstreamToken: z.string().min(8).max(512).optional(),
  /**
   * Hex, 32 bytes: the pepper of PINs when people were taken over from another till. Otherwise it is derived from
   * tillKey.
   */
  staffPepper: z
    .string()
    .regex(/^[0-9A-F]{64}$/)
    .optional(),
});

/** Secrets besides the keys, which each till has of its own. */
export type ConfiguredSecrets = { token?: string; upstreamToken?: string; staffPepper?: Uint8Array };

export type Secrets = ConfiguredSecrets & {
  token: string;
  tillKey: Uint8Array;
  signingKey: Uint8Array;
  /** Unknown keys in the file, by name. */
  unknown: readonly UnknownKey[];
};

/** A folder with secrets has had a journal: a till that forgot its sales would reuse its receipt numbers. */
export const refuseLostJournal = (folder: string): void => {
  if (existsSync(secretsFile(folder)) && !hasJournal(folder)) {
    throw new Fault('journal.gone', { path: journalFile(folder) });
  }
};

type SecretsOptions = {
  random: Random;
  isNew: boolean;
  /** The values for new secrets. */
  newValues?: ConfiguredSecrets;
  /** From this machine's key store, 32 bytes: the file is sealed with it, and becomes sealed if it was not. */
  sealKey?: Uint8Array | undefined;
};

/**
 * Reads the secrets. Only a till with an empty journal gets new ones. Throws `secrets.gone`, and `secrets.sealed` for a
 * sealed file without its key.
 */
export const loadSecrets = (folder: string, { random, isNew, newValues = {}, sealKey }: SecretsOptions): Secrets => {
  const file = secretsFile(folder);
  if (!existsSync(file) && !isNew) throw new Fault('secrets.gone', { path: file });
  const saved = existsSync(file) ? readJson(file) : undefined;
  const secrets = readChecked(file, secretsShape, () => {
    if (saved === undefined) return createSecrets(newValues, random);
    return isSealed(saved) ? openSecrets(saved, sealKey, file) : saved;
  });
  const { token, tillKey, signingKey = toHex(random(32)), upstreamToken, staffPepper } = secrets;
  const complete = { ...secrets, signingKey };
  const isUpToDate =
    saved !== undefined && secrets.signingKey !== undefined && isSealed(saved) === (sealKey !== undefined);
  if (!isUpToDate) replaceJson(file, sealKey === undefined ? complete : sealSecrets(complete, sealKey, random));
  return {
    token,
    tillKey: fromHex(tillKey),
    signingKey: fromHex(signingKey),
    unknown: unknownIn(secrets),
    upstreamToken,
    staffPepper: staffPepper === undefined ? undefined : fromHex(staffPepper),
  };
};

const createSecrets = (
  { token, upstreamToken, staffPepper }: ConfiguredSecrets,
  random: Random,
): z.output<typeof secretsShape> => ({
  token: token ?? Buffer.from(random(24)).toString('base64url'),
  tillKey: toHex(random(32)),
  upstreamToken,
  staffPepper: staffPepper && toHex(staffPepper),
});

/** The secrets of a folder whose till cannot or need not start: a dead one, or before its journal is open. */
export const readSecrets = (folder: string, sealKey?: Uint8Array): z.output<typeof secretsShape> | undefined => {
  const file = secretsFile(folder);
  try {
    const stored: unknown = JSON.parse(readTextFile(file));
    return parsedKnown(secretsShape, isSealed(stored) ? openSecrets(stored, sealKey, file) : stored);
  } catch {
    return undefined;
  }
};

/** Whether this folder has sealed secrets. Throws `config.malformed` for an invalid file. */
export const areSealed = (folder: string): boolean => {
  const file = secretsFile(folder);
  return existsSync(file) && isSealed(readJson(file));
};

/**
 * Removes the seal from the secrets file, with the key from the recovery code. Throws `secrets.sealed`,
 * `folder.unusable`.
 */
export const unsealSecrets = (folder: string, sealKey: Uint8Array): void => {
  const file = secretsFile(folder);
  const stored = readJson(file);
  if (isSealed(stored))
    replaceJson(
      file,
      readChecked(file, secretsShape, () => openSecrets(stored, sealKey, file)),
    );
};

// Seals a till's secrets with a key from this machine's key store: a copy of the file then reveals nothing. AES-256-GCM
// over the file's text.

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9A-F]{${2 * bytes}}$`));

/** A newer version may have added fields. */
const shape = z.looseObject({
  sealed: z.looseObject({ iv: hex(12), text: z.string().regex(/^([0-9A-F]{2})+$/), tag: hex(16) }),
});

export type SealedSecrets = z.output<typeof shape>;

const isSealed = (value: unknown): value is SealedSecrets => shape.safeParse(value).success;

/** `key`: 32 bytes. */
const sealSecrets = (value: unknown, key: Uint8Array, random: Random): SealedSecrets => {
  const iv = random(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(writable(value)), 'utf8'), cipher.final()]);
  return { sealed: { iv: toHex(iv), text: toHex(text), tag: toHex(cipher.getAuthTag()) } };
};

/** Throws `secrets.sealed` without a key, or with a wrong one. `file` is named in the fault. */
const openSecrets = ({ sealed }: SealedSecrets, key: Uint8Array | undefined, file: string): unknown => {
  if (key === undefined) throw new Fault('secrets.sealed', { file });
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, fromHex(sealed.iv));
    decipher.setAuthTag(fromHex(sealed.tag));
    return JSON.parse(Buffer.concat([decipher.update(fromHex(sealed.text)), decipher.final()]).toString('utf8'));
  } catch (error) {
    throw new Fault('secrets.sealed', { file }, error);
  }
};

// The secrets of a data folder whose key store is gone: its test till, live till and training till are sealed with the
// same key, and are unsealed together.

const sealedIn = (dataDir: string): string[] => {
  const live = liveFolder(dataDir);
  return [dataDir, join(dataDir, 'training'), live, join(live, 'training')].filter(areSealed);
};

/** Whether the key is still needed for anything in the data folder. */
export const isAnySealed = (dataDir: string): boolean => sealedIn(dataDir).length > 0;

/**
 * Removes the seal from all of them, and then deletes the key file. If interrupted, it can be run again: that file
 * stays until nothing is sealed. Throws `secrets.sealed` for a wrong key, and the file system's errors.
 */
export const releaseSecrets = (dataDir: string, key: Uint8Array): void => {
  for (const folder of sealedIn(dataDir)) unsealSecrets(folder, key);
  removeKeyFile(dataDir);
};
