/** Where the till's folder is: one for a counter, and never another one than that in which a till was begun. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { dataFolder, isSecondTill } from '../../electron/place-till.ts';

const own = join('/users/anna/app', 'till');
const shared = join('/program-data', 'Tillgate', 'till');

test.each([
  { is: 'of Linux', platform: 'linux', begun: [], folder: own },
  { is: 'of a new till on Windows', platform: 'win32', begun: [], folder: shared },
  { is: 'of a till that another login began', platform: 'win32', begun: [shared], folder: shared },
  { is: 'of a till that an older version began', platform: 'win32', begun: [own], folder: own },
  { is: 'where another login began one beside it', platform: 'win32', begun: [own, shared], folder: own },
  { is: 'that was named', platform: 'win32', begun: [own], argv: ['--data', 'D:\\till'], folder: 'D:\\till' },
  { is: 'of a Windows that does not say', platform: 'win32', begun: [], programData: undefined, folder: own },
])('the folder $is is $folder', ({ platform, begun, folder, argv = [], ...rest }) => {
  const programData = 'programData' in rest ? rest.programData : '/program-data';
  const parts = { argv: ['app', ...argv], userData: '/users/anna/app', platform, programData };
  expect(dataFolder({ ...parts, holdsTill: (at) => (begun as readonly string[]).includes(at) })).toBe(folder);
});

test.each(['till.json', 'journal.db', join('live', 'journal.db')])(
  'a till of which %s is left is a till that was begun, and no other one takes its place',
  (left) => {
    const folder = mkdtempSync(join(tmpdir(), 'data-folder-'));
    try {
      const kept = join(folder, 'anna', 'till', left);
      mkdirSync(dirname(kept), { recursive: true });
      writeFileSync(kept, 'kept');
      const parts = { argv: [], userData: join(folder, 'anna'), platform: 'win32', programData: folder };
      expect(dataFolder(parts)).toBe(join(folder, 'anna', 'till'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test.each([
  ['a new till', [], false],
  ['a till of this login alone', [own], false],
  ['the till of all logins', [shared], false],
  ['a till of this login beside that of all', [own, shared], true],
] as const)('%s is told as a second till: %#', (_, begun, isSecond) => {
  const parts = { argv: [], userData: '/users/anna/app', platform: 'win32', programData: '/program-data' };
  const holdsTill = (at: string): boolean => (begun as readonly string[]).includes(at);
  expect(isSecondTill({ ...parts, holdsTill })).toBe(isSecond);
  expect(isSecondTill({ ...parts, argv: ['app', '--data', own], holdsTill })).toBe(false);
  expect(isSecondTill({ ...parts, platform: 'linux', holdsTill })).toBe(false);
});
