/** The folder for data. That processes may make it in the same moment is tried in gateway/vault/keyring.test.ts. */
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../src/base/folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folder-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('all that is missing is made, for its owner only', () => {
  const path = join(root, 'a/b/c');
  makeFolder(path);
  makeFolder(path);
  for (const each of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, each)).mode & 0o777).toBe(0o700);
});

test.each([
  ['a file in its place', 'file', 'it is a file'],
  ['a file on the way', 'file/below', 'ENOTDIR'],
  // What was not there when it was looked for, and is when it is made, says the same as a folder made meanwhile.
  ['a link to nothing', 'link', 'ENOENT'],
])('%s is refused', (_, name, why) => {
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(root, 'nowhere'), join(root, 'link'));
  const refused = expect.objectContaining({ code: 'folder.unusable', message: expect.stringContaining(why) });
  expect(() => makeFolder(join(root, name))).toThrowError(refused);
});

test('a place that cannot be written is refused', () => {
  expect(() => makeFolder('/proc/tillgate/data')).toThrowError(expect.objectContaining({ code: 'folder.unusable' }));
});
