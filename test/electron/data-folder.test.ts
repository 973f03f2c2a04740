/** The till's folder: one per counter, and never another one than the folder of an existing till. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { dataFolder, isSecondTill } from '../../electron/place-till.ts';

const own = join('/users/anna/app', 'till');
const shared = join('/program-data', 'Tillgate', 'till');

test.each([
  { is: 'of Linux', platform: 'linux', begun: [], folder: own },
  { is: 'for a new till on Windows', platform: 'win32', begun: [], folder: shared },
  { is: 'for a till created by another login', platform: 'win32', begun: [shared], folder: shared },
  { is: 'for a till created by an older version', platform: 'win32', begun: [own], folder: own },
  { is: 'for two tills, one of another login', platform: 'win32', begun: [own, shared], folder: own },
  { is: 'that was named', platform: 'win32', begun: [own], argv: ['--data', 'D:\\till'], folder: 'D:\\till' },
  { is: 'for a Windows without a data folder', platform: 'win32', begun: [], programData: undefined, folder: own },
])('the folder $is is $folder', ({ platform, begun, folder, argv = [], ...rest }) => {
  const programData = 'programData' in rest ? rest.programData : '/program-data';
  const parts = { argv: ['app', ...argv], userData: '/users/anna/app', platform, programData };
  expect(dataFolder({ ...parts, holdsTill: (at) => (begun as readonly string[]).includes(at) })).toBe(folder);
});

test.each(['till.json', 'journal.db', join('live', 'journal.db')])(
  'a till of which only %s is left is an existing till, and no other replaces it',
  (left) => {
    const folder = mkdtempSync(join(tmpdir(), 'data-folder-'));
    try {
      const stored = join(folder, 'anna', 'till', left);
      mkdirSync(dirname(stored), { recursive: true });
      writeFileSync(stored, 'kept');
      const parts = { argv: [], userData: join(folder, 'anna'), platform: 'win32', programData: folder };
      expect(dataFolder(parts)).toBe(join(folder, 'anna', 'till'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test.each([
  ['a new till', [], false],
  ['a till of this login only', [own], false],
  ['the till of all logins', [shared], false],
  ['a till of this login beside that of all', [own, shared], true],
] as const)('%s counts as a second till or not: %#', (_, begun, isSecond) => {
  const parts = { argv: [], userData: '/users/anna/app', platform: 'win32', programData: '/program-data' };
  const holdsTill = (at: string): boolean => (begun as readonly string[]).includes(at);
  expect(isSecondTill({ ...parts, holdsTill })).toBe(isSecond);
  expect(isSecondTill({ ...parts, argv: ['app', '--data', own], holdsTill })).toBe(false);
  expect(isSecondTill({ ...parts, platform: 'linux', holdsTill })).toBe(false);
});
