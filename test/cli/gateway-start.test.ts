/**
 * A starting gateway loads no code of the till, and its payment thread loads no schema checker: both would delay it.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const STATIC = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+\.ts)';/gms;

const TYPES = /^import type [^;]*;/gm;

/** All files that this one imports, directly or not. */
const loadedWith = (path: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, to = ''] of readFileSync(join(root, path), 'utf8').matchAll(STATIC))
    loadedWith(relative(root, join(root, dirname(path), to)).replaceAll('\\', '/'), seen);
  return seen;
};

test.each(['src/cli/program.ts', 'src/cli/gateway/run.ts'])('%s loads no till', (path) => {
  const loaded = [...loadedWith(path)];
  expect(loaded).toContain('src/cli/terms.ts');
  expect(loaded.filter((each) => /^src\/(app\/st|journal|offline|queue|selling|terminals)/.test(each))).toEqual([]);
});

test.each(['src/gateway/server/embedded.ts', 'src/gateway/server/threads/core.ts'])('%s loads no zod', (path) => {
  const loaded = [...loadedWith(path)];
  expect(loaded).toContain('src/gateway/payments/authorise.ts');
  expect(
    loaded.filter((each) => / from 'zod'/.test(readFileSync(join(root, each), 'utf8').replace(TYPES, ''))),
  ).toEqual([]);
});
