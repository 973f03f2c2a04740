/** Another program holds a file open on Windows: the rename is retried for three seconds, then fails by name. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RenameCalls, renameFile, replaceFile } from '../../src/base/files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replace-file-'));
  writeFileSync(join(folder, 'a'), 'old');
  writeFileSync(join(folder, 'a.new'), 'fresh');
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name = 'a'): string => join(folder, name);

/** A disk that refuses this many renames with this code, and how long the thread waited. */
const refuseRenames = (times: number, code: string, isWindows = true) => {
  let left = times;
  const waitedMs: number[] = [];
  const renaming: RenameCalls = {
    isWindows,
    pause: (ms) => void waitedMs.push(ms),
    rename(from, to) {
      if (left-- > 0) throw Object.assign(new Error(`${code}: rename`), { code });
      renameSync(from, to);
    },
  };
  return { renaming, stoodMs: () => waitedMs.reduce((sum, ms) => sum + ms, 0) };
};

test.each(['EPERM', 'EACCES', 'EBUSY'])('waits for a short %s', (code) => {
  const { renaming, stoodMs: totalWaitMs } = refuseRenames(3, code);
  replaceFile(file('a.new'), file(), renaming);
  expect(readFileSync(file(), 'utf8')).toBe('fresh');
  expect(totalWaitMs()).toBe(80);
});

test('a file that stays open is reported by name, and nothing is left behind', () => {
  const { renaming, stoodMs: totalWaitMs } = refuseRenames(Number.POSITIVE_INFINITY, 'EPERM');
  const held = expect.objectContaining({ code: 'file.held', facts: { file: file() } });
  expect(() => replaceFile(file('a.new'), file(), renaming)).toThrowError(held);
  expect(readdirSync(folder)).toEqual(['a']);
  expect(readFileSync(file(), 'utf8')).toBe('old');
  expect(totalWaitMs()).toBeLessThan(3_000);
});

test('a file that cannot be renamed stays', () => {
  const { renaming } = refuseRenames(Number.POSITIVE_INFINITY, 'EBUSY');
  expect(() => renameFile(file('a.new'), file('b'), renaming)).toThrowError(/open/);
  expect(existsSync(file('a.new'))).toBe(true);
});

test.each([
  ['another error on Windows', 'ENOSPC', true],
  ['a folder’s permissions on other systems', 'EACCES', false],
])('%s is reported at once', (_, code, isWindows) => {
  const { renaming, stoodMs: totalWaitMs } = refuseRenames(Number.POSITIVE_INFINITY, code, isWindows);
  expect(() => replaceFile(file('a.new'), file(), renaming)).toThrowError(code);
  expect(totalWaitMs()).toBe(0);
  expect(readdirSync(folder)).toEqual(['a']);
});
