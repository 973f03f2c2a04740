/**
 * An update on a disk that is really full: the till is not stopped for it, nothing is left behind, and it is installed
 * once there is room. Needs the right to mount a small disk in memory; skipped without it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openUpdaterRig } from '../electron/updater-rig.ts';

let root = '';
let disk = '';
const KB = 1024;
const mounted = (): boolean => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', disk]).status === 0;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'update-full-'));
  disk = join(root, 'disk');
  mkdirSync(disk);
});
afterEach(() => {
  spawnSync('umount', [disk]);
  rmSync(root, { recursive: true, force: true });
});

describe.each([
  { place: 'for the stored installer', kilobytes: 250 },
  { place: 'for the file beside the running one', kilobytes: 150 },
])('no room $place', ({ kilobytes }) => {
  test('the till keeps running, and the next check installs it', async ({ skip }) => {
    if (!mounted()) skip('it takes the right to mount: run it as root');
    const appImage = join(disk, 'Tillgate.AppImage');
    const fetched = Buffer.alloc(kilobytes * KB, 'version 2');
    writeFileSync(appImage, '#!/bin/sh\n');
    chmodSync(appImage, 0o755);
    const filler = join(disk, 'filler');
    writeFileSync(filler, Buffer.alloc(60 * KB));
    const request = { folder: disk, file: '2.AppImage', fetched, platform: 'linux', appImage };
    const { lines } = await openUpdaterRig(request);
    expect(lines).toEqual([
      expect.stringContaining('reported: ENOSPC'),
      expect.stringMatching('^told updates.room: .*The current version keeps working'),
    ]);
    expect(readdirSync(disk).toSorted()).not.toContainEqual(expect.stringMatching(/\.new|\.before/));
    rmSync(filler);
    spawnSync('mount', ['-o', 'remount,size=4m', disk]);
    expect((await openUpdaterRig(request)).lines.slice(-2)).toEqual(['started Tillgate.AppImage', 'left']);
  });
});
