/** The licences of everything that is shipped: every package has an approved licence and its text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Lock, noticeOf, notices, shippedPlaces } from '../../build/notices.ts';

const root = join(import.meta.dirname, '../..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
const created = notices();
const names = new Set(
  [...created.matchAll(/^={80}\n(\S+) (\S+) \((.+)\)$/gm)].map(([, name, version]) => `${name} ${version}`),
);

test('lists each package that runs with the product, by name and version', () => {
  const expected = Object.entries(lock.packages)
    .filter(([place, { dev }]) => place !== '' && dev !== true)
    .map(([place, { version }]) => `${place.replace(/^.*node_modules\//, '')} ${version}`);
  expect(expected.length).toBeGreaterThan(100);
  expect(expected.filter((notice) => !names.has(notice))).toEqual([]);
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
])('lists %s, which is bundled into the pages or shipped with the program', (name) =>
  expect([...names].some((notice) => notice.startsWith(`${name} `))).toBe(true),
);

test.each(['vitest', 'typescript', '@biomejs/biome', '@types/react', 'electron-builder'])(
  'does not list %s, which is for development',
  (name) => expect([...names].some((notice) => notice.startsWith(`${name} `))).toBe(false),
);

test('has a text for each, and is the same for the same lock file', () => {
  const parts = created.split(/^={80}\n(?=\S+ \S+ \(.+\)\n\n)/m).slice(1);
  expect(parts).toHaveLength(names.size);
  expect(parts.filter((part) => part.split('\n\n').slice(1).join('').trim().length < 40)).toEqual([]);
  expect(notices()).toBe(created);
});

test.each([
  ['AGPL-3.0', 'is not an approved licence'],
  ['MIT AND GPL-3.0', 'is not an approved licence'],
  ['(GPL-3.0 OR AGPL-3.0)', 'is not an approved licence'],
  [undefined, 'is not an approved licence'],
  ['Apache-2.0', 'the text of its licence is missing'],
])('rejects a package under %s by name: %s', (license, reason) => {
  const locked = { version: '1.0.0', license };
  expect(() => noticeOf('node_modules/nowhere-at-all', locked)).toThrow(reason);
  expect(() => noticeOf('node_modules/nowhere-at-all', locked)).toThrow('nowhere-at-all');
});

test("finds the dependencies of a page's imports where npm puts them, a package's own copy first", () => {
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
  expect(shippedPlaces({ packages }, ['page'])).toEqual([
    'node_modules/other',
    'node_modules/page',
    'node_modules/page/node_modules/deep',
    'node_modules/peer',
    'node_modules/runs',
  ]);
});
