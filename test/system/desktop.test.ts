/** The built desktop program: its till process really runs, on a real socket; only Electron's port is simulated. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildDesktop } from '../../build/desktop.ts';
import { cookieJar } from '../../electron/cookie-jar.ts';
import { answer, fetchOver } from '../../electron/scheme.ts';
import { systemClock } from '../../src/base/clock.ts';
import { journalFile } from '../../src/folder/config.ts';
import { visitor } from '../support/servers/visitor.ts';

const built = join(import.meta.dirname, '../../dist/desktop');
/** Simulates what Electron gives a utility process, over Node's own channel. */
const standInApp = join(built, 'stand-in.mjs');

beforeAll(async () => {
  await buildDesktop();
  writeFileSync(
    standInApp,
    `process.parentPort = {
       postMessage: (message) => process.send(message),
       on: (name, hear) => process.on('message', (data) => hear({ data })),
     };
     await import('./electron/till-entry.js');\n`,
  );
});
afterAll(() => rmSync(standInApp, { force: true }));

let folder: string;
let child: ChildProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'window-'));
});
afterEach(() => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const socket = (): string => join(folder, 'till.sock');

const start = (): void => {
  child = fork(standInApp, [join(folder, 'till'), socket(), '0.1.0'], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
};

const nextMessage = (): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${child.stderr?.read()}`)));
  });

const exitCode = (): Promise<number | null> => new Promise((resolve) => child.once('exit', resolve));

const proxy = () => ({
  fetch: fetchOver(socket()),
  cookies: cookieJar(),
  ownPage: async () => undefined,
  clock: systemClock,
  silence: () => new AbortController().signal,
  code: 'of-the-window',
});

test('starts with its key, serves the page and the API, reports that it is quiet, and exits cleanly', async () => {
  start();
  child.send({ on: 'begin', key: 'AB'.repeat(32), code: 'of-the-window' });
  expect(await nextMessage()).toEqual({ on: 'listening' });
  const through = proxy();
  const page = await answer(new Request('till://app/'), through);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
  const session = await answer(new Request('till://app/api/session'), through);
  expect(await session.json()).toMatchObject({ shop: { version: '0.1.0' }, staffKnown: false, signedIn: {} });
  expect(readFileSync(join(folder, 'till/till.secrets.json'), 'utf8')).toMatch(/^\{\s+"sealed"/);
  child.send({ on: 'ask', question: 'quiet', number: 7 });
  expect(await nextMessage()).toEqual({ on: 'quiet', number: 7, answer: { quiet: true } });
  const exited = exitCode();
  child.send({ on: 'stop' });
  expect(await exited).toBe(0);
  expect(existsSync(socket())).toBe(false);
});

test('without the key that seals its secrets it exits with a message, and changes nothing', async () => {
  start();
  child.send({ on: 'begin', key: 'AB'.repeat(32), code: 'of-the-window' });
  await nextMessage();
  const first = exitCode();
  child.send({ on: 'stop' });
  await first;
  const secrets = readFileSync(join(folder, 'till/till.secrets.json'), 'utf8');
  start();
  const chunks: Buffer[] = [];
  child.stderr?.on('data', (bytes: Buffer) => chunks.push(bytes));
  const exited = exitCode();
  child.send({ on: 'begin', key: 'CD'.repeat(32), code: 'of-the-window' });
  expect(await exited).toBe(1);
  expect(Buffer.concat(chunks).toString()).toContain('key from this machine’s key store');
  expect(readFileSync(join(folder, 'till/till.secrets.json'), 'utf8')).toBe(secrets);
});

test('when it cannot reopen its folder it exits with a message, and leaves no dead socket', async () => {
  start();
  const chunks: Buffer[] = [];
  child.stderr?.on('data', (bytes: Buffer) => chunks.push(bytes));
  const exited = exitCode();
  child.send({ on: 'begin', code: 'of-the-window' });
  expect(await nextMessage()).toEqual({ on: 'listening' });
  const client = await visitor((path, request) => fetchOver(socket())(path, request), 'of-the-window');
  const journal = journalFile(join(folder, 'till'));
  renameSync(journal, `${journal}.kept`);
  mkdirSync(journal);
  expect(await client.post('devices/simulated')).toEqual({ status: 204 });
  expect(await exited).toBe(1);
  expect(Buffer.concat(chunks).toString()).toContain('journal');
});
