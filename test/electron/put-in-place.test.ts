/** Replacing the running version by another, with real programs of this system. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PutParts, putInPlace, startDetached, wayOf } from '../../electron/put-in-place.ts';
import { systemClock } from '../../src/base/clock.ts';

test.each([
  ['/x/1.exe', undefined, 'installer'],
  ['/x/1.AppImage', '/x/Tillgate.AppImage', 'appImage'],
  ['/x/1.AppImage', undefined, 'person'],
  ['/x/1.deb', undefined, 'person'],
  ['/x/1.zip', undefined, 'person'],
  ['/x/1.dmg', undefined, 'person'],
] as const)('%s of %s is applied by the %s', (installer, appImage, way) => {
  expect(wayOf({ installer, appImage })).toBe(way);
});

test('a Windows installer is started silently, and a package is left to its administrator', async () => {
  const started: string[] = [];
  const start = async (program: string, args: readonly string[]) => {
    started.push([program, ...args].join(' '));
    return { staysAlive: async () => true };
  };
  const lock = { release() {}, take() {} };
  const parts = { args: ['--kiosk'], program: '/x/Tillgate.exe', freeBytes: () => 0, lock, start };
  await putInPlace({ ...parts, installer: '/x/1.exe' });
  expect(started).toEqual(['/x/1.exe --updated /S --force-run']);
  await expect(putInPlace({ ...parts, installer: '/x/1.deb' })).rejects.toThrow('administrator');
  expect(started).toHaveLength(1);
});

describe.runIf(process.platform === 'linux')('an AppImage', () => {
  let folder = '';
  let running: ChildProcess;
  let lock: Server | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'put-'));
    program('Tillgate.AppImage', '/bin/sleep');
    running = spawn(at('Tillgate.AppImage'), ['600'], { stdio: 'ignore' });
  });
  afterEach(() => {
    running.kill('SIGKILL');
    lock?.close();
    lock = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (name: string): string => join(folder, name);
  const program = (name: string, from: string): string => {
    copyFileSync(from, at(name));
    chmodSync(at(name), 0o755);
    return at(name);
  };
  const calls: string[] = [];
  /** A version is watched for only half a second here, because failing programs fail at once. */
  const quick = { ...systemClock, after: (ms: number, task: () => void) => systemClock.after(Math.min(ms, 500), task) };
  const parts = (installer: string, change: Partial<PutParts> = {}): PutParts => ({
    installer,
    appImage: at('Tillgate.AppImage'),
    ...{ args: [], program: at('Tillgate.AppImage'), freeBytes: () => 0 },
    lock: { release: () => void calls.push('released'), take: () => void calls.push('taken') },
    start: (command, args) => startDetached(command, args, quick),
    ...change,
  });
  const isInstalled = (name: string): boolean => readFileSync(at('Tillgate.AppImage')).equals(readFileSync(name));

  test('is not overwritten while it runs, because the system refuses that', () => {
    expect(() => copyFileSync('/bin/true', at('Tillgate.AppImage'))).toThrow(/ETXTBSY/);
  });

  /** Runs as long as the program that it replaces. */
  const tailArguments = (): string[] => ['-f', '--pid', String(running.pid), '/dev/null'];

  test('is replaced while it runs: the new one starts, the old one continues until it ends itself', async () => {
    await putInPlace(parts(program('2.AppImage', '/usr/bin/tail'), { args: tailArguments() }));
    expect(isInstalled('/usr/bin/tail')).toBe(true);
    expect(running.exitCode).toBeNull();
    expect(running.kill(0)).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['2.AppImage', 'Tillgate.AppImage']);
  });

  test.each([
    ['fails at once', '/bin/false'],
    ['ends at once with status 0', '/bin/true'],
    ['is no program', '/etc/passwd'],
  ])('a version that %s is removed again, and this one keeps the lock', async (_, from) => {
    calls.length = 0;
    await expect(putInPlace(parts(program('2.AppImage', from)))).rejects.toThrow();
    expect(isInstalled('/bin/sleep')).toBe(true);
    expect(calls).toEqual(['released', 'taken']);
    expect(readdirSync(folder).toSorted()).toEqual(['2.AppImage', 'Tillgate.AppImage']);
  });

  test.each([
    ['its installer is missing', 'nowhere.AppImage', 'Tillgate.AppImage'],
    ['it was moved away meanwhile', 'Tillgate.AppImage', 'moved.AppImage'],
  ])('nothing is started if %s', async (_, installer, appImage) => {
    calls.length = 0;
    const put = parts(at(installer), { appImage: at(appImage) });
    await expect(putInPlace(put)).rejects.toThrow(/ENOENT/);
    expect(calls).toEqual([]);
    expect(isInstalled('/bin/sleep')).toBe(true);
    expect(readdirSync(folder)).toEqual(['Tillgate.AppImage']);
  });

  /** This process is the running app: it holds the lock. */
  const locked = async (): Promise<PutParts['lock']> => {
    const server = createServer().listen(at('lock'));
    lock = server;
    await new Promise((listening) => void server.once('listening', listening));
    return { release: () => void server.close(), take() {} };
  };
  const lockedApp = (): string => {
    const child = join(import.meta.dirname, 'locked-app.ts');
    const script = `#!/bin/sh\nexec '${process.execPath}' '${child}' '${at('lock')}' '${at('runs')}'\n`;
    writeFileSync(at('2.AppImage'), script, { mode: 0o755 });
    return at('2.AppImage');
  };
  /** Until the started app has reported that it runs. */
  const runs: PutParts['start'] = async (command, args) => {
    const started = await startDetached(command, args);
    return {
      async staysAlive(ms) {
        const hasEnded = started.staysAlive(ms).then(() => true);
        const pause = () => new Promise<false>((resolve) => void systemClock.after(20, () => resolve(false)));
        while (!existsSync(at('runs'))) if (await Promise.race([hasEnded, pause()])) return false;
        return true;
      },
    };
  };

  test('the started version gets the lock, and is not ended by the one that it replaces', async () => {
    await putInPlace(parts(lockedApp(), { lock: await locked(), start: runs }));
    process.kill(Number(readFileSync(at('runs'), 'utf8')), 'SIGKILL');
  });

  test('a running app that keeps the lock would end it', async () => {
    const { take } = await locked();
    await expect(putInPlace(parts(lockedApp(), { lock: { take, release() {} }, start: runs }))).rejects.toThrow();
    expect(isInstalled('/bin/sleep')).toBe(true);
  });
});
