/** Which modules a till loads: pseudo terminals are for the simulator only, and their native part costs memory. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { folder, type Running, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const list = (): string => join(folder, 'loaded');

/** Node options that make a process log each module it loads. */
const watched = (): string[] => {
  const hook = join(folder, 'hook.mjs');
  const write = `appendFileSync(${JSON.stringify(list())}, found.url + '\\n')`;
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
     import { appendFileSync } from 'node:fs';
     registerHooks({ resolve(name, at, next) { const found = next(name, at); ${write}; return found; } });`,
  );
  return ['--import', pathToFileURL(hook).href];
};

const loaded = (): string => (existsSync(list()) ? readFileSync(list(), 'utf8') : '');

const stop = async ({ child, ended }: Running): Promise<void> => {
  child.kill('SIGINT');
  await ended;
};

test('a started till and a simulated terminal at a TCP port do not load pseudo terminals', async () => {
  const till = tillgate(['start', '--data', join(folder, 'till'), '--port', '0', '--no-open-browser'], watched());
  await till.waitForOutput('listening on ');
  await stop(till);
  const terminal = tillgate(['simulate', 'mpi', '--tcp', '0', '--data', join(folder, 'cards')], watched());
  await terminal.waitForOutput('simulated terminal at');
  await stop(terminal);
  expect(loaded()).toContain('better-sqlite3');
  expect(loaded()).not.toContain('node-pty');
});

test('a simulated terminal at a pseudo terminal loads them', async () => {
  const at = join(folder, 'terminal');
  const terminal = tillgate(['simulate', 'mpi', '--pty', at, '--data', join(folder, 'cards')], watched());
  await terminal.waitForOutput('simulated terminal at');
  await stop(terminal);
  expect(loaded()).toContain('node-pty');
});
