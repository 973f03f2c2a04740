/** A version that does not work, with the notes and stored installers on a real disk. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { goBackIfBad } from '../../electron/trial.ts';
import { updateFiles } from '../../electron/update-files.ts';
import { onInstall } from '../../electron/updates.ts';

let folder = '';
let lines: string[] = [];
/** Whether version 1's installer starts, attempt by attempt; at every further attempt it does. */
let starts: boolean[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'go-back-'));
  lines = [];
  starts = [];
  const files = updateFiles(folder);
  for (const name of ['1.exe', '2.exe']) writeFileSync(join(folder, name), name);
  const initial = { kept: [files.keep('1', join(folder, '1.exe'))], bad: [], first: '1' };
  const { state } = onInstall(initial, { from: '1', to: files.keep('2', join(folder, '2.exe')), args: [] });
  files.write(state);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const started = (version: string): Promise<boolean> =>
  goBackIfBad({
    version,
    files: updateFiles(folder),
    put: {
      ...{ args: ['--kiosk'], program: join(folder, 'Tillgate.exe'), freeBytes: () => 1e12 },
      lock: { release() {}, take() {} },
      async start(command) {
        lines.push(`started ${command.slice(folder.length + 1)}`);
        return { staysAlive: async () => starts.shift() ?? true };
      },
    },
    crash: (_, how) => void lines.push(how),
  });

/** Starts version 2 this often; it dies each time. */
const bad = async (times: number): Promise<boolean[]> => {
  const all: boolean[] = [];
  for (let start = 0; start < times; start += 1) all.push(await started('2'));
  return all;
};

const TRY = `started ${join('installers', '1.exe')}`;
const FAILED = 'could not go back to version 1: it ended as soon as it was started';
const BACK = 'went back to version 1: this one ended again and again';

test('the fourth start puts the previous version in place, with the arguments of this one', async () => {
  expect(await bad(4)).toEqual([false, false, false, true]);
  expect(lines).toEqual([TRY, BACK]);
  expect(updateFiles(folder).read()).toMatchObject({ bad: ['2'], args: ['--kiosk'] });
  expect(await started('1')).toBe(false);
  expect(lines).toHaveLength(2);
  expect(updateFiles(folder).read()).not.toHaveProperty('trial');
});

test('the next start retries going back after a failure', async () => {
  starts = [false];
  expect(await bad(5)).toEqual([false, false, false, false, true]);
  expect(lines).toEqual([TRY, FAILED, TRY, BACK]);
  expect(updateFiles(folder).read().bad).toEqual(['2']);
});

test('going back is retried if it seemed to work and did not: an installer fails after this app has ended', async () => {
  expect(await bad(5)).toEqual([false, false, false, true, true]);
});

test('after three attempts to go back the version continues and stays', async () => {
  starts = [false, false, false];
  expect(await bad(10)).toEqual(Array(10).fill(false));
  expect(lines).toEqual([TRY, FAILED, TRY, FAILED, TRY, FAILED]);
});

test('a start of the old version after an update is recorded and counted', async () => {
  for (let times = 1; times <= 2; times += 1) {
    const files = updateFiles(folder);
    expect(await started('1')).toBe(false);
    expect(files.read()).toMatchObject({ failed: { version: '2', times } });
    expect(files.read()).not.toHaveProperty('trial');
    const to = files.keep('2', join(folder, '2.exe'));
    files.write(onInstall(files.read(), { from: '1', to, args: [] }).state);
  }
  expect(lines).toEqual(Array(2).fill('version 2 was installed and is not in place: version 1 continues'));
});

test.runIf(process.platform === 'linux')(
  'a full disk accepts no note: the version continues, and puts none in place',
  async () => {
    await bad(3);
    symlinkSync('/dev/full', join(folder, 'updates.json.new'));
    expect(await started('2')).toBe(false);
    expect(lines).toEqual([expect.stringContaining('this start could not be noted: ENOSPC')]);
    expect(await started('2')).toBe(true);
  },
);
