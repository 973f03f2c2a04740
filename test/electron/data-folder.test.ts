/** The till's folder: one per counter, and never another one than the folder of an existing till. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { dataFolder, isSecondTill } from '../../electron/place-till.ts';

const perUser = join('/users/anna/app', 'till');
const shared = join('/program-data', 'Tillgate', 'till');

test.each([
  { is: 'of Linux', platform: 'linux', begun: [], folder: perUser },
  { is: 'for a new till on Windows', platform: 'win32', begun: [], folder: shared },
  { is: 'for a till created by another login', platform: 'win32', begun: [shared], folder: shared },
  { is: 'for a till created by an older version', platform: 'win32', begun: [perUser], folder: perUser },
  { is: 'for two tills, one of another login', platform: 'win32', begun: [perUser, shared], folder: perUser },
  { is: 'that was named', platform: 'win32', begun: [perUser], argv: ['--data', 'D:\\till'], folder: 'D:\\till' },
  { is: 'for a Windows without a data folder', platform: 'win32', begun: [], programData: undefined, folder: perUser },
])('the folder $is is $folder', ({ platform, begun: existing, folder, argv = [], ...rest }) => {
  const programData = 'programData' in rest ? rest.programData : '/program-data';
  const parts = { argv: ['app', ...argv], userData: '/users/anna/app', platform, programData };
  expect(dataFolder({ ...parts, holdsTill: (at) => (existing as readonly string[]).includes(at) })).toBe(folder);
});

test.each(['till.json', 'journal.db', join('live', 'journal.db')])(
  'a till of which only %s is left is an existing till, and no other replaces it',
  (remains) => {
    const folder = mkdtempSync(join(tmpdir(), 'data-folder-'));
    try {
      const stored = join(folder, 'anna', 'till', remains);
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
  ['a till of this login only', [perUser], false],
  ['the till of all logins', [shared], false],
  ['a till of this login beside that of all', [perUser, shared], true],
] as const)('%s counts as a second till or not: %#', (_, existing, isSecond) => {
  const parts = { argv: [], userData: '/users/anna/app', platform: 'win32', programData: '/program-data' };
  const holdsTill = (at: string): boolean => (existing as readonly string[]).includes(at);
  expect(isSecondTill({ ...parts, holdsTill })).toBe(isSecond);
  expect(isSecondTill({ ...parts, argv: ['app', '--data', perUser], holdsTill })).toBe(false);
  expect(isSecondTill({ ...parts, platform: 'linux', holdsTill })).toBe(false);
});
