/** The app on a folder used by another till: the window's message, and that this is no failed start. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { updateFiles } from '../../electron/update-files.ts';
import { LIVES_MS, nothingYet } from '../../electron/updates.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import { type FakeElectron, fakeElectron } from './fake-electron.ts';
import { page, startApp } from './start-app.ts';

let userData: string;
let clock: VirtualClock;
beforeEach(() => {
  userData = mkdtempSync(join(tmpdir(), 'held-window-'));
  clock = virtualClock();
});
afterEach(() => rmSync(userData, { recursive: true }));

const start = (): Promise<FakeElectron> => startApp(fakeElectron({ userData, hasStore: false }), { clock });

const trial = () => {
  const { trial: storedTrial } = updateFiles(userData).read();
  return storedTrial?.starts;
};
const onTrial = (starts: number): void =>
  updateFiles(userData).write({ ...nothingYet, trial: { version: '0.1.0', before: '0.0.9', starts } });
const reportHeld = (desktop: FakeElectron, by: 'self' | 'other' | 'nobody'): void => {
  desktop.children.at(-1)?.emit('message', { on: 'held', by });
  desktop.children.at(-1)?.die(0);
};

test.each([
  ['other', 'another sign-in'],
  ['self', 'outside this window'],
  ['nobody', 'Another program'],
] as const)('by %s: the window says so, that nothing is lost, and what to do', async (by, expected) => {
  const desktop = await start();
  reportHeld(desktop, by);
  await clock.advance(3_600_000);
  expect(desktop.children).toHaveLength(1);
  expect(desktop.windows[0]?.loaded).toHaveLength(2);
  const output = await (await page(desktop, '/')).text();
  for (const one of [expected, 'Nothing is lost', 'Try again', 'action="/shell/again"']) expect(output).toContain(one);
  expect([existsSync(join(userData, 'crashes')), (await page(desktop, '/api/line')).status]).toEqual([false, 503]);
  expect((await page(desktop, '/shell/again', {})).status).toBe(303);
  expect(desktop.children).toHaveLength(2);
  desktop.children[1]?.emit('message', { on: 'listening' });
  expect(await (await page(desktop, '/')).text()).toContain('The till is starting');
});

test('is no failed start of its version, however often it is tried; a real failure is', async () => {
  onTrial(1);
  const desktop = await start();
  expect(trial()).toBe(2);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    reportHeld(desktop, 'other');
    expect(trial()).toBe(1);
    await page(desktop, '/shell/again', {});
    expect(trial()).toBe(2);
  }
  desktop.children.at(-1)?.emit('message', { on: 'listening' });
  await clock.advance(LIVES_MS);
  expect(trial()).toBeUndefined();
});

test('after a death in this start, it still is a failed start', async () => {
  onTrial(1);
  const desktop = await start();
  desktop.children[0]?.die(139);
  await clock.advance(200);
  reportHeld(desktop, 'other');
  expect(trial()).toBe(2);
});

test('never goes back to the previous version', async () => {
  onTrial(1);
  for (let starts = 0; starts < 5; starts += 1) {
    const desktop = await start();
    reportHeld(desktop, 'other');
    expect([trial(), desktop.children.length]).toEqual([1, 1]);
  }
});

test('does not count as running while it is held', async () => {
  onTrial(1);
  const desktop = await start();
  desktop.children[0]?.emit('message', { on: 'listening' });
  reportHeld(desktop, 'other');
  await clock.advance(LIVES_MS);
  expect(trial()).toBe(1);
});
