/** A till that rebuilds an index at its start: the window shows its progress, and it does not count as hanging. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { usualDeadlines } from '../../electron/deadlines.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import { type FakeChild, type FakeElectron, fakeElectron } from './fake-electron.ts';
import { page, startApp } from './start-app.ts';

const { startMs, beatMs } = usualDeadlines;
const says = 'Rebuilding the search index: 41 % of 1,000,000 events';

let userData: string;
let clock: VirtualClock;
let desktop: FakeElectron;
beforeEach(async () => {
  userData = mkdtempSync(join(tmpdir(), 'slow-start-'));
  clock = virtualClock();
  desktop = await startApp(fakeElectron({ userData }), { clock });
});
afterEach(() => rmSync(userData, { recursive: true }));

const till = (): FakeChild => {
  const child = desktop.children.at(-1);
  if (child === undefined) throw new Error('no till was started');
  return child;
};

const shown = async (): Promise<string> => (await page(desktop, '/')).text();

test('the page that waits for it shows the progress until it listens', async () => {
  till().emit('message', { on: 'indexing', says });
  for (const text of ['The till is starting', says, 'nothing is lost']) expect(await shown()).toContain(text);
  till().emit('message', { on: 'listening' });
  expect(await shown()).not.toContain(says);
});

test('each progress message gives the till the full time again, and none of them ends it once it listens', async () => {
  await clock.advance(startMs - 1);
  till().emit('message', { on: 'indexing', says });
  await clock.advance(startMs - 1);
  expect(till().killed).toBe(0);
  await clock.advance(1);
  expect(till().killed).toBe(1);
  till().die(9);
  await clock.advance(200);
  till().emit('message', { on: 'listening' });
  till().emit('message', { on: 'indexing', says });
  for (let waitedMs = 0; waitedMs <= 3 * startMs; waitedMs += beatMs) {
    till().emit('message', { on: 'pong' });
    await clock.advance(beatMs);
  }
  expect([till().killed, desktop.children.length]).toEqual([0, 2]);
});
