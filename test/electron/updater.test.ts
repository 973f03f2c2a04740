/** What becomes of an update that was fetched: installed on a quiet till, left to a person, or taken back. */
import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepOwnInstaller } from '../../electron/own-installer.ts';
import type { StartedProgram } from '../../electron/start-detached.ts';
import { updateFiles } from '../../electron/update-files.ts';
import { keepUpdated, type UpdaterParts } from '../../electron/updater.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
let clock: VirtualClock;
let said: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'updater-'));
  clock = virtualClock();
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Wish = Partial<Pick<UpdaterParts, 'platform' | 'isForEverybody'>> & {
  file?: string;
  start?: () => Promise<StartedProgram>;
};

/** Version 1, which has fetched version 2 and has been quiet for ten minutes. */
const updated = async ({ file = '2.exe', start, ...wish }: Wish) => {
  const files = updateFiles(folder);
  const downloadedFile = join(folder, file);
  writeFileSync(downloadedFile, 'version 2');
  const updater = Object.assign(new EventEmitter(), {
    ...{ autoDownload: false, autoInstallOnAppQuit: true, allowDowngrade: true },
    checkForUpdates: async () => null,
    quitAndInstall: () => void said.push('left to the updater'),
  });
  const lives = async (): Promise<boolean> => true;
  const stop = keepUpdated({
    ...{ updater: updater as unknown as UpdaterParts['updater'], clock, files, version: '1' },
    ...{ platform: 'win32', isForEverybody: false, ...wish },
    put: {
      args: ['--kiosk'],
      lock: { release: () => void said.push('lock released'), take: () => void said.push('lock taken') },
      start: async (command) => {
        said.push(`started ${command.slice(folder.length + 1)}`);
        return start === undefined ? { lives } : start();
      },
    },
    quiet: async () => ({ quiet: true }),
    end: async () => void said.push('till ended'),
    resume: () => void said.push('till resumed'),
    leave: () => void said.push('left'),
    tell: ({ why }) => void (why !== undefined && !why.includes('too short') && said.push(`told: ${why}`)),
    report: (error) => void said.push(`reported: ${String(error)}`),
  });
  updater.emit('update-downloaded', { version: '2', downloadedFile });
  for (let minute = 0; minute < 12; minute += 1) {
    await clock.settle();
    await clock.advance(60_000);
  }
  stop();
  return files;
};

test('a till for one user ends in peace, and gives the lock away before the installer is started', async () => {
  const files = await updated({});
  expect(said).toEqual(['till ended', 'lock released', `started ${join('installers', '2.exe')}`, 'left']);
  expect(files.read()).toMatchObject({
    ...{ kept: [{ version: '2' }], trial: { version: '2', before: '1', starts: 0 } },
    args: ['--kiosk'],
  });
});

test('an installer that does not start leaves no shop without a till, and nothing on trial', async () => {
  const files = await updated({ start: () => Promise.reject(new Error('spawn EACCES')) });
  expect(said).toEqual([
    ...['till ended', 'lock released', `started ${join('installers', '2.exe')}`, 'lock taken'],
    ...['reported: Error: spawn EACCES', 'till resumed', expect.stringContaining('could not be installed')],
  ]);
  expect(files.read().trial).toBeUndefined();
});

test.each([
  { is: 'one for everybody', isForEverybody: true, says: 'an administrator has to start' },
  { is: 'a package', platform: 'linux', file: '2.deb', says: 'sudo apt install' },
])('$is is left to the administrator: nothing is ended, and it is said', async ({ is: _, says, ...wish }) => {
  await updated(wish);
  expect(said).toEqual([expect.stringContaining(says)]);
});

test('on a Mac its own updater does it, once the till has ended', async () => {
  await updated({ platform: 'darwin', file: '2.zip' });
  expect(said).toEqual(['till ended', 'left to the updater']);
});

test.each([
  { is: 'an AppImage is its own installer', platform: 'linux', appImage: 'Tillgate.AppImage', kept: '1.AppImage' },
  { is: 'Windows has a copy of the last one', platform: 'win32', appImage: undefined, kept: '1.exe' },
  { is: 'a package has none', platform: 'linux', appImage: undefined, kept: undefined },
])('the first version here is kept before any update: $is', ({ platform, appImage, kept }) => {
  const files = updateFiles(join(folder, 'user'));
  const left = join(folder, 'tillgate-updater');
  mkdirSync(left);
  for (const file of [join(left, 'installer.exe'), join(folder, 'Tillgate.AppImage')]) writeFileSync(file, 'version 1');
  const own = { version: '1', platform, appImage: appImage && join(folder, appImage), localAppData: folder, files };
  keepOwnInstaller(own);
  keepOwnInstaller(own);
  const { kept: all, first } = files.read();
  expect([all.map(({ installer }) => installer.slice(join(folder, 'user', 'installers').length + 1)), first]).toEqual(
    kept === undefined ? [[], undefined] : [[kept], '1'],
  );
});
