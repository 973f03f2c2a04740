/** A second copy's folder is created only where its disk is present. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { liveCopyIn, makeCopyFolder } from '../../src/journal/copy-disk.ts';

let disk = '';
beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'disk-'));
});
afterEach(() => rmSync(disk, { recursive: true, force: true }));

const at = (...path: string[]): string => join(disk, ...path);

test.each([
  { is: 'the last folder', path: 'till-1', above: '' },
  { is: 'that of a live till, inside its test till’s folder', path: liveCopyIn('till-1'), above: '' },
  { is: 'that of a live till whose test till’s folder exists', path: liveCopyIn('till-1'), above: 'till-1' },
  { is: 'one that exists', path: 'till-1', above: 'till-1' },
])('$is is made', ({ path, above }) => {
  mkdirSync(at(above), { recursive: true });
  makeCopyFolder(at(path));
  expect(existsSync(at(path))).toBe(true);
});

test.each([
  { path: join('tills', 'till-1'), missing: 'tills' },
  { path: join('stick', 'tills', 'till-1'), missing: join('stick', 'tills') },
  { path: liveCopyIn(join('tills', 'till-1')), missing: 'tills' },
])('without the parent of $path nothing is created, and the fault names the parent', ({ path, missing }) => {
  expect(() => makeCopyFolder(at(path))).toThrow(new Error(`there is no folder ${at(missing)}`));
  expect(existsSync(at(missing))).toBe(false);
  expect(existsSync(at('stick'))).toBe(false);
});
