/** A gateway's start loads no till: each file of one costs time before the gateway listens. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const STATIC = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+\.ts)';/gms;

/** All files that are loaded with this one. */
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
