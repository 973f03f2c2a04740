/** A till's folder on a disk without permissions: explained in words, and no useless command is suggested. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeOwnedFolder, rightsOf, rightsText } from '../../src/folder/rights/folder-rights.ts';
import type { AskWindows } from '../../src/folder/rights/windows-programs.ts';
import { posixTest } from '../support/platform/platform.ts';

const SID = 'S-1-5-21-3623811015-3361044348-30300820-1013';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rightless-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `list`: as icacls saves it. It reports success for every change, and changes nothing. */
const windows = ({ list = 'D:NO_ACCESS_CONTROL', volume = '' }: { list?: string; volume?: string }) => {
  const requests: string[][] = [];
  const ask: AskWindows = async (program, args) => {
    requests.push([program, ...args]);
    if (program === 'whoami') return { code: 0, out: `vm\\anna ${SID}` };
    if (program === 'fsutil') return { code: volume === '' ? 1 : 0, out: volume };
    if (args[1] === '/save') writeFileSync(args[2] ?? '', Buffer.from(`till\r\n${list}\r\n`, 'utf16le'));
    return { code: 0, out: '' };
  };
  return { ask, asked: requests };
};
const volume = (name: string, text = 'File System Name'): string =>
  `Volume Name : TILLS\r\nVolume Serial Number : 0x5ed2b1c3\r\n${text} : ${name}\r\nIs ReadWrite\r\n`;
const platform = 'win32' as const;
const rights = (path: string, ask: AskWindows) => rightsOf(path, { owners: 'user', platform, ask });

test.each([
  ['FAT32', volume('FAT32')],
  ['exFAT', volume('exFAT')],
  ['FAT', volume('FAT', 'Dateisystemname')],
])('recognises on Windows a stick with %s', async (fileSystem, text) => {
  const { ask, asked } = windows({ volume: text });
  expect(await rights(folder, ask)).toEqual({ state: 'rightless', fileSystem });
  expect(asked.at(-1)).toEqual(['fsutil', 'fsinfo', 'volumeinfo', expect.any(String)]);
});

test.each([
  ['NTFS that is open to everybody', volume('NTFS')],
  ['a Windows that does not tell', ''],
])('%s counts as open, with a command to correct it', async (_, text) => {
  expect(await rights(folder, windows({ volume: text }).ask)).toMatchObject({
    ...{ state: 'open', who: ['Everyone (S-1-1-0)'], cure: expect.stringContaining('icacls') },
  });
});

test('an unreadable list on such a disk counts as none', async () => {
  expect(await rights(folder, windows({ list: '', volume: volume('exFAT') }).ask)).toMatchObject({
    state: 'rightless',
  });
});

test('when the permissions are in order the disk is not checked', async () => {
  const { ask, asked } = windows({ list: `D:(A;OICI;FA;;;${SID})(A;OICI;FA;;;SY)`, volume: volume('FAT32') });
  expect(await rights(folder, ask)).toEqual({ state: 'own' });
  expect(asked.map(([program]) => program)).toEqual(['whoami', 'icacls']);
});

const linux = 'linux' as const;
posixTest.each([
  ['a stick with FAT', 0x4d44, { state: 'rightless', fileSystem: 'FAT' }],
  ['a stick with exFAT', 0x2011bab0, { state: 'rightless', fileSystem: 'exFAT' }],
  ['a disk with modes', 0xef53, { state: 'open', who: ['its group', 'other users'] }],
])('on Linux %s', async (_, type, expected) => {
  const secrets = join(folder, 'till.secrets.json');
  writeFileSync(secrets, '{}');
  chmodSync(secrets, 0o755);
  const options = { owners: 'user', platform: linux, diskType: () => type } as const;
  expect(await rightsOf(folder, options)).toMatchObject(expected);
  chmodSync(secrets, 0o600);
  expect(await rightsOf(folder, options)).toEqual({ state: 'own' });
});

test('the message says what it means and what to do, and never that anything was set', async () => {
  const [text, remedy, ...rest] = rightsText('E:\\till', { state: 'rightless', fileSystem: 'exFAT' });
  expect(text).toMatch(/E:\\till .*exFAT, which has no permissions.* anyone/);
  expect(remedy).toContain('move it to a disk with permissions');
  expect([rest, `${text}${remedy}`.includes('icacls')]).toEqual([[], false]);
});

test('a folder can be created there', () => {
  const path = join(folder, 'till');
  const programs = () => ({ code: 0, out: SID });
  expect(() => makeOwnedFolder(path, { owners: 'user', platform, programs })).not.toThrow();
});
