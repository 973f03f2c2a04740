/** The fate of a downloaded update: installed on an idle till, left to a person, or undone. */
import type { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keepOwnInstaller } from '../../electron/trial.ts';
import { updateFiles } from '../../electron/update-files.ts';
import { nothingYet } from '../../electron/updates.ts';
import { openUpdaterRig } from './updater-rig.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'updater-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const installer = join('installers', '2.exe');
/** A file with this name is on a full disk: the system’s own device fails each write. */
const full = (...name: string[]): void => symlinkSync('/dev/full', join(folder, ...name));

test('a till for one user ends gracefully, and releases the lock before the installer is started', async () => {
  const { files, lines } = await openUpdaterRig({ folder });
  expect(lines).toEqual(['till ended', 'lock released', `started ${installer}`, 'left']);
  expect(files.read()).toMatchObject({
    ...{ kept: [{ version: '2' }], trial: { version: '2', before: '1', starts: 0 } },
    args: ['--kiosk'],
  });
});

test('a customer who comes while the installer is copied is served: the till waits to be idle again', async () => {
  const quiet = [...Array(10).fill({ quiet: true }), { quiet: false, reason: 'a sale is in progress' }];
  const rig = await openUpdaterRig({ folder, quiet });
  expect(rig.lines).toEqual([]);
  expect(rig.files.read().trial).toBeUndefined();
  const { lines } = await openUpdaterRig({ folder, quiet, minutes: 25 });
  expect(lines).toEqual(['till ended', 'lock released', `started ${installer}`, 'left']);
});

describe('nothing is ended, and the reason is reported, if', () => {
  test.each([
    {
      is: 'it is installed for everybody',
      programFiles: 'C:\\Program Files',
      says: ['programFiles', 'remove Tillgate in the Windows settings'],
    },
    { is: 'it is a package', platform: 'linux', file: '2.deb', says: ['package', 'sudo apt install'] },
    { is: 'the installer would fill the disk', freeBytes: () => 8 * 'version 2'.length - 1, says: ['room', '1 MB'] },
  ])('$is', async ({ is: _, says: [code, text], ...wish }) => {
    const { lines } = await openUpdaterRig({ folder, ...wish });
    expect(lines).toEqual([expect.stringMatching(`^told updates.${code}: .*${text}`)]);
  });

  test('a disk that does not report its free space does not count as full', async () => {
    const freeBytes = (): number => {
      throw new Error('ENOSYS');
    };
    expect((await openUpdaterRig({ folder, freeBytes })).lines.at(-1)).toBe('left');
  });

  test('the installer cannot be kept', async () => {
    writeFileSync(join(folder, 'installers'), '');
    const { lines } = await openUpdaterRig({ folder });
    expect(lines).toEqual([expect.stringContaining('reported: '), expect.stringContaining('told updates.failed')]);
  });

  describe.runIf(process.platform === 'linux')('on Linux', () => {
    test('the notes fill the disk; the file prepared beside an AppImage is removed', async () => {
      writeFileSync(join(folder, 'T.AppImage'), 'version 1');
      full('updates.json.new');
      const request = { folder, platform: 'linux', file: '2.AppImage', appImage: join(folder, 'T.AppImage') };
      const { lines } = await openUpdaterRig(request);
      expect(readdirSync(folder).toSorted()).toEqual(['2.AppImage', 'T.AppImage', 'installers']);
      expect(lines).toEqual([
        expect.stringContaining('reported: ENOSPC'),
        expect.stringMatching('^told updates.room: .*The current version keeps working'),
      ]);
    });

    test('an AppImage is in a folder that cannot be written', async () => {
      const { lines } = await openUpdaterRig({
        folder,
        platform: 'linux',
        file: '2.AppImage',
        appImage: '/proc/T.AppImage',
      });
      expect(lines).toEqual([expect.stringMatching('^told updates.folder: .* /proc: .*Move the AppImage')]);
    });

    test('an AppImage cannot have another one beside it', async () => {
      writeFileSync(join(folder, 'T.AppImage'), 'version 1');
      mkdirSync(join(folder, 'T.AppImage.before'));
      const request = { folder, platform: 'linux', file: '2.AppImage', appImage: join(folder, 'T.AppImage') };
      const { lines, files } = await openUpdaterRig(request);
      expect(lines).toEqual([expect.stringContaining('reported: '), expect.stringContaining('told updates.failed')]);
      expect(files.read()).toMatchObject(nothingYet);
    });
  });
});

