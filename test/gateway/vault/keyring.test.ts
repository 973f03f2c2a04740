/** The vault's keys: created once, readable only by the owner, and refused after a change. */
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { systemRandom } from '../../../src/base/ids.ts';
import { openKeyring, VAULT_FILE } from '../../../src/gateway/vault/keyring.ts';
import { modeHere } from '../../support/platform/platform.ts';

const root = mkdtempSync(join(tmpdir(), 'vault-'));
afterAll(() => rmSync(root, { recursive: true }));

const folder = () => join(mkdtempSync(join(root, 'x-')), 'data');
const clock = { now: () => Date.UTC(2026, 0, 2) };
const open = (dataDir: string, input?: string) =>
  openKeyring({ at: { dataDir }, given: input, random: systemRandom, clock });
const fileIn = (dataDir: string) => join(dataDir, VAULT_FILE);
const contentOf = (dataDir: string) => JSON.parse(readFileSync(fileIn(dataDir), 'utf8'));
const fault = (code: string, text = '') => expect.objectContaining({ code, message: expect.stringContaining(text) });

/** The results of four simultaneous processes. */
const fromProcesses = (...args: string[]): Promise<unknown[]> =>
  Promise.all(
    Array.from({ length: 4 }, () => {
      const script = fileURLToPath(new URL('./open-keyring.ts', import.meta.url));
      const child = fork(script, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      return new Promise((resolve, reject) => {
        child.once('message', resolve).once('error', reject);
        child.once('exit', (code) => reject(new Error(`it ended with ${code} and without a word`)));
      });
    }),
  );

describe('the file', () => {
  test('is created at the first start, and read at the next', () => {
    const data = folder();
    const first = open(data);
    const second = open(data);
    expect(second.current()).toEqual(first.current());
    expect(second.lookup).toEqual(first.lookup);
    expect(contentOf(data)).toEqual({
      current: first.current().id,
      lookup: expect.any(String),
      keys: [
        {
          id: first.current().id,
          key: Buffer.from(first.current().key).toString('base64'),
          madeAt: '2026-01-02T00:00:00.000Z',
        },
      ],
    });
    expect(first.current().key).toHaveLength(32);
  });

  test('keeps fields written by a newer version, also after a renewal', () => {
    const data = folder();
    open(data);
    writeFileSync(fileIn(data), JSON.stringify({ ...contentOf(data), escrow: { at: 'home' } }));
    open(data).renew();
    expect(contentOf(data)).toMatchObject({ escrow: { at: 'home' }, keys: [{}, {}] });
  });

  test('is readable only by its owner, also after a renewal, and leaves no other file', () => {
    const data = folder();
    const keyring = open(data);
    expect(statSync(fileIn(data)).mode & 0o777).toBe(modeHere(0o600));
    keyring.renew();
    expect(statSync(fileIn(data)).mode & 0o777).toBe(modeHere(0o600));
    expect(statSync(data).mode & 0o777).toBe(modeHere(0o700));
    expect(readdirSync(data)).toEqual([VAULT_FILE]);
  });

  test('may be in another place', () => {
    const file = join(folder(), 'keys.json');
    const keyring = openKeyring({ at: { file }, random: systemRandom, clock });
    expect(keyring.from).toBe(file);
    expect(existsSync(file)).toBe(true);
  });

  test('does not exist in memory, and each keyring has its own keys', () => {
    expect(open(':memory:').current().id).not.toBe(open(':memory:').current().id);
    expect(existsSync(':memory:')).toBe(false);
  });

  test('of several processes that start at once, one creates it and all read the same', async () => {
    const data = folder();
    const ids = await fromProcesses(data);
    expect(new Set(ids)).toEqual(new Set([open(data).current().id]));
    expect(readdirSync(data)).toEqual([VAULT_FILE]);
  });
});

describe('renewal', () => {
  test('uses the new key to encrypt, and the old one can still decrypt', () => {
    const data = folder();
    const keyring = open(data);
    const old = keyring.current();
    const newKey = keyring.renew();
    expect(keyring.current()).toEqual(newKey);
    expect(newKey.id).not.toBe(old.id);
    for (const eachKeyring of [keyring, open(data)]) {
      expect([eachKeyring.keyOf(old.id), eachKeyring.keyOf(newKey.id)]).toEqual([old, newKey]);
      expect(eachKeyring.lookup).toEqual(keyring.lookup);
      expect(eachKeyring.list().map(({ id }) => id)).toEqual([old.id, newKey.id]);
    }
  });

  test('by another process is noticed by a running one, which then uses the new key', () => {
    const data = folder();
    const [runningKeyring, rotatingKeyring] = [open(data), open(data)];
    const newKey = rotatingKeyring.renew();
    expect(runningKeyring.keyOf(newKey.id)).toEqual(newKey);
    const newestKey = rotatingKeyring.renew();
    expect(runningKeyring.current()).toEqual(newestKey);
  });

  test('is refused while another one runs, with advice in case that was interrupted', () => {
    const data = folder();
    const keyring = open(data);
    const before = readFileSync(fileIn(data));
    const lock = `${fileIn(data)}.new`;
    writeFileSync(lock, '');
    expect(() => keyring.renew()).toThrow(fault('vault.busy', lock));
    expect(readFileSync(fileIn(data))).toEqual(before);
    rmSync(lock);
    keyring.renew();
  });

  test('by simultaneous processes loses no key: each makes one, or is told to wait', async () => {
    const data = folder();
    open(data);
    const created = (await fromProcesses(data, 'renew')).filter((id) => id !== 'vault.busy');
    const ids = contentOf(data).keys.map(({ id }: { id: string }) => id);
    expect(created.length).toBeGreaterThan(0);
    expect(ids).toHaveLength(1 + created.length);
    expect(ids).toEqual(expect.arrayContaining(created));
  });

  test('of a file that was damaged meanwhile changes nothing, and leaves no lock', () => {
    const data = folder();
    const keyring = open(data);
    writeFileSync(fileIn(data), '{}');
    expect(() => keyring.renew()).toThrow(fault('vault.damaged'));
    expect(readFileSync(fileIn(data), 'utf8')).toBe('{}');
    expect(readdirSync(data)).toEqual([VAULT_FILE]);
  });
});

describe('a damaged file is refused and left unchanged', () => {
  type Content = ReturnType<typeof contentOf>;
  const flipFirst = (key: string) => (key.startsWith('A') ? `B${key.slice(1)}` : `A${key.slice(1)}`);

  test.each<[string, (content: Content) => unknown, string]>([
    ['no JSON', () => 'shopping list', 'it is not JSON'],
    ['an empty object', () => ({}), 'keys'],
    ['no keys', (content) => ({ ...content, keys: [] }), 'keys'],
    ['a missing current key', (content) => ({ ...content, current: 'x' }), 'the current key'],
    [
      'a key that is too short',
      (content) => ({ ...content, keys: [{ ...content.keys[0], key: Buffer.alloc(31).toString('base64') }] }),
      'must be 32 bytes',
    ],
    [
      'a key with one bit changed',
      (content) => ({ ...content, keys: [{ ...content.keys[0], key: flipFirst(content.keys[0].key) }] }),
      'a key was changed',
    ],
    ['a look-up key that is too short', (content) => ({ ...content, lookup: 'AAAA' }), 'lookup must be 32 bytes'],
  ])('%s', (_, damage, message) => {
    const data = folder();
    open(data);
    const damagedContent = damage(contentOf(data));
    const text = typeof damagedContent === 'string' ? damagedContent : JSON.stringify(damagedContent);
    writeFileSync(fileIn(data), text);
    expect(() => open(data)).toThrow(fault('vault.damaged', message));
    expect(readFileSync(fileIn(data), 'utf8')).toBe(text);
  });

  test('the error reveals nothing about the keys', () => {
    const data = folder();
    const { key } = open(data).current();
    writeFileSync(fileIn(data), Buffer.from(key).toString('base64'));
    expect(() => open(data)).not.toThrow(Buffer.from(key).toString('base64').slice(0, 6));
  });

  test('refuses a file that disappears while the gateway runs', () => {
    const data = folder();
    const keyring = open(data);
    rmSync(fileIn(data));
    expect(() => keyring.current()).toThrow(fault('vault.damaged', 'gone'));
  });

  test('refuses a file that suddenly belongs to another vault', () => {
    const data = folder();
    const other = folder();
    const keyring = open(data);
    open(other).renew();
    writeFileSync(fileIn(data), readFileSync(fileIn(other)));
    expect(() => keyring.current()).toThrow(fault('vault.foreign', fileIn(data)));
  });

  test('refuses an impossible folder', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => open(join(file, 'data'))).toThrow(expect.objectContaining({ code: 'folder.unusable' }));
  });
});

