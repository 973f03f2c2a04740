/** `endProcesses` returns when the Windows program is gone, and not before. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { endProcesses, startedBy } from './processes.ts';

/** Imitates how Wine starts a program: the first argument is a Windows path. */
const start = async (word: string) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', word], {
    argv0: 'C:\\node\\node.exe',
  });
  const closed = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (startedBy([word]).length === 0) await new Promise((resolve) => setImmediate(resolve));
  return { child, closed };
};

test.runIf(process.platform === 'linux')('ends all processes of the program and leaves those of another', async () => {
  const own = [await start('--till-to-end'), await start('--till-to-end')];
  const other = await start('--till-that-stays');
  expect(startedBy(['node', '--till-to-end'])).toHaveLength(2);
  await endProcesses(['node', '--till-to-end']);
  expect(startedBy(['--till-to-end'])).toEqual([]);
  expect(startedBy(['--till-that-stays'])).toEqual([other.child.pid]);
  for (const { closed } of own) await closed;
  await endProcesses(['--till-that-stays']);
  await other.closed;
});

test.runIf(process.platform === 'linux')('waits for a process that ends slowly', async () => {
  const { child, closed } = await start('--till-that-is-slow');
  let tries = 0;
  const kill = (): void => {
    tries += 1;
    if (tries === 3) child.kill('SIGKILL');
  };
  await endProcesses(['--till-that-is-slow'], { kill });
  const left = startedBy(['--till-that-is-slow']);
  child.kill('SIGKILL');
  await closed;
  expect([left, tries >= 3]).toEqual([[], true]);
});

test.runIf(process.platform === 'linux')('names a process that does not end in time', async () => {
  const { child, closed } = await start('--till-that-hangs');
  await expect(endProcesses(['--till-that-hangs'], { withinMs: -1 })).rejects.toThrow(
    `did not end in time: ${child.pid}`,
  );
  await closed;
});
