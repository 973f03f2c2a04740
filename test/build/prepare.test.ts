/** `npm ci` without a bundler keeps an earlier build while no source is newer. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepare-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (path: string, changedAt: number): void => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  utimesSync(file, changedAt, changedAt);
};

test.each([
  ['newer than every source', 300, true],
  ['older than a source', 150, false],
])('a program %s', (_, madeAt, isKept) => {
  place('src/cli/main.ts', 100);
  place('drivers/mpi/codec.ts', 200);
  place('dist/gateway/source.txt', madeAt);
  mkdirSync(join(folder, 'build'));
  const script = join(folder, 'build/prepare.mjs');
  copyFileSync(join(import.meta.dirname, '../../build/prepare.mjs'), script);
  // The folders have the time of this test. Only files count.
  for (const path of ['drivers/mpi', 'src/cli']) utimesSync(join(folder, path), 100, 100);
  execFileSync(process.execPath, [script]);
  expect(existsSync(join(folder, 'dist/gateway'))).toBe(isKept);
});
