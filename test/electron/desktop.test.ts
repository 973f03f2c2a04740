/** The app from start to end with a stand-in for Electron's calls. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { usualDeadlines } from '../../electron/deadlines.ts';
import { startDesktop } from '../../electron/desktop.ts';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { systemRandom } from '../../src/base/ids.ts';
import { openWith, readKeyFile, recoveryStretchCost } from '../../src/folder/keys/key-file.ts';
import { areSealed, loadSecrets } from '../../src/folder/keys/secrets.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import { type FakeElectron, fakeElectron } from './fake-electron.ts';
import { appParts, type Machine, page, startApp, until } from './start-app.ts';

let userData: string;
let clock: VirtualClock;
beforeEach(() => {
  userData = mkdtempSync(join(tmpdir(), 'desktop-'));
  clock = virtualClock();
});
afterEach(() => rmSync(userData, { recursive: true }));

const start = (desktop: FakeElectron, argv: string[] = [], machine?: Machine): Promise<FakeElectron> =>
  startApp(desktop, { clock, argv, ...machine });

test('opens one window on the till’s page, starts the till with its key, and shows the code once', async () => {
  const desktop = await start(fakeElectron({ userData }));
  expect(desktop.windows[0]?.loaded).toEqual(['till://app/']);
  expect(desktop.switches).toContain('disable-breakpad');
  desktop.children[0]?.emit('spawn');
  const [beginMessage] = (desktop.children[0]?.messages ?? []) as { on: string; key: string }[];
  expect(beginMessage).toEqual({
    ...{ on: 'begin', key: expect.stringMatching(/^[0-9A-F]{64}$/) },
    code: expect.stringMatching(/^[\w-]{22}$/),
  });
  await until(() => desktop.dialogs.length === 1);
  const { recovery } = readKeyFile(join(userData, 'till')) ?? {};
  const sealed = recovery && (await openWith(desktop.dialogs[0]?.message ?? '', recovery, recoveryStretchCost));
  expect(sealed && toHex(sealed)).toBe(beginMessage?.key);
  const restarted = await start(fakeElectron({ userData }));
  expect(restarted.dialogs).toEqual([]);
  expect(await (await page(desktop, '/')).text()).toContain('The till is starting');
});

test('a till whose owner asks it to end ends the app, and is not restarted', async () => {
  const desktop = await start(fakeElectron({ userData }));
  const [child] = desktop.children;
  child?.emit('spawn');
  child?.emit('message', { on: 'listening' });
  child?.emit('message', { on: 'stopAsked' });
  expect(desktop.quits.count).toBe(1);
  expect(child?.messages.at(-1)).toEqual({ on: 'stop' });
  child?.die(0);
  await until(() => desktop.quits.count === 2);
  expect(desktop.children).toHaveLength(1);
});

describe('on Windows', () => {
  const begin = (folder: string): string => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'till.json'), '{}');
    return folder;
  };
  const windows = (): Machine => ({ platform: 'win32', programData: join(userData, 'program-data') });
  const shared = (): string => join(userData, 'program-data', 'Tillgate', 'till');
  const keyGiven = ({ children }: FakeElectron) => {
    children[0]?.emit('spawn');
    return (children[0]?.messages[0] as { key?: string } | undefined)?.key;
  };

  test('a new till belongs to everybody: no key is created, and its folder is the machine’s', async () => {
    const desktop = await start(fakeElectron({ userData }), [], windows());
    expect(keyGiven(desktop)).toBeUndefined();
    expect([existsSync(shared()), existsSync(join(userData, 'till')), desktop.dialogs]).toEqual([true, false, []]);
  });

  test('a till created by this login stays beside another’s, and a person is told about both', async () => {
    begin(shared());
    const ownTill = begin(join(userData, 'till'));
    const desktop = await start(fakeElectron({ userData }), [], windows());
    await until(() => desktop.dialogs.length === 1);
    expect(desktop.dialogs).toMatchObject([
      { message: 'There are two tills on this machine.', detail: expect.stringContaining(ownTill) },
    ]);
    expect(desktop.children).toHaveLength(1);
  });

  test('a till that was moved there opens with the code, and then for everybody without one', async () => {
    const parts = { userData, platform: 'linux' as const, programData: undefined };
    const created = await start(fakeElectron({ userData }), [], parts);
    await until(() => created.dialogs.length === 1);
    const key = fromHex(keyGiven(created) ?? '');
    loadSecrets(join(userData, 'till'), { random: systemRandom, isNew: true, sealKey: key });
    mkdirSync(dirname(shared()), { recursive: true });
    renameSync(join(userData, 'till'), shared());
    const secondApp = fakeElectron({ userData });
    secondApp.shell.safeStorage.decryptString = () => {
      throw new Error('another login’s');
    };
    await start(secondApp, [], windows());
    expect(secondApp.children).toEqual([]);
    await page(secondApp, '/shell/recovery', { code: created.dialogs[0]?.message ?? '' });
    expect([secondApp.children.length, keyGiven(secondApp)]).toEqual([1, undefined]);
    const restarted = await start(fakeElectron({ userData }), [], windows());
    expect([restarted.children.length, keyGiven(restarted), areSealed(shared())]).toEqual([1, undefined, false]);
  });
});

test('the start after an update is a kiosk with the named folder, like the start before it', async () => {
  const chosenFolder = join(userData, 'named');
  const args = ['--kiosk', '--data', chosenFolder];
  writeFileSync(join(userData, 'updates.json'), JSON.stringify({ kept: [], bad: [], args }));
  const { windows } = await start(fakeElectron({ userData }), ['tillgate', '--updated']);
  expect([windows[0]?.options, existsSync(chosenFolder)]).toMatchObject([{ kiosk: true }, true]);
});

test.runIf(process.platform === 'linux')(
  'a full disk that accepts no note of a start does not stop the till',
  async () => {
    symlinkSync('/dev/full', join(userData, 'updates.json.new'));
    const { children, dialogs } = await start(fakeElectron({ userData, hasStore: false }));
    expect([children.length, dialogs]).toEqual([1, []]);
  },
);

test('a folder that cannot be created is reported by the system’s own dialog', async () => {
  writeFileSync(join(userData, 'file'), '');
  const desktop = fakeElectron({ userData });
  await Promise.race([
    start(desktop, ['app', '--data', join(userData, 'file', 'till')]),
    until(() => desktop.dialogs.length === 1),
  ]);
  expect([desktop.dialogs[0]?.message, desktop.windows]).toEqual(['The till could not be opened.', []]);
});

test('a second start hands over to the first', () => {
  const desktop = fakeElectron({ userData, isFirst: false });
  startDesktop(desktop.shell, appParts(clock));
  expect([desktop.quits.count, desktop.children, desktop.windows]).toEqual([1, [], []]);
});

test('if the key store has lost the key, the page asks for the code, and the till starts with it', async () => {
  const first = await start(fakeElectron({ userData }));
  await until(() => first.dialogs.length === 1);
  const desktop = fakeElectron({ userData });
  desktop.shell.safeStorage.decryptString = () => {
    throw new Error('lost');
  };
  await start(desktop);
  expect(desktop.children).toEqual([]);
  const request = await page(desktop, '/');
  expect(request.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await request.text()).toContain('Recovery code');
  expect(await (await page(desktop, '/shell/recovery', { code: 'ABCDE' })).text()).toContain('not this till’s code');
  const opened = await page(desktop, '/shell/recovery', { code: first.dialogs[0]?.message ?? '' });
  expect([opened.status, opened.headers.get('location'), desktop.children.length]).toEqual([303, '/', 1]);
});

test('a till that dies leaves a report and is restarted; one that keeps dying needs a person', async () => {
  const desktop = await start(fakeElectron({ userData, hasStore: false }));
  for (let death = 0; death < 8; death += 1) {
    desktop.children.at(-1)?.die(139);
    await clock.advance(30_000);
  }
  expect(readdirSync(join(userData, 'crashes')).length).toBeGreaterThan(0);
  expect(await (await page(desktop, '/')).text()).toContain('The till does not start');
  const previousCount = desktop.children.length;
  await page(desktop, '/shell/again', {});
  expect(desktop.children).toHaveLength(previousCount + 1);
});

test('the page says that a dead till is restarted, and that a till does not answer', async () => {
  const desktop = await start(fakeElectron({ userData, hasStore: false }));
  const [child] = desktop.children;
  child?.emit('message', { on: 'listening' });
  child?.emit('message', { on: 'pong' });
  await clock.advance(usualDeadlines.beatMs * (usualDeadlines.silentBeats + 1));
  expect(await (await page(desktop, '/')).text()).toContain('The till does not answer');
  const refused = await page(desktop, '/api/sales');
  expect([refused.status, await refused.json()]).toMatchObject([503, { problem: { code: 'till.away' } }]);
  child?.emit('message', { on: 'pong' });
  expect(await (await page(desktop, '/')).text()).toContain('The till is starting');
  child?.die(1);
  const pageText = await (await page(desktop, '/')).text();
  expect(pageText).toContain('is being restarted');
  expect(pageText).toContain('http-equiv="refresh"');
  await clock.advance(200);
  desktop.children[1]?.emit('message', { on: 'listening' });
  expect(await (await page(desktop, '/')).text()).toContain('The till is starting');
});

test('the window says that a till is not restarted automatically, whatever it showed', async () => {
  const desktop = await start(fakeElectron({ userData, hasStore: false }));
  for (let death = 0; death < 8; death += 1) {
    expect(desktop.windows[0]?.loaded).toHaveLength(1);
    desktop.children.at(-1)?.die(139);
    await clock.advance(30_000);
  }
  expect(desktop.windows[0]?.loaded).toEqual(['till://app/', 'till://app/']);
});

test('the window says that a till cannot be ended, with advice', async () => {
  const desktop = await start(fakeElectron({ userData, hasStore: false }));
  const { beatMs, hungBeats, goneMs } = usualDeadlines;
  desktop.children[0]?.emit('message', { on: 'listening' });
  await clock.advance(beatMs * hungBeats + goneMs);
  expect(desktop.windows[0]?.loaded).toHaveLength(2);
  const output = await (await page(desktop, '/')).text();
  expect(output).toContain('Unplug the disk or the device that hangs, or restart this machine.');
  expect(output).toContain('http-equiv="refresh"');
  expect((await page(desktop, '/api/line')).status).toBe(503);
  desktop.children[0]?.die(9);
  expect(await (await page(desktop, '/')).text()).toContain('is being restarted');
});

test('a till whose crash cannot be recorded is restarted', async () => {
  writeFileSync(join(userData, 'crashes'), '');
  const desktop = await start(fakeElectron({ userData, hasStore: false }));
  desktop.children[0]?.die(139);
  await clock.advance(200);
  expect(desktop.children).toHaveLength(2);
});

test('closing the window ends the till first', async () => {
  const desktop = await start(fakeElectron({ userData, hasStore: false }));
  desktop.app.emit('window-all-closed');
  expect(desktop.children[0]?.messages).toEqual([{ on: 'stop' }]);
  const quitCount = desktop.quits.count;
  desktop.children[0]?.die(0);
  await until(() => desktop.quits.count > quitCount);
});

test('ending the app again meanwhile does not interrupt the till’s end', async () => {
  const desktop = await start(fakeElectron({ userData, hasStore: false }));
  let preventedCount = 0;
  const preventDefault = (): void => {
    preventedCount += 1;
  };
  const quit = (): void => void desktop.app.emit('before-quit', { preventDefault });
  quit();
  quit();
  quit();
  expect([preventedCount, desktop.children[0]?.messages]).toEqual([3, [{ on: 'stop' }]]);
  const quitCount = desktop.quits.count;
  desktop.children[0]?.die(0);
  await until(() => desktop.quits.count > quitCount);
  quit();
  expect(preventedCount).toBe(3);
});

test('starting the app again while it waits for a sale shows a message', async () => {
  const desktop = await start(fakeElectron({ userData, hasStore: false }));
  for (const window of desktop.windows) window.isClosed = true;
  desktop.app.emit('window-all-closed');
  desktop.app.emit('second-instance', {}, ['tillgate']);
  expect(desktop.dialogs).toMatchObject([{ message: 'The till is closing.' }]);
});
