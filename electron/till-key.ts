/** The key of a till's secrets, out of the machine's key store: Keychain, DPAPI, libsecret. Made on the first start. */
import { fromHex, toHex } from '../src/base/hex.ts';
import type { Random } from '../src/base/ids.ts';
import type { StretchCost } from '../src/base/stretch.ts';
import { keyByCode, readKeyFile, writeKeyFile } from '../src/runtime/key-file.ts';
import { newCode, sealUnder } from '../src/runtime/recovery-code.ts';
import type { Shell } from './shell.ts';

export type TillKey =
  /** `code` is there once, when the key was made: it has to be shown, and is kept nowhere. */
  | { kind: 'open'; key: Uint8Array; code?: string }
  /** The key store has lost it: only the recovery code opens it. */
  | { kind: 'locked' }
  /** This machine has no key store that deserves the name: the till's file is protected by its permissions alone. */
  | { kind: 'none' };

export type KeyParts = {
  folder: string;
  safeStorage: Shell['safeStorage'];
  random: Random;
  stretchCost: StretchCost;
};

/** On Linux without a keyring Chromium would "encrypt" with a password that stands in its source. */
const hasStore = (safeStorage: Shell['safeStorage']): boolean =>
  safeStorage.isEncryptionAvailable() && safeStorage.getSelectedStorageBackend?.() !== 'basic_text';

/** Reads the key, and makes it on the first start. Throws `config.malformed`, and what the disk throws. */
export const openKey = async ({ folder, safeStorage, random, stretchCost }: KeyParts): Promise<TillKey> => {
  const kept = readKeyFile(folder);
  if (kept === undefined) {
    if (!hasStore(safeStorage)) return { kind: 'none' };
    const key = random(32);
    const code = newCode(random);
    const recovery = await sealUnder(code, key, { random, stretchCost });
    writeKeyFile(folder, { version: 1, machine: wrapped(safeStorage, key), recovery });
    return { kind: 'open', key, code };
  }
  try {
    return { kind: 'open', key: fromHex(safeStorage.decryptString(Buffer.from(kept.machine, 'base64'))) };
  } catch {
    return { kind: 'locked' };
  }
};

/** Opens it with the code, and gives it to this machine's key store again. Undefined when the code is not right. */
export const recoverKey = async (
  typed: string,
  { folder, safeStorage, stretchCost }: Omit<KeyParts, 'random'>,
): Promise<Uint8Array | undefined> => {
  const key = await keyByCode(folder, typed, stretchCost);
  const kept = readKeyFile(folder);
  if (key !== undefined && kept !== undefined && hasStore(safeStorage))
    writeKeyFile(folder, { ...kept, machine: wrapped(safeStorage, key) });
  return key;
};

const wrapped = (safeStorage: Shell['safeStorage'], key: Uint8Array): string =>
  safeStorage.encryptString(toHex(key)).toString('base64');
