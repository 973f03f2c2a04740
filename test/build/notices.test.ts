/** The licences of all that is shipped: every package has one that was agreed to, and its text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Lock, noticeOf, notices, shipped } from '../../build/notices.ts';

const root = join(import.meta.dirname, '../..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
const made = notices();
const named = new Set(
  [...made.matchAll(/^={80}\n(\S+) (\S+) \((.+)\)$/gm)].map(([, name, version]) => `${name} ${version}`),
);

test('each package that runs with the product is in it, by name and version', () => {
  const wanted = Object.entries(lock.packages)
    .filter(([place, { dev }]) => place !== '' && dev !== true)
    .map(([place, { version }]) => `${place.replace(/^.*node_modules\//, '')} ${version}`);
  expect(wanted.length).toBeGreaterThan(100);
  expect(wanted.filter((one) => !named.has(one))).toEqual([]);
});

test.each([
  'react',
  'react-dom',
  'recharts',
  'd3-shape',
  'victory-vendor',
  '@mantine/core',
  'wouter',
  'electron',
  'noto-sans',
  'tabler-icons',
])('%s, which is built into the pages or comes with the program, is in it', (name) =>
  expect([...named].some((one) => one.startsWith(`${name} `))).toBe(true),
);

test.each(['vitest', 'typescript', '@biomejs/biome', '@types/react', 'electron-builder'])(
  '%s, which develops it, is not',
  (name) => expect([...named].some((one) => one.startsWith(`${name} `))).toBe(false),
);

test('each stands with a text, and it is the same of the same lock', () => {
  const parts = made.split(/^={80}\n(?=\S+ \S+ \(.+\)\n\n)/m).slice(1);
  expect(parts).toHaveLength(named.size);
  expect(parts.filter((part) => part.split('\n\n').slice(1).join('').trim().length < 40)).toEqual([]);
  expect(notices()).toBe(made);
});

test.each([
  ['AGPL-3.0', 'is not a licence that was agreed to'],
  ['MIT AND GPL-3.0', 'is not a licence that was agreed to'],
  ['(GPL-3.0 OR AGPL-3.0)', 'is not a licence that was agreed to'],
  [undefined, 'is not a licence that was agreed to'],
  ['Apache-2.0', 'there is no text of its licence'],
])('a package under %s is refused by name: %s', (license, why) => {
  const locked = { version: '1.0.0', license };
  expect(() => noticeOf('node_modules/nowhere-at-all', locked)).toThrow(why);
  expect(() => noticeOf('node_modules/nowhere-at-all', locked)).toThrow('nowhere-at-all');
});

test('what is needed by what a page imports is found where npm puts it, its own before another’s', () => {
  const packages = {
    '': {},
    'node_modules/page': {
      dev: true,
      dependencies: { deep: '1' },
      peerDependencies: { peer: '1', '@types/peer': '1' },
    },
    'node_modules/page/node_modules/deep': { dev: true, dependencies: { other: '1' } },
    'node_modules/deep': { dev: true },
    'node_modules/other': { dev: true },
    'node_modules/peer': { dev: true },
    'node_modules/@types/peer': { dev: true },
    'node_modules/tool': { dev: true },
    'node_modules/runs': {},
  };
  expect(shipped({ packages }, ['page'])).toEqual([
    'node_modules/other',
    'node_modules/page',
    'node_modules/page/node_modules/deep',
    'node_modules/peer',
    'node_modules/runs',
  ]);
});
