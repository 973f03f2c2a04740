/**
 * The app in two logins on one machine, on one till's folder, with real processes: the second one does not disturb the
 * first, says that the till is already running, and takes over when the first one is closed.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UtilityProcess } from 'electron';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { updateFiles } from '../../electron/update-files.ts';
import { nothingYet } from '../../electron/updates.ts';
import { systemClock } from '../../src/base/clock.ts';
import { fakeElectron } from '../electron/fake-electron.ts';
import { page, startApp } from '../electron/start-app.ts';
import { openShellRig, type ShellRig } from './shell-rig.ts';
import { forkTill } from './utility-process.ts';

let first: ShellRig;
let userData: string;
const children: UtilityProcess[] = [];
beforeEach(async () => {
  userData = mkdtempSync(join(tmpdir(), 'second-login-'));
  first = await openShellRig();
  await first.listening(1);
});
afterEach(async () => {
  for (const { pid } of children.splice(0)) if (pid !== undefined) process.kill(pid, 'SIGKILL');
  await first.close();
  rmSync(userData, { recursive: true, force: true });
});

/** Starts the app in the second login, for the second time since an update. */
const startSecond = async (user?: number) => {
  const trial = { version: '0.1.0', before: '0.0.9', starts: 1 };
  updateFiles(userData).write({ ...nothingYet, trial });
  const second = fakeElectron({ userData, hasStore: false });
  second.shell.utilityProcess.fork = (_, args) => {
    const child = forkTill(args, user);
    children.push(child);
    return child;
  };
  await startApp(second, { clock: systemClock, argv: ['app', '--data', join(first.userData, 'till')] });
  const isShown = (text: string): Promise<void> =>
    first.until(async () => (await (await page(second, '/')).text()).includes(text));
  return { second, isShown, starts: () => updateFiles(userData).read().trial?.starts };
};

const sell = async (amount: string): Promise<void> => {
  expect((await first.sell(amount)).status).toBe(201);
  await first.until(async () => (await first.live((await first.sales())[0]?.id ?? '')).terminalFree);
  expect((await first.sales())[0]).toMatchObject({ ending: 'approved' });
};

test('says that it is already running; once the first is closed it opens with “Try again”', async () => {
  const { second, isShown, starts } = await startSecond();
  await isShown('The till is already running');
  await sell('8.20');
  expect([children.length, children[0]?.pid, starts()]).toEqual([1, undefined, 1]);
  await page(second, '/shell/again', {});
  await first.until(() => children.length === 2);
  await isShown('The till is already running');
  await first.stop();
  await page(second, '/shell/again', {});
  await isShown('id="root"');
  expect([children.length, starts(), existsSync(join(userData, 'crashes'))]).toEqual([3, 2, false]);
  second.app.emit('window-all-closed');
  await first.until(() => children[2]?.pid === undefined);
});

const NOBODY = 65_534;

test.runIf(process.getuid?.() === 0)(
  'another user of the machine has it: the window names another sign-in',
  async () => {
    // As on Windows, where each login at a counter can use the files in the folder.
    chmodSync(first.userData, 0o755);
    spawnSync('chmod', ['-R', 'a+rwX', join(first.userData, 'till')]);
    chmodSync(join(first.userData, 'till', 'owner'), 0o700);
    const { isShown } = await startSecond(NOBODY);
    await isShown('another sign-in of this machine');
    await sell('8.20');
  },
);
