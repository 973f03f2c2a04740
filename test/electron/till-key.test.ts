/** The till's key: stored by the machine, opened by the recovery code when the machine has lost it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKey, recoverKey } from '../../electron/till-key.ts';
import { toHex } from '../../src/base/hex.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { createCode, parseCode } from '../../src/folder/keys/key-file.ts';
import { areSealed, loadSecrets, unsealSecrets } from '../../src/folder/keys/secrets.ts';
import { cheapStretchCost as stretchCost } from '../support/till/stretch-cost.ts';
import { fakeElectron } from './fake-electron.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'till-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const platform = 'linux';
const owners = 'user' as const;
const store = (hasStore = true) => fakeElectron({ userData: folder, hasStore }).shell.safeStorage;
const empty: ReturnType<typeof store> = {
  ...store(),
  decryptString: () => {
    throw new Error('no such key');
  },
};

test('is created once, with a code that is shown once', async () => {
  const first = await openKey({ folder, platform, owners, safeStorage: store(), random: systemRandom, stretchCost });
  const second = await openKey({ folder, platform, owners, safeStorage: store(), random: systemRandom, stretchCost });
  if (first.kind !== 'open' || second.kind !== 'open') throw new Error('not open');
  expect(first.code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){5}[0-9A-HJKMNP-TV-Z]$/);
  expect(second.code).toBeUndefined();
  expect(toHex(second.key)).toBe(toHex(first.key));
  const stored = readFileSync(join(folder, 'till.key.json'), 'utf8');
  expect(stored).not.toContain(toHex(first.key));
  expect(stored).not.toContain(first.code);
});

test('a machine without a real key store has none', async () => {
  const basic = { ...store(), getSelectedStorageBackend: () => 'basic_text' as const };
  for (const safeStorage of [store(false), basic])
    expect(await openKey({ folder, platform, owners, safeStorage, random: systemRandom, stretchCost })).toEqual({
      kind: 'none',
    });
});

test('none is created on Windows, where a till belongs to a counter; an existing one still opens', async () => {
  const parts = { folder, owners, safeStorage: store(), random: systemRandom, stretchCost };
  expect(await openKey({ ...parts, platform: 'win32' })).toEqual({ kind: 'none' });
  const created = await openKey({ ...parts, platform });
  expect(await openKey({ ...parts, platform: 'win32' })).toMatchObject({
    kind: 'open',
    key: created.kind === 'open' && created.key,
  });
});

test('a lost key is opened by the code as people type it, and stored again', async () => {
  const created = await openKey({ folder, platform, owners, safeStorage: store(), random: systemRandom, stretchCost });
  if (created.kind !== 'open' || created.code === undefined) throw new Error('not made');
  expect(await openKey({ folder, platform, owners, safeStorage: empty, random: systemRandom, stretchCost })).toEqual({
    kind: 'locked',
  });
  expect(
    await recoverKey(createCode(systemRandom), { folder, owners, safeStorage: store(), stretchCost }),
  ).toBeUndefined();
  expect(await recoverKey('', { folder, owners, safeStorage: store(), stretchCost })).toBeUndefined();
  const input = created.code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  const opened = await recoverKey(input, { folder, owners, safeStorage: store(), stretchCost });
  expect(opened?.kind === 'open' && toHex(opened.key)).toBe(toHex(created.key));
  expect(
    await openKey({ folder, platform, owners, safeStorage: store(), random: systemRandom, stretchCost }),
  ).toMatchObject({
    kind: 'open',
  });
});

test.each([
  ['ABCDE-FGHJK-MNPQR-STVWX-YZ012-3', 'ABCDEFGHJKMNPQRSTVWXYZ0123'],
  ['abcde fghjk mnpqr stvwx yzoil 3', 'ABCDEFGHJKMNPQRSTVWXYZ0113'],
  ['ABCDE', undefined],
  ['ABCDE-FGHJK-MNPQR-STVWX-YZ012-U', undefined],
])('%s is read as %s', (input, code) => expect(parseCode(input)).toBe(code));

test('encrypts the till’s secrets, and the code decrypts them again', () => {
  const key = systemRandom(32);
  const file = join(folder, 'till.secrets.json');
  loadConfig(folder, systemIds);
  const plain = loadSecrets(folder, { random: systemRandom, isNew: true });
  const sealed = loadSecrets(folder, { random: systemRandom, isNew: false, sealKey: key });
  expect(sealed).toEqual(plain);
  const text = readFileSync(file, 'utf8');
  for (const secret of [plain.token, toHex(plain.tillKey), toHex(plain.signingKey)]) expect(text).not.toContain(secret);
  expect(loadSecrets(folder, { random: systemRandom, isNew: false, sealKey: key })).toEqual(plain);
  const loadKey = (sealKey?: Uint8Array) => () => loadSecrets(folder, { random: systemRandom, isNew: false, sealKey });
  expect(loadKey()).toThrow(expect.objectContaining({ code: 'secrets.sealed' }));
  expect(loadKey(systemRandom(32))).toThrow(expect.objectContaining({ code: 'secrets.sealed' }));
  expect(readFileSync(file, 'utf8')).toBe(text);
  unsealSecrets(folder, key);
  expect(loadSecrets(folder, { random: systemRandom, isNew: false })).toEqual(plain);
});

/** A till of one login, now in a folder that belongs to all logins of the machine. */
const moved = async () => {
  const parts = { folder, safeStorage: store(), random: systemRandom, stretchCost };
  const created = await openKey({ ...parts, owners, platform });
  if (created.kind !== 'open' || created.code === undefined) throw new Error('not made');
  const inside = [folder, join(folder, 'training'), join(folder, 'live'), join(folder, 'live', 'training')];
  const keys = inside.map((at) => {
    mkdirSync(at, { recursive: true });
    return loadSecrets(at, { random: systemRandom, isNew: true, sealKey: created.key }).tillKey;
  });
  return {
    ...{ key: created.key, code: created.code, inside },
    open: (safeStorage: typeof empty) =>
      openKey({ ...parts, safeStorage, owners: 'counter', platform: 'win32', random: systemRandom }),
    recover: (code: string) => recoverKey(code, { ...parts, owners: 'counter', safeStorage: store() }),
    /** Whether each of its tills opens for everyone who may open the folder, with its previous keys. */
    isEverybodys: () =>
      !existsSync(join(folder, 'till.key.json')) &&
      inside.every((at, index) => {
        const { tillKey } = loadSecrets(at, { random: systemRandom, isNew: false });
        return toHex(tillKey) === toHex(keys[index] as Uint8Array);
      }),
  };
};
const otherUser: typeof empty = { ...store(), decryptString: () => '00'.repeat(32) };

