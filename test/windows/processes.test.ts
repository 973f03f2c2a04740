/** Whoever ends a program of Windows goes on when it is gone, and not before. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { endProcesses, startedBy } from './processes.ts';

/** As Wine starts one: its first word is a path of Windows. */
const start = async (word: string) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', word], {
    argv0: 'C:\\node\\node.exe',
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (startedBy([word]).length === 0) await new Promise((resolve) => setImmediate(resolve));
  return { child, gone };
};

test.runIf(process.platform === 'linux')('all of its processes are gone, and those of another stay', async () => {
  const own = [await start('--till-to-end'), await start('--till-to-end')];
  const other = await start('--till-that-stays');
  expect(startedBy(['node', '--till-to-end'])).toHaveLength(2);
  await endProcesses(['node', '--till-to-end']);
  expect(startedBy(['--till-to-end'])).toEqual([]);
  expect(startedBy(['--till-that-stays'])).toEqual([other.child.pid]);
  for (const { gone } of own) await gone;
  await endProcesses(['--till-that-stays']);
  await other.gone;
});

test.runIf(process.platform === 'linux')('one that takes its time is waited for', async () => {
  const { child, gone } = await start('--till-that-is-slow');
  let tries = 0;
  const kill = (): void => {
    tries += 1;
    if (tries === 3) child.kill('SIGKILL');
  };
  await endProcesses(['--till-that-is-slow'], { kill });
  const left = startedBy(['--till-that-is-slow']);
  child.kill('SIGKILL');
  await gone;
  expect([left, tries >= 3]).toEqual([[], true]);
});

test.runIf(process.platform === 'linux')('one that does not end in time is named', async () => {
  const { child, gone } = await start('--till-that-hangs');
  await expect(endProcesses(['--till-that-hangs'], { withinMs: -1 })).rejects.toThrow(
    `not ended in time: ${child.pid}`,
  );
  await gone;
});
