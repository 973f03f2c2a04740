/** The rules of the house, run over the whole tree. test/house/rules.test.ts proves that each of them can fail. */
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { faults } from '../src/base/faults.ts';
import { circles } from './house/circles.ts';
import { faultsUnused } from './house/fault-table.ts';
import { typeNamesShared } from './house/names.ts';
import { unlistedNightTests } from './house/night.ts';
import { roomCircles } from './house/room-circles.ts';
import { rules } from './house/rules.ts';
import { sourceOf } from './house/source.ts';
import { outsideMentions, pathsBelow, textAt } from './house/tree.ts';
import { folders } from './house/walls.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const paths = pathsBelow(root);
const texts = paths.flatMap((path) => {
  const text = path === 'package-lock.json' ? undefined : textAt(root, path);
  return text === undefined ? [] : [{ path, text }];
});
const sources = texts.filter(({ path }) => /\.tsx?$/.test(path)).map(({ path, text }) => sourceOf(path, text));

test('the whole tree is looked at', () => {
  expect(sources.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['src/base/money.ts', 'drivers/terminal.ts', 'test/house.test.ts', 'vitest.config.ts']),
  );
});

test.each(Object.entries(rules))('%s', (_, rule) => {
  expect(sources.flatMap(rule)).toEqual([]);
});

test('every folder is in the table', () => {
  expect(folders(paths)).toEqual([]);
});

test('no rooms see each other in a circle', () => {
  expect(roomCircles(sources)).toEqual([]);
});

test('no files import each other in a circle', () => {
  expect(circles(sources)).toEqual([]);
});

test('every row of the fault table is used', () => {
  expect(faultsUnused(Object.keys(faults), sources)).toEqual([]);
});

test('no two files export types of one name', () => {
  expect(typeNamesShared(sources)).toEqual([]);
});

test('what is tried by night alone is listed, and noticed by day', () => {
  expect(unlistedNightTests(sources, textAt(root, 'test/README.md') ?? '')).toEqual([]);
});

test('the project speaks of itself alone', () => {
  const known = new Set(paths.map((path) => posix.basename(path)));
  expect(texts.flatMap(({ path, text }) => outsideMentions(path, text, known))).toEqual([]);
});
