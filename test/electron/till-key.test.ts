/** The till's key: kept by the machine, opened by the recovery code when the machine has lost it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKey, recoverKey } from '../../electron/till-key.ts';
import { toHex } from '../../src/base/hex.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/runtime/config.ts';
import { codeIn, newCode } from '../../src/runtime/recovery-code.ts';
import { loadSecrets, unsealSecrets } from '../../src/runtime/secrets.ts';
import { cheapStretchCost as stretchCost } from '../support/till/stretch-cost.ts';
import { standIn } from './stand-in.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'till-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const store = (hasStore = true) => standIn({ userData: folder, hasStore }).shell.safeStorage;
const lost = {
  ...store(),
  decryptString: () => {
    throw new Error('no such key');
  },
};

test('is made once, with a code that is told once', async () => {
  const first = await openKey({ folder, safeStorage: store(), random: systemRandom, stretchCost });
  const second = await openKey({ folder, safeStorage: store(), random: systemRandom, stretchCost });
  if (first.kind !== 'open' || second.kind !== 'open') throw new Error('not open');
  expect(first.code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){5}[0-9A-HJKMNP-TV-Z]$/);
  expect(second.code).toBeUndefined();
  expect(toHex(second.key)).toBe(toHex(first.key));
  const kept = readFileSync(join(folder, 'till.key.json'), 'utf8');
  expect(kept).not.toContain(toHex(first.key));
  expect(kept).not.toContain(first.code);
});

test('a machine without a key store that deserves the name has none', async () => {
  const basic = { ...store(), getSelectedStorageBackend: () => 'basic_text' as const };
  for (const safeStorage of [store(false), basic])
    expect(await openKey({ folder, safeStorage, random: systemRandom, stretchCost })).toEqual({ kind: 'none' });
});

test('lost by the machine, it is opened by the code as people type it, and kept again', async () => {
  const made = await openKey({ folder, safeStorage: store(), random: systemRandom, stretchCost });
  if (made.kind !== 'open' || made.code === undefined) throw new Error('not made');
  expect(await openKey({ folder, safeStorage: lost, random: systemRandom, stretchCost })).toEqual({ kind: 'locked' });
  expect(await recoverKey(newCode(systemRandom), { folder, safeStorage: store(), stretchCost })).toBeUndefined();
  expect(await recoverKey('', { folder, safeStorage: store(), stretchCost })).toBeUndefined();
  const typed = made.code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  const key = await recoverKey(typed, { folder, safeStorage: store(), stretchCost });
  expect(key && toHex(key)).toBe(toHex(made.key));
  expect(await openKey({ folder, safeStorage: store(), random: systemRandom, stretchCost })).toMatchObject({
    kind: 'open',
  });
});

test.each([
  ['ABCDE-FGHJK-MNPQR-STVWX-YZ012-3', 'ABCDEFGHJKMNPQRSTVWXYZ0123'],
  ['abcde fghjk mnpqr stvwx yzoil 3', 'ABCDEFGHJKMNPQRSTVWXYZ0113'],
  ['ABCDE', undefined],
  ['ABCDE-FGHJK-MNPQR-STVWX-YZ012-U', undefined],
])('%s is read as %s', (typed, code) => expect(codeIn(typed)).toBe(code));

test('seals the till’s secrets, and the code takes the seal off again', () => {
  const key = systemRandom(32);
  const file = join(folder, 'till.secrets.json');
  loadConfig(folder, systemIds);
  const plain = loadSecrets(folder, { random: systemRandom, isNew: true });
  const sealed = loadSecrets(folder, { random: systemRandom, isNew: false, sealKey: key });
  expect(sealed).toEqual(plain);
  const text = readFileSync(file, 'utf8');
  for (const secret of [plain.token, toHex(plain.tillKey), toHex(plain.signingKey)]) expect(text).not.toContain(secret);
  expect(loadSecrets(folder, { random: systemRandom, isNew: false, sealKey: key })).toEqual(plain);
  const asked = (sealKey?: Uint8Array) => () => loadSecrets(folder, { random: systemRandom, isNew: false, sealKey });
  expect(asked()).toThrow(expect.objectContaining({ code: 'secrets.sealed' }));
  expect(asked(systemRandom(32))).toThrow(expect.objectContaining({ code: 'secrets.sealed' }));
  expect(readFileSync(file, 'utf8')).toBe(text);
  unsealSecrets(folder, key);
  expect(loadSecrets(folder, { random: systemRandom, isNew: false })).toEqual(plain);
});
