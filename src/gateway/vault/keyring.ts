/** The vault's keys: one that encrypts, and older ones that only decrypt. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { fromHex } from '../../base/hex.ts';
import type { Random } from '../../base/ids.ts';
import { KEY_BYTES, keyIdOf } from './cipher.ts';
import { changeKeyFile, type KeyFile, makeKeyFile, readKeyFile } from './key-file.ts';

export type VaultKey = { id: string; key: Uint8Array };

export interface Keyring {
  /** For people: a path, or the name of the variable. */
  readonly from: string;
  /** The key that encrypts: the newest in the file, even if another process made it. */
  current(): VaultKey;
  /** Throws `vault.keyUnknown`. */
  keyOf(id: string): VaultKey;
  /** Oldest first, so the last one encrypts; without the keys themselves. */
  list(): readonly { id: string; madeAt?: string }[];
  /** 32 bytes that never change: the look-up hash derives its key from them. */
  readonly lookup: Uint8Array;
  /** Makes a new key that encrypts from now on. Throws `vault.keyGiven`, `vault.busy` or `vault.unwritable`. */
  renew(): VaultKey;
}

export type KeyringOptions = {
  /** The folder of `gateway.vault.json`, or that file's own path; ':memory:' keeps keys only in the process. */
  at: { dataDir: string } | { file: string };
  /**
   * The value of TILLGATE_VAULT_KEY: 64 hex digits, or several such keys separated by commas. The first encrypts, the
   * others only decrypt, and the look-up hash derives from the last, the oldest. No file is read or created then.
   */
  given?: string;
  random: Random;
  clock: Pick<Clock, 'now'>;
};

export const VAULT_FILE = 'gateway.vault.json';

/** Opens the keys; creates them at the first start. Throws `vault.damaged`, `vault.unwritable` or `folder.unusable`. */
export const openKeyring = ({ at, given, random, clock }: KeyringOptions): Keyring => {
  if (given !== undefined) return parseKeyring(given);
  const nowIso = () => new Date(clock.now()).toISOString();
  if ('dataDir' in at && at.dataDir === ':memory:') return memoryKeyring(random, nowIso);
  return fileKeyring('file' in at ? at.file : join(at.dataDir, VAULT_FILE), random, nowIso);
};

const fileKeyring = (path: string, random: Random, made: () => string): Keyring => {
  makeKeyFile(path, () => createKeyFile(random, made()), random);
  let fileMark = markOf(path);
  let keys = readKeyFile(path);
  const { lookup } = keys;
  const refresh = (): KeyFile => {
    const now = markOf(path);
    if (now === fileMark) return keys;
    const read = readKeyFile(path);
    if (read.lookup !== lookup) throw new Fault('vault.foreign', { from: path });
    fileMark = now;
    keys = read;
    return keys;
  };
  return {
    from: path,
    current: () => currentOf(refresh()),
    // An unknown key was made by another process.
    keyOf: (id) => find(keys, id) ?? find(refresh(), id) ?? throwUnknownKey(id),
    list: () => listed(refresh()),
    lookup: bytesOf(lookup),
    renew() {
      changeKeyFile(path, (now) => addNewKey(now, random, made()));
      return currentOf(refresh());
    },
  };
};

const memoryKeyring = (random: Random, made: () => string): Keyring => {
  let keys = createKeyFile(random, made());
  return {
    from: 'in memory',
    current: () => currentOf(keys),
    keyOf: (id) => find(keys, id) ?? throwUnknownKey(id),
    list: () => listed(keys),
    lookup: bytesOf(keys.lookup),
    renew() {
      keys = addNewKey(keys, random, made());
      return currentOf(keys);
    },
  };
};

const FROM_OUTSIDE = 'in TILLGATE_VAULT_KEY';

const parseKeyring = (text: string): Keyring => {
  const keys = text.split(',').map((keyText) => parseKey(keyText.trim()));
  const [current] = keys;
  const oldest = keys.at(-1);
  if (current === undefined || oldest === undefined) throw new TypeError('a split text has no parts');
  return {
    from: FROM_OUTSIDE,
    current: () => current,
    keyOf: (id) => keys.find((key) => key.id === id) ?? throwUnknownKey(id),
    list: () => keys.map(({ id }) => ({ id })).reverse(),
    lookup: oldest.key,
    renew() {
      throw new Fault('vault.keyGiven');
    },
  };
};

const parseKey = (text: string): VaultKey => {
  const damagedFault = (reason: string) => new Fault('vault.damaged', { from: FROM_OUTSIDE, why: reason });
  if (!/^[0-9A-Fa-f]*$/.test(text)) throw damagedFault('a key must be hex digits');
  if (text.length !== KEY_BYTES * 2)
    throw damagedFault(`a key must be ${KEY_BYTES * 2} hex digits, and one has ${text.length}`);
  const key = fromHex(text);
  return { id: keyIdOf(key), key };
};

const createKeyFile = (random: Random, madeAt: string): KeyFile => {
  const firstKey = newKey(random, madeAt);
  return { current: firstKey.id, lookup: base64(random(KEY_BYTES)), keys: [firstKey] };
};

const addNewKey = (now: KeyFile, random: Random, madeAt: string): KeyFile => {
  const newestKey = newKey(random, madeAt);
  return { ...now, current: newestKey.id, keys: [...now.keys, newestKey] };
};

const newKey = (random: Random, madeAt: string): KeyFile['keys'][number] => {
  const key = random(KEY_BYTES);
  return { id: keyIdOf(key), key: base64(key), madeAt };
};

const currentOf = (keys: KeyFile): VaultKey => find(keys, keys.current) ?? throwUnknownKey(keys.current);

const listed = ({ keys }: KeyFile) => keys.map(({ id, madeAt }) => ({ id, madeAt }));

const find = ({ keys }: KeyFile, id: string): VaultKey | undefined => {
  const found = keys.find((key) => key.id === id);
  return found === undefined ? undefined : { id, key: bytesOf(found.key) };
};

const throwUnknownKey = (keyId: string): never => {
  throw new Fault('vault.keyUnknown', { keyId });
};

/** Every change replaces the file by a new one. */
const markOf = (path: string): string => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) throw new Fault('vault.damaged', { from: path, why: 'the file is gone' });
  return `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));