test('the shared till is released from the key store of the login that encrypted it', async () => {
  const till = await moved();
  expect(await till.open(store())).toEqual({ kind: 'none' });
  expect(till.isEverybodys()).toBe(true);
  expect(await till.open(empty)).toEqual({ kind: 'none' });
});

test.each([
  ['lost', empty],
  ['another’s', otherUser],
])('if the key store is %s the code opens it, for all logins at once', async (_, safeStorage) => {
  const till = await moved();
  expect(await till.open(safeStorage)).toEqual({ kind: 'locked' });
  expect(await till.recover(createCode(systemRandom))).toBeUndefined();
  expect(till.inside.every(areSealed)).toBe(true);
  expect(await till.recover(till.code)).toEqual({ kind: 'none' });
  expect(till.isEverybodys()).toBe(true);
  expect(await till.open(empty)).toEqual({ kind: 'none' });
});

test('after an interruption it continues: the key stays until nothing is encrypted', async () => {
  const till = await moved();
  for (const at of till.inside.slice(0, -1)) {
    unsealSecrets(at, till.key);
    expect(await till.open(empty)).toEqual({ kind: 'locked' });
  }
  expect(await till.open(store())).toEqual({ kind: 'none' });
  expect(till.isEverybodys()).toBe(true);
});

test('opened by hand with the code before, it asks no login for a key', async () => {
  const till = await moved();
  for (const at of till.inside) unsealSecrets(at, till.key);
  expect(await till.open(empty)).toEqual({ kind: 'none' });
  expect(till.isEverybodys()).toBe(true);
});