describe('keys from outside', () => {
  const [first, second] = ['11'.repeat(32), 'A2'.repeat(32)] as const;

  test('need no file, and have the same ids on every machine', () => {
    const data = folder();
    const [firstKeyring, other] = [open(data, first), open(data, ` ${first} `)];
    expect(firstKeyring.current()).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      key: new Uint8Array(32).fill(0x11),
    });
    expect(other.current()).toEqual(firstKeyring.current());
    expect(existsSync(data)).toBe(false);
  });

  test('the first encrypts, all decrypt, the hash derives from the last', () => {
    const before = open(folder(), first);
    const after = open(folder(), `${second},${first}`);
    expect(after.current()).toEqual(open(folder(), second.toLowerCase()).current());
    expect(after.keyOf(before.current().id)).toEqual(before.current());
    expect(after.lookup).toEqual(before.lookup);
    expect(after.list()).toEqual([before.current(), after.current()].map(({ id }) => ({ id })));
  });

  test.each<[string, string, string]>([
    ['empty', '', '64 hex digits, and one has 0'],
    ['too short', first.slice(2), '64 hex digits, and one has 62'],
    ['too long', `${first}11`, '64 hex digits, and one has 66'],
    ['no hex', 'xy'.repeat(32), 'hex digits'],
    ['one good, one empty', `${first},`, 'one has 0'],
  ])('%s is refused', (_, input, text) => {
    expect(() => open(folder(), input)).toThrow(fault('vault.damaged', text));
  });

  test('can be added before the first encrypts with them', () => {
    const ready = open(folder(), `${first},${second},${first}`);
    const newKey = open(folder(), second).current();
    expect(ready.current()).toEqual(open(folder(), first).current());
    expect(ready.keyOf(newKey.id)).toEqual(newKey);
    expect(ready.lookup).toEqual(open(folder(), `${second},${first}`).lookup);
  });

  test('are renewed outside', () => {
    expect(() => open(folder(), first).renew()).toThrow(fault('vault.keyGiven'));
  });

  test('know no others', () => {
    expect(() => open(folder(), first).keyOf('0'.repeat(16))).toThrow(fault('vault.keyUnknown', '0'.repeat(16)));
  });
});