describe('the till is restarted, and the reason is reported, if', () => {
  const refused = () => Promise.reject(new Error('spawn EACCES'));
  const expected = ['till ended', 'lock released', `started ${installer}`, 'lock taken'];
  const message = expect.stringMatching('^told updates.failed: .*The current version keeps working');

  test.each([
    { is: 'its installer does not start', start: refused, reason: 'spawn EACCES' },
    {
      is: 'its installer ends at once',
      start: async () => ({ staysAlive: async () => false }),
      reason: 'it ended as soon',
    },
  ])('$is', async ({ start, reason }) => {
    const { files, lines } = await openUpdaterRig({ folder, start });
    expect(lines).toEqual([...expected, expect.stringContaining(`reported: ${reason}`), 'till resumed', message]);
    expect(files.read().trial).toBeUndefined();
  });

  test.runIf(process.platform === 'linux')('the disk is full by then, and accepts no note', async () => {
    const start = () => {
      full('updates.json.new');
      return refused();
    };
    const { lines } = await openUpdaterRig({ folder, start });
    const reports = ['reported: spawn EACCES', expect.stringContaining('reported: ENOSPC')];
    expect(lines).toEqual([...expected, ...reports, 'till resumed', message]);
  });
});

test('a version that could not be installed three times is left alone; the next one is not', async () => {
  const start = () => Promise.reject(new Error('spawn EACCES'));
  const { files, lines } = await openUpdaterRig({ folder, start, times: 5 });
  expect(lines.filter((one) => one === 'till ended')).toHaveLength(3);
  expect(lines.slice(-2)).toEqual(Array(2).fill(expect.stringContaining('told updates.gaveUp: Installing version 2 ')));
  files.write({ ...nothingYet, failed: { version: '1.9', times: 3 } });
  expect((await openUpdaterRig({ folder })).lines.at(-1)).toBe('left');
});

test('a version that did not work is not installed again', async () => {
  updateFiles(folder).write({ ...nothingYet, bad: ['2'] });
  expect((await openUpdaterRig({ folder })).lines).toEqual([expect.stringContaining('told updates.bad: Version 2 ')]);
});

describe('on a Mac', () => {
  const mac = () => ({ folder, platform: 'darwin', file: '2.zip' });

  test('its own updater has verified the version before the till is ended, and ends the app', async () => {
    const { lines } = await openUpdaterRig(mac());
    expect(lines).toEqual(['taken', 'till ended', 'left to the updater']);
  });

  test('a version that its own updater refuses ends nothing', async () => {
    const take = () => Promise.reject(new Error('the signature does not fit'));
    const { lines } = await openUpdaterRig({ ...mac(), take });
    const message = expect.stringMatching(
      '^told updates.failed: .*the signature does not fit.*The current version keeps working',
    );
    expect(lines).toEqual(['reported: the signature does not fit', message]);
  });

  const noShipIt = 'reported: no ShipIt';
  test.each([
    {
      is: 'fails',
      quitAndInstall: (emitter: EventEmitter) => void emitter.emit('error', new Error('no ShipIt')),
      reports: [noShipIt, noShipIt],
    },
    { is: 'does nothing', quitAndInstall() {}, reports: ['reported: the system’s own updater did not end the app'] },
  ])('the till is restarted if its own updater $is', async ({ reports, quitAndInstall }) => {
    const { lines } = await openUpdaterRig({ ...mac(), quitAndInstall });
    const message = expect.stringContaining('told updates.failed');
    expect(lines).toEqual(['taken', 'till ended', 'left to the updater', ...reports, 'till resumed', message]);
  });
});

test.each([
  { is: 'an AppImage is its own installer', platform: 'linux', appImage: 'Tillgate.AppImage', stored: '1.AppImage' },
  { is: 'Windows has a copy of the last one', platform: 'win32', appImage: undefined, stored: '1.exe' },
  { is: 'a package has none', platform: 'linux', appImage: undefined, stored: undefined },
])('the first version here is stored before any update: $is', ({ platform, appImage, stored }) => {
  const files = updateFiles(join(folder, 'user'));
  const leftover = join(folder, 'tillgate-updater');
  mkdirSync(leftover);
  for (const file of [join(leftover, 'installer.exe'), join(folder, 'Tillgate.AppImage')])
    writeFileSync(file, 'version 1');
  const parts = { version: '1', platform, appImage: appImage && join(folder, appImage), localAppData: folder, files };
  keepOwnInstaller(parts);
  keepOwnInstaller(parts);
  const { kept: all, first } = files.read();
  expect([all.map(({ installer }) => installer.slice(join(folder, 'user', 'installers').length + 1)), first]).toEqual(
    stored === undefined ? [[], undefined] : [[stored], '1'],
  );
});
