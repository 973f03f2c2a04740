/** The app from start to end over a stand-in for Electron's calls. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folderIn, startDesktop } from '../../electron/desktop.ts';
import { toHex } from '../../src/base/hex.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { readKeyFile } from '../../src/runtime/key-file.ts';
import { openWith, recoveryStretchCost } from '../../src/runtime/recovery-code.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import { type StandIn, standIn } from './stand-in.ts';

let userData: string;
let clock: VirtualClock;
beforeEach(() => {
  userData = mkdtempSync(join(tmpdir(), 'desktop-'));
  clock = virtualClock();
});
afterEach(() => rmSync(userData, { recursive: true }));

const until = (is: () => boolean): Promise<void> => vi.waitFor(() => expect(is()).toBe(true), { timeout: 30_000 });

const start = async (desktop: StandIn, argv: string[] = []): Promise<StandIn> => {
  startDesktop(desktop.shell, {
    ...{
      argv,
      platform: 'linux',
      appImage: undefined,
      tillModule: 'till.js',
      clock,
      ids: systemIds,
      random: systemRandom,
    },
    updater: {} as never,
  });
  await until(() => desktop.windows.length === 1);
  return desktop;
};

const page = async ({ handlers }: StandIn, path: string, form?: Record<string, string>): Promise<Response> => {
  const handle = handlers.get('till');
  if (handle === undefined) throw new Error('no scheme');
  const init = form && { method: 'POST', body: new URLSearchParams(form) };
  return handle(new Request(`till://app${path}`, init));
};

test('one window on the till’s page, the till with its key, the code shown once', async () => {
  const desktop = await start(standIn({ userData }));
  expect(desktop.windows[0]?.loaded).toEqual(['till://app/']);
  expect(desktop.switches).toContain('disable-breakpad');
  desktop.children[0]?.emit('spawn');
  const [begun] = (desktop.children[0]?.told ?? []) as { on: string; key: string }[];
  expect(begun).toEqual({ on: 'begin', key: expect.stringMatching(/^[0-9A-F]{64}$/) });
  await until(() => desktop.shown.length === 1);
  const { recovery } = readKeyFile(join(userData, 'till')) ?? {};
  const sealed = recovery && (await openWith(desktop.shown[0]?.message ?? '', recovery, recoveryStretchCost));
  expect(sealed && toHex(sealed)).toBe(begun?.key);
  const again = await start(standIn({ userData }));
  expect(again.shown).toEqual([]);
  expect(await (await page(desktop, '/')).text()).toContain('The till is starting');
});

test('a second start gives its turn to the first', () => {
  const desktop = standIn({ userData, isFirst: false });
  startDesktop(desktop.shell, {
    ...{
      argv: [],
      platform: 'linux',
      appImage: undefined,
      tillModule: '',
      clock,
      ids: systemIds,
      random: systemRandom,
    },
    updater: {} as never,
  });
  expect([desktop.quits.count, desktop.children, desktop.windows]).toEqual([1, [], []]);
});

test('a key store that has lost the key: the page asks for the code, and the till starts with it', async () => {
  const first = await start(standIn({ userData }));
  await until(() => first.shown.length === 1);
  const desktop = standIn({ userData });
  desktop.shell.safeStorage.decryptString = () => {
    throw new Error('lost');
  };
  await start(desktop);
  expect(desktop.children).toEqual([]);
  const asked = await page(desktop, '/');
  expect(asked.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await asked.text()).toContain('Recovery code');
  expect(await (await page(desktop, '/shell/recovery', { code: 'ABCDE' })).text()).toContain('not this till’s code');
  const opened = await page(desktop, '/shell/recovery', { code: first.shown[0]?.message ?? '' });
  expect([opened.status, opened.headers.get('location'), desktop.children.length]).toEqual([303, '/', 1]);
});

test('a till that dies leaves a report and comes back; one that dies on and on asks for a person', async () => {
  const desktop = await start(standIn({ userData, hasStore: false }));
  for (let death = 0; death < 8; death += 1) {
    desktop.children.at(-1)?.die(139);
    await clock.advance(30_000);
  }
  expect(readdirSync(join(userData, 'crashes')).length).toBeGreaterThan(0);
  expect(await (await page(desktop, '/')).text()).toContain('The till does not start');
  const before = desktop.children.length;
  await page(desktop, '/shell/again', {});
  expect(desktop.children).toHaveLength(before + 1);
});

test('closing the window ends the till first', async () => {
  const desktop = await start(standIn({ userData, hasStore: false }));
  desktop.app.emit('window-all-closed');
  expect(desktop.children[0]?.told).toEqual([{ on: 'stop' }]);
  const before = desktop.quits.count;
  desktop.children[0]?.die(0);
  await until(() => desktop.quits.count > before);
});

test('the folder is the app’s own, or the one that is named', () => {
  expect(folderIn(['electron', '.'], '/app')).toBe('/app/till');
  expect(folderIn(['electron', '.', '--data', '/shop'], '/app')).toBe('/shop');
  expect(existsSync(userData)).toBe(true);
});
