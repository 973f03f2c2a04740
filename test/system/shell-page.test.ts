/** The desktop app's page in a real process, over a real till process: what people see when either fails. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Browser, openBrowser } from '../support/screens/browser.ts';
import { openShellRig, type ShellRig } from './shell-rig.ts';
import type { View } from './shell-view.ts';

const FIRST = 'till://app/';
/** The screen of a till without people. */
const SCREEN = 'Add the first manager';
const AWAY = 'The till program does not answer';

let browser: Browser;
let rig: ShellRig;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(() => rig.close());

const open = async (request: { hurry?: number; hungBeats?: number } = {}): Promise<View> => {
  rig = await openShellRig({ browser, ...request });
  await rig.listening(1);
  if (rig.view === undefined) throw new Error('no page was opened');
  return rig.view;
};

test('a till that hangs: the page says that it does not answer, and recovers by itself when it is back', async () => {
  const view = await open();
  await rig.until(async () => (await view.text()).includes(SCREEN));
  process.kill(rig.children[0]?.pid ?? 0, 'SIGSTOP');
  await rig.until(async () => (await view.text()).includes(AWAY));
  await rig.listening(2);
  await rig.until(async () => !(await view.text()).includes(AWAY));
  expect(await view.text()).toContain(SCREEN);
  expect(view.loads).toEqual([FIRST]);
});

test('a till that pauses for a while: the page says so meanwhile, and continues when it answers', async () => {
  const view = await open({ hungBeats: 10_000 });
  await rig.until(async () => (await view.text()).includes(SCREEN));
  const pid = rig.children[0]?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  await rig.until(async () => (await view.text()).includes(AWAY));
  process.kill(pid, 'SIGCONT');
  await rig.until(async () => !(await view.text()).includes(AWAY));
  expect(await view.text()).toContain(SCREEN);
  expect([rig.children.length, view.loads]).toEqual([1, [FIRST]]);
});

test('a page that is killed during a sale is back at once, and the sale continues without it', async () => {
  const view = await open();
  await rig.until(async () => (await view.text()).includes(SCREEN));
  const killed = new Promise((resolve) => rig.shop.whenPaid(() => resolve(view.kill())));
  expect((await rig.sell('8.20')).status).toBe(201);
  await killed;
  await rig.until(async () => (await rig.sales())[0]?.ending === 'approved');
  await rig.until(() => view.loads.length === 2);
  await rig.until(async () => (await view.text()).includes(SCREEN));
  expect(view.loads).toEqual([FIRST, 'reload']);
  expect(rig.children).toHaveLength(1);
});

test('a page that is killed repeatedly is reloaded a few times, then the user is asked', async () => {
  const view = await open({ hurry: 20 });
  for (let load = 1; load <= 5; load += 1) {
    await rig.until(() => view.loads.length === load);
    await rig.until(async () => (await view.text()).includes(SCREEN));
    expect(rig.desktop.dialogs).toEqual([]);
    await view.kill();
  }
  await rig.until(() => rig.desktop.dialogs.length === 1);
  expect(rig.desktop.dialogs).toMatchObject([{ message: 'The till’s page has ended several times.' }]);
  // The user says yes.
  await rig.until(() => view.loads.length === 6);
  await rig.until(async () => (await view.text()).includes(SCREEN));
  expect(view.loads).toEqual([FIRST, 'reload', FIRST, FIRST, FIRST, FIRST]);
});
