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
  const made = () => new Date(clock.now()).toISOString();
  if ('dataDir' in at && at.dataDir === ':memory:') return memoryKeyring(random, made);
  return fileKeyring('file' in at ? at.file : join(at.dataDir, VAULT_FILE), random, made);
};

const fileKeyring = (path: string, random: Random, made: () => string): Keyring => {
  makeKeyFile(path, () => firstKeys(random, made()), random);
  let mark = markOf(path);
  let keys = readKeyFile(path);
  const { lookup } = keys;
  const refresh = (): KeyFile => {
    const now = markOf(path);
    if (now === mark) return keys;
    const read = readKeyFile(path);
    if (read.lookup !== lookup) throw new Fault('vault.foreign', { from: path });
    mark = now;
    keys = read;
    return keys;
  };
  return {
    from: path,
    current: () => currentOf(refresh()),
    // An unknown key was made by another process.
    keyOf: (id) => find(keys, id) ?? find(refresh(), id) ?? unknown(id),
    list: () => listed(refresh()),
    lookup: bytesOf(lookup),
    renew() {
      changeKeyFile(path, (now) => withNewKey(now, random, made()));
      return currentOf(refresh());
    },
  };
};

const memoryKeyring = (random: Random, made: () => string): Keyring => {
  let keys = firstKeys(random, made());
  return {
    from: 'in memory',
    current: () => currentOf(keys),
    keyOf: (id) => find(keys, id) ?? unknown(id),
    list: () => listed(keys),
    lookup: bytesOf(keys.lookup),
    renew() {
      keys = withNewKey(keys, random, made());
      return currentOf(keys);
    },
  };
};

const FROM_OUTSIDE = 'in TILLGATE_VAULT_KEY';

const parseKeyring = (text: string): Keyring => {
  const keys = text.split(',').map((part) => parseKey(part.trim()));
  const [current] = keys;
  const oldest = keys.at(-1);
  if (current === undefined || oldest === undefined) throw new TypeError('a split text has no parts');
  return {
    from: FROM_OUTSIDE,
    current: () => current,
    keyOf: (id) => keys.find((key) => key.id === id) ?? unknown(id),
    list: () => keys.map(({ id }) => ({ id })).reverse(),
    lookup: oldest.key,
    renew() {
      throw new Fault('vault.keyGiven');
    },
  };
};

const parseKey = (text: string): VaultKey => {
  const damaged = (reason: string) => new Fault('vault.damaged', { from: FROM_OUTSIDE, why: reason });
  if (!/^[0-9A-Fa-f]*$/.test(text)) throw damaged('a key must be hex digits');
  if (text.length !== KEY_BYTES * 2)
    throw damaged(`a key must be ${KEY_BYTES * 2} hex digits, and one has ${text.length}`);
  const key = fromHex(text);
  return { id: keyIdOf(key), key };
};

const firstKeys = (random: Random, madeAt: string): KeyFile => {
  const first = newKey(random, madeAt);
  return { current: first.id, lookup: base64(random(KEY_BYTES)), keys: [first] };
};

const withNewKey = (now: KeyFile, random: Random, madeAt: string): KeyFile => {
  const next = newKey(random, madeAt);
  return { ...now, current: next.id, keys: [...now.keys, next] };
};

const newKey = (random: Random, madeAt: string): KeyFile['keys'][number] => {
  const key = random(KEY_BYTES);
  return { id: keyIdOf(key), key: base64(key), madeAt };
};

const currentOf = (keys: KeyFile): VaultKey => find(keys, keys.current) ?? unknown(keys.current);

const listed = ({ keys }: KeyFile) => keys.map(({ id, madeAt }) => ({ id, madeAt }));

const find = ({ keys }: KeyFile, id: string): VaultKey | undefined => {
  const found = keys.find((key) => key.id === id);
  return found === undefined ? undefined : { id, key: bytesOf(found.key) };
};

const unknown = (keyId: string): never => {
  throw new Fault('vault.keyUnknown', { keyId });
};

/** Every change replaces the file by a new one. */
const markOf = (path: string): string => {
  const about = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (about === undefined) throw new Fault('vault.damaged', { from: path, why: 'the file is gone' });
  return `${about.ino} ${about.mtimeNs} ${about.size}`;
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));
