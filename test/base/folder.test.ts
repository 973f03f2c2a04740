/** The data folder. gateway/vault/keyring.test.ts tests that processes may create it at the same moment. */
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder, missingFolders } from '../../src/base/files.ts';
import { isWindows, modeHere } from '../support/platform/platform.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folder-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('creates all missing folders, for their owner only', () => {
  const path = join(root, 'a/b/c');
  makeFolder(path);
  makeFolder(path);
  for (const each of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, each)).mode & 0o777).toBe(modeHere(0o700));
});

test.each([
  ['a file in its place', 'file', 'it is a file'],
  ['a file on the way', 'file/below', isWindows ? 'ENOENT' : 'ENOTDIR'],
  // The item was missing when it was checked and exists when it is created: the result is the same as for a folder that
  // another process created meanwhile. On Windows, a link to nothing becomes the folder that it names.
  ...(isWindows ? [] : [['a link to nothing', 'link', 'ENOENT']]),
])('%s is refused', (_, name, reason) => {
  writeFileSync(join(root, 'file'), '');
  if (!isWindows) symlinkSync(join(root, 'nowhere'), join(root, 'link'));
  const refused = expect.objectContaining({ code: 'folder.unusable', message: expect.stringContaining(reason) });
  expect(() => makeFolder(join(root, name))).toThrowError(refused);
});

test('a path that cannot be written is refused', () => {
  expect(() => makeFolder(isWindows ? 'Q:\\tillgate\\data' : '/proc/tillgate/data')).toThrowError(
    expect.objectContaining({ code: 'folder.unusable' }),
  );
});

test.each([
  ['E:\\till', 'there is no drive E:'],
  ['E:\\', 'there is no drive E:'],
  ['E:till\\data', 'there is no drive E:'],
  ['\\\\server\\share\\till', 'there is no \\\\server\\share\\'],
])('on Windows %s is refused when its drive or share does not exist', (path, reason) => {
  const refused = expect.objectContaining({ code: 'folder.unusable', message: expect.stringContaining(reason) });
  expect(() => missingFolders(path, { ...win32, exists: () => false })).toThrowError(refused);
});

test('on Windows folders are created below an existing drive, outermost first', () => {
  const places = { ...win32, exists: (path: string) => path === 'E:\\' };
  expect(missingFolders('E:\\a\\b', places)).toEqual(['E:\\a', 'E:\\a\\b']);
});

test.each(Object.entries({ win32, posix }))('on %s the search for missing folders ends for any path', (_, platform) => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('E', ':', '\\', '/', '.', 'a', '?') }), (path) => {
      expect(() => missingFolders(path, { ...platform, exists: () => false })).toThrowError();
    }),
  );
});
