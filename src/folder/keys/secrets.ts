/** The till's secrets: a file beside till.json that nobody else may read. Only a till without a past gets new ones. */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Fault } from '../../base/fault.ts';
import { readTextFile } from '../../base/files.ts';
import { fromHex, toHex } from '../../base/hex.ts';
import type { Random } from '../../base/ids.ts';
import { hasJournal, journalFile } from '../config.ts';
import { checkedAs, readJson, saveWhole } from '../kept-file.ts';
import { liveFolder } from '../till-begun.ts';
import { parsedKnown, type UnknownKey, unknownIn, writable } from '../unknown-keys.ts';
import { removeKeyFile } from './key-file.ts';

const secretsFile = (folder: string): string => join(folder, 'till.secrets.json');

const secretsShape = z.strictObject({
  /** The access token of this till's channel. */
  token: z.string().min(8),
  /** Hex, 32 bytes: wraps the data keys of the queue. */
  tillKey: z.string().regex(/^[0-9A-F]{64}$/),
  /** Hex, 32 bytes: the private key of the till's signatures. A file from before there were any gets one. */
  signingKey: z
    .string()
    .regex(/^[0-9A-F]{64}$/)
    .optional(),
  /** The access token of the gateway in the box at its processor. */
  upstreamToken: z.string().min(8).max(512).optional(),
  /** Hex, 32 bytes: what PINs are kept under where people came from another till. Else it follows from tillKey. */
  staffPepper: z
    .string()
    .regex(/^[0-9A-F]{64}$/)
    .optional(),
});

/** Beside the keys, which each till has of its own. */
export type ConfiguredSecrets = { token?: string; upstreamToken?: string; staffPepper?: Uint8Array };

export type Secrets = ConfiguredSecrets & {
  token: string;
  tillKey: Uint8Array;
  signingKey: Uint8Array;
  /** What this version does not know of the file, by name. */
  unknown: readonly UnknownKey[];
};

/** Whoever has secrets has had a journal: a till that forgot its sales would begin its receipts anew, and double. */
export const refuseLostJournal = (folder: string): void => {
  if (existsSync(secretsFile(folder)) && !hasJournal(folder)) {
    throw new Fault('journal.gone', { path: journalFile(folder) });
  }
};

type SecretsWish = {
  random: Random;
  isNew: boolean;
  /** What new secrets begin with. */
  given?: ConfiguredSecrets;
  /** From this machine's key store, 32 bytes: the file lies sealed under it, and is sealed if it was not. */
  sealKey?: Uint8Array | undefined;
};

/**
 * Reads the secrets. Only a till whose journal is still empty gets new ones. Throws `secrets.gone`, and
 * `secrets.sealed` for a file that lies under a key that is not given.
 */
export const loadSecrets = (folder: string, { random, isNew, given = {}, sealKey }: SecretsWish): Secrets => {
  const file = secretsFile(folder);
  if (!existsSync(file) && !isNew) throw new Fault('secrets.gone', { path: file });
  const kept = existsSync(file) ? readJson(file) : undefined;
  const secrets = checkedAs(file, secretsShape, () => {
    if (kept === undefined) return fresh(given, random);
    return isSealed(kept) ? openSecrets(kept, sealKey, file) : kept;
  });
  const { token, tillKey, signingKey = toHex(random(32)), upstreamToken, staffPepper } = secrets;
  const whole = { ...secrets, signingKey };
  const isKept = kept !== undefined && secrets.signingKey !== undefined && isSealed(kept) === (sealKey !== undefined);
  if (!isKept) saveWhole(file, sealKey === undefined ? whole : sealSecrets(whole, sealKey, random));
  return {
    token,
    tillKey: fromHex(tillKey),
    signingKey: fromHex(signingKey),
    unknown: unknownIn(secrets),
    upstreamToken,
    staffPepper: staffPepper === undefined ? undefined : fromHex(staffPepper),
  };
};

const fresh = (
  { token, upstreamToken, staffPepper }: ConfiguredSecrets,
  random: Random,
): z.output<typeof secretsShape> => ({
  token: token ?? Buffer.from(random(24)).toString('base64url'),
  tillKey: toHex(random(32)),
  upstreamToken,
  staffPepper: staffPepper && toHex(staffPepper),
});

/** The secrets of a folder whose till need not be able to start: of a dead one, or before its journal is open. */
export const readSecrets = (folder: string, sealKey?: Uint8Array): z.output<typeof secretsShape> | undefined => {
  const file = secretsFile(folder);
  try {
    const kept: unknown = JSON.parse(readTextFile(file));
    return parsedKnown(secretsShape, isSealed(kept) ? openSecrets(kept, sealKey, file) : kept);
  } catch {
    return undefined;
  }
};

/** Whether this folder has secrets that only a key opens. Throws `config.malformed` for a file that is none. */
export const areSealed = (folder: string): boolean => {
  const file = secretsFile(folder);
  return existsSync(file) && isSealed(readJson(file));
};

/** Takes the seal off the secrets' file, by the recovery code's key. Throws `secrets.sealed`, `folder.unusable`. */
export const unsealSecrets = (folder: string, sealKey: Uint8Array): void => {
  const file = secretsFile(folder);
  const kept = readJson(file);
  if (isSealed(kept))
    saveWhole(
      file,
      checkedAs(file, secretsShape, () => openSecrets(kept, sealKey, file)),
    );
};

// A till's secrets under a key that this machine's key store holds: where the till runs in its own window, its file
// says nothing to whoever copies it. AES-256-GCM over the file's text.

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9A-F]{${2 * bytes}}$`));

/** A newer version may have written more beside what opens it. */
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

/** Throws `secrets.sealed` without a key, or with one that does not fit. `file` is named in its words. */
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

// The secrets of a data folder that no key store keeps any more: those of its test till, its live till and their
// training lie sealed under one key, and are opened together.

const sealedIn = (dataDir: string): string[] => {
  const live = liveFolder(dataDir);
  return [dataDir, join(dataDir, 'training'), live, join(live, 'training')].filter(areSealed);
};

/** Whether the key is still needed for anything in the data folder. */
export const isAnySealed = (dataDir: string): boolean => sealedIn(dataDir).length > 0;

/**
 * Takes the seal off all of them, and then the key's file away. Cut short, it goes on where it was: that file stays
 * until nothing is sealed. Throws `secrets.sealed` for another key, and what the disk throws.
 */
export const releaseSecrets = (dataDir: string, key: Uint8Array): void => {
  for (const folder of sealedIn(dataDir)) unsealSecrets(folder, key);
  removeKeyFile(dataDir);
};
