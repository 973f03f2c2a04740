/**
 * The key of a till's secrets, from the key store of this login: Keychain, libsecret. Created at the first start. None
 * is created on Windows: there a till belongs to the counter, whoever is signed in, and the key store (DPAPI) to one
 * login. The machine's own store (ProtectedData, LocalMachine) opens for every program of the machine, unlike the
 * folder's permissions; and through PowerShell the key would pass through another program.
 */
import { isFault } from '../src/base/fault.ts';
import { fromHex, toHex } from '../src/base/hex.ts';
import type { Random } from '../src/base/ids.ts';
import type { StretchCost } from '../src/base/stretch.ts';
import {
  createCode,
  keyByCode,
  readKeyFile,
  removeKeyFile,
  sealUnder,
  writeKeyFile,
} from '../src/folder/keys/key-file.ts';
import { isAnySealed, releaseSecrets } from '../src/folder/keys/secrets.ts';
import type { Owners } from '../src/folder/rights/folder-rights.ts';
import type { Shell } from './shell.ts';

export type TillKey =
  /** `code` is present once, when the key was created: it has to be shown, and is stored nowhere. */
  | { kind: 'open'; key: Uint8Array; code?: string }
  /** The key store has lost it: only the recovery code opens it. */
  | { kind: 'locked' }
  /** This machine has no real key store: the till's file is protected only by its permissions. */
  | { kind: 'none' };

export type KeyParts = {
  folder: string;
  owners: Owners;
  platform: string;
  safeStorage: Shell['safeStorage'];
  random: Random;
  stretchCost: StretchCost;
};

/** On Linux without a keyring Chromium would "encrypt" with a password from its source code. */
const hasStore = (safeStorage: Shell['safeStorage']): boolean =>
  safeStorage.isEncryptionAvailable() && safeStorage.getSelectedStorageBackend?.() !== 'basic_text';

/**
 * Reads the key, and creates it at the first start. If the till is shared by all logins of this machine, its secrets
 * are released from the key store of the login that encrypted them. Throws `config.malformed`, and what the disk
 * throws.
 */
export const openKey = async ({ random, ...parts }: KeyParts): Promise<TillKey> => {
  const { folder, owners, platform, safeStorage, stretchCost } = parts;
  const stored = readKeyFile(folder);
  if (stored === undefined) {
    if (platform === 'win32' || !hasStore(safeStorage)) return { kind: 'none' };
    const key = random(32);
    const code = createCode(random);
    const recovery = await sealUnder(code, key, { random, stretchCost });
    writeKeyFile(folder, { version: 1, machine: wrapped(safeStorage, key), recovery });
    return { kind: 'open', key, code };
  }
  const key = unwrapped(safeStorage, stored.machine);
  if (owners === 'counter') return released(folder, key);
  return key === undefined ? { kind: 'locked' } : { kind: 'open', key };
};

/** A key that is no longer needed need not be readable either. */
const released = (folder: string, key: Uint8Array | undefined): TillKey => {
  if (!isAnySealed(folder)) {
    removeKeyFile(folder);
    return { kind: 'none' };
  }
  if (key === undefined) return { kind: 'locked' };
  try {
    releaseSecrets(folder, key);
    return { kind: 'none' };
  } catch (error) {
    if (isFault(error, 'secrets.sealed')) return { kind: 'locked' };
    throw error;
  }
};

/**
 * Opens it with the code, and stores it in this machine's key store again, unless the till belongs to all its logins.
 * Undefined if the code is wrong.
 */
export const recoverKey = async (
  input: string,
  { folder, owners, safeStorage, stretchCost }: Omit<KeyParts, 'random' | 'platform'>,
): Promise<Exclude<TillKey, { kind: 'locked' }> | undefined> => {
  const key = await keyByCode(folder, input, stretchCost);
  const stored = readKeyFile(folder);
  if (key === undefined || stored === undefined) return undefined;
  if (owners === 'counter') {
    const opened = released(folder, key);
    return opened.kind === 'locked' ? undefined : opened;
  }
  if (hasStore(safeStorage)) writeKeyFile(folder, { ...stored, machine: wrapped(safeStorage, key) });
  return { kind: 'open', key };
};

const unwrapped = (safeStorage: Shell['safeStorage'], machine: string): Uint8Array | undefined => {
  try {
    return fromHex(safeStorage.decryptString(Buffer.from(machine, 'base64')));
  } catch {
    return undefined;
  }
};

const wrapped = (safeStorage: Shell['safeStorage'], key: Uint8Array): string =>
  safeStorage.encryptString(toHex(key)).toString('base64');
