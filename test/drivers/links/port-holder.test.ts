/** Which program holds a port: found among the processes of this machine, and reported with its remedy. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { describeHolders, holdersOf } from '../../../drivers/links/port-words.ts';
import { posixTest } from '../../support/platform/platform.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

type Process = { comm: string; cmdline?: string; opens?: readonly string[] };

/** A folder that looks like /proc. */
const procOf = (processes: Readonly<Record<string, Process>>): string => {
  const proc = mkdtempSync(join(tmpdir(), 'proc-'));
  folders.push(proc);
  for (const [pid, { comm, cmdline = comm, opens = [] }] of Object.entries(processes)) {
    mkdirSync(join(proc, pid, 'fd'), { recursive: true });
    writeFileSync(join(proc, pid, 'comm'), `${comm}\n`);
    writeFileSync(join(proc, pid, 'cmdline'), cmdline);
    for (const [at, path] of opens.entries()) symlinkSync(path, join(proc, pid, 'fd', String(at)));
  }
  return proc;
};

const port = '/dev/ttyNONE7';

posixTest.each<[string, Record<string, Process>, RegExp]>([
  [
    'a program',
    { 812: { comm: 'minicom', cmdline: '/usr/bin/minicom\0-D', opens: ['/dev/null', port] } },
    /^minicom \(process 812\) holds it; close that program$/,
  ],
  [
    'a script, without its arguments',
    { 9: { comm: 'node', cmdline: '/usr/bin/node\0/srv/reader.js\0--key=4761739001010119', opens: [port] } },
    /^node reader\.js \(process 9\) holds it; close that program$/,
  ],
  [
    'ModemManager',
    { 31: { comm: 'ModemManager', opens: [port] } },
    /modem.*install-udev-rules\.sh.*systemctl stop ModemManager/,
  ],
  [
    'brltty, whose files are not readable',
    { 32: { comm: 'brltty' } },
    /^another program holds it, perhaps brltty \(process 32\): .*apt remove brltty/,
  ],
  ['no visible holder', { 1: { comm: 'init' } }, /^another program holds it$/],
  [
    'others before ourselves',
    { 7: { comm: 'node', opens: [port] }, 8: { comm: 'cat', opens: [port] } },
    /^cat \(process 8\) holds it/,
  ],
  ['only ourselves', { 7: { comm: 'node', opens: [port] } }, /^this program itself has it open already$/],
])('%s', async (_, processes, pattern) => {
  const holders = await holdersOf(port, { proc: procOf(processes), self: 7 });
  expect(describeHolders(holders, 7)).toMatch(pattern);
});

posixTest('at most four are named, and none on a system without /proc', async () => {
  const manyProcesses = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [index + 10, { comm: 'cat', opens: [port] }]),
  );
  expect(await holdersOf(port, { proc: procOf(manyProcesses), self: 7 })).toHaveLength(4);
  expect(await holdersOf(port, { proc: '/nowhere', self: 7 })).toEqual([]);
});

test.runIf(process.platform === 'linux')('a file that this process has open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'held-'));
  folders.push(folder);
  const path = join(folder, 'file');
  writeFileSync(path, '');
  symlinkSync(path, join(folder, 'link'));
  const file = await open(path);
  try {
    expect(await holdersOf(join(folder, 'link'))).toEqual([
      expect.objectContaining({ pid: process.pid, seen: 'open' }),
    ]);
  } finally {
    await file.close();
  }
});
