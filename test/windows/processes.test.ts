/** `endProcesses` returns when the Windows program is gone, and not before. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { endProcesses, startedBy } from './processes.ts';

/** Imitates how Wine starts a program: the first argument is a Windows path. */
const start = async (argument: string) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', argument], {
    argv0: 'C:\\node\\node.exe',
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (startedBy([argument]).length === 0) await new Promise((resolve) => setImmediate(resolve));
  return { child, closed: exited };
};

test.runIf(process.platform === 'linux')('ends all processes of the program and leaves those of another', async () => {
  const children = [await start('--till-to-end'), await start('--till-to-end')];
  const otherChild = await start('--till-that-stays');
  expect(startedBy(['node', '--till-to-end'])).toHaveLength(2);
  await endProcesses(['node', '--till-to-end']);
  expect(startedBy(['--till-to-end'])).toEqual([]);
  expect(startedBy(['--till-that-stays'])).toEqual([otherChild.child.pid]);
  for (const { closed: exited } of children) await exited;
  await endProcesses(['--till-that-stays']);
  await otherChild.closed;
});

test.runIf(process.platform === 'linux')('waits for a process that ends slowly', async () => {
  const { child, closed: exited } = await start('--till-that-is-slow');
  let attempt = 0;
  const kill = (): void => {
    attempt += 1;
    if (attempt === 3) child.kill('SIGKILL');
  };
  await endProcesses(['--till-that-is-slow'], { kill });
  const remaining = startedBy(['--till-that-is-slow']);
  child.kill('SIGKILL');
  await exited;
  expect([remaining, attempt >= 3]).toEqual([[], true]);
});

test.runIf(process.platform === 'linux')('names a process that does not end in time', async () => {
  const { child, closed: exited } = await start('--till-that-hangs');
  await expect(endProcesses(['--till-that-hangs'], { withinMs: -1 })).rejects.toThrow(
    `did not end in time: ${child.pid}`,
  );
  await exited;
});
