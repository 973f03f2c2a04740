/** The PIN prompt at a real pseudo terminal: nothing is echoed, and the terminal is restored. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as nodePty from '@lydell/node-pty';
import { beforeEach, expect, test } from 'vitest';
import { program } from '../support/servers/program.ts';
import { closings, folder, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const PIN = '90217743';

beforeEach(() => writeFileSync(join(folder, 'empty'), ''));

/** A shell at its own terminal, so that the state the command leaves behind can be checked. */
const terminal = () => {
  const shell = nodePty.spawn('/bin/sh', [], {
    cols: 200,
    rows: 50,
    cwd: folder,
    env: { PS1: '$ ', PATH: '/usr/bin:/bin' },
  });
  let text = '';
  const waiting: { text: string; from: number; resolve(): void }[] = [];
  const check = () => {
    for (const waiter of [...waiting]) {
      if (!text.slice(waiter.from).includes(waiter.text)) continue;
      waiting.splice(waiting.indexOf(waiter), 1);
      waiter.resolve();
    }
  };
  shell.onData((portion) => {
    text += portion;
    check();
  });
  closings.push(() => shell.kill());
  return {
    type: (keys: string) => shell.write(keys),
    /** Resolves when the terminal shows this text, from now on. */
    shows: (text: string) =>
      new Promise<void>((resolve) => {
        waiting.push({ text, from: 0, resolve });
        check();
      }),
    get text() {
      return text;
    },
  };
};

const till = (...args: readonly string[]) => tillgate(['till', ...args, '--data', join(folder, 'till')]).ended;
const addCommand = `"${process.execPath}" "${program}" till staff add Ana --role manager --data "${join('.', 'till')}"`;

test('typed text is not shown, backspace deletes, and the terminal echoes again afterwards', async () => {
  const screen = terminal();
  const { type, shows: waitForText } = screen;
  type(`stty -a | grep -o '.echo ' > before; ${addCommand}; echo done=$?; stty -a | grep -o '.echo ' > after\r`);
  await waitForText('New PIN for Ana: ');
  type(`5${'\x7f'}${PIN.slice(0, 4)}\x1b[A${PIN.slice(4)}\r`);
  await waitForText('Once more: ');
  type(`${PIN}\r`);
  await waitForText('done=0');
  await waitForText('Ana is manager here now.');
  type('echo end=$((1 + 1))\r');
  await waitForText('end=2');
  expect(readFileSync(join(folder, 'after'), 'utf8')).toBe(readFileSync(join(folder, 'before'), 'utf8'));
  expect(screen.text).not.toContain(PIN.slice(0, 4));
  const file = join(folder, 'pin');
  writeFileSync(file, PIN, { mode: 0o600 });
  expect((await till('staff', 'list', '--as', 'Ana', '--pin-file', file)).out).toContain('manager     Ana');
});

test('pasted lines ending in CR LF answer both questions', async () => {
  const { type, shows: waitForText } = terminal();
  type(`${addCommand}; echo done=$?\r`);
  await waitForText('New PIN for Ana: ');
  type(`\x1b[200~${PIN}\r\n${PIN}\r\n\x1b[201~`);
  await waitForText('done=0');
});

test('Control-C ends the command, nobody is added, and typing is visible again', async () => {
  const { type, shows: waitForText } = terminal();
  type(`${addCommand}; echo done=$?; stty -a | grep -o '.echo '\r`);
  await waitForText('New PIN for Ana: ');
  type(`${PIN.slice(0, 3)}\x03`);
  await waitForText('done=2');
  await waitForText('\n echo ');
  expect((await till('staff', 'list')).err).toContain('Nobody yet');
});

test.each<[string, (line: string) => Uint8Array]>([
  ['with a mark, as PowerShell pipes', (line) => Buffer.from(`\uFEFF${line}`)],
  ['in UTF-16, as PowerShell writes files', (line) => Buffer.from(`\uFEFF${line}`, 'utf16le')],
  ['with CR alone', (line) => Buffer.from(line.replaceAll('\r\n', '\r'))],
])('a PIN %s is the same from a pipe and from a file', async (_, saved) => {
  const file = join(folder, 'pin');
  writeFileSync(file, saved(`${PIN}\r\n`), { mode: 0o600 });
  const add = (name: string, role: string) => ['staff', 'add', name, '--role', role, '--data', join(folder, 'till')];
  const piped = spawnSync(process.execPath, [program, 'till', ...add('Ana', 'manager')], {
    input: saved(`${PIN}\r\n`),
  });
  expect(piped.status, piped.stderr.toString()).toBe(0);
  const flags = ['--new-pin-file', file, '--as', 'Ana', '--pin-file', file];
  expect(await tillgate(['till', ...add('Ben', 'cashier'), ...flags]).ended).toMatchObject({ code: 0 });
});

test('a PIN that is not text is refused without showing a byte of it', () => {
  const add = ['till', 'staff', 'add', 'Ana', '--role', 'manager', '--data', join(folder, 'till')];
  const { status, stderr } = spawnSync(process.execPath, [program, ...add], { input: Buffer.from('12é4\n', 'latin1') });
  expect(status).toBe(2);
  expect(stderr.toString()).toMatch(/what was piped cannot be read: it is not UTF-8 text; save it as UTF-8/);
  expect(stderr.toString()).not.toMatch(/E9|é/);
});

test('a PIN from a pipe, from a private file, and from empty input', async () => {
  const file = join(folder, 'pin');
  writeFileSync(file, `${PIN}\r\n`, { mode: 0o600 });
  expect(await till('staff', 'add', 'Ana', '--role', 'manager', '--new-pin-file', file)).toMatchObject({ code: 0 });
  const add = ['staff', 'add', 'Ben', '--role', 'cashier', '--new-pin-file', file, '--as', 'Ana'];
  const silent = await till(...add);
  expect(silent).toMatchObject({ code: 2, err: expect.stringContaining('No PIN was given') });
  for (const mode of [0o644, 0o640, 0o604]) {
    chmodSync(file, mode);
    const open = await till(...add, '--pin-file', file);
    expect(open).toMatchObject({ code: 2, err: expect.stringContaining('can be read by others') });
  }
  chmodSync(file, 0o400);
  const added = await till(...add, '--pin-file', file);
  expect(added, added.err).toMatchObject({ code: 0 });
  for (const { out, err } of [silent, added]) expect(out + err).not.toContain(PIN);
});
