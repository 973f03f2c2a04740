/** The app at sign-in: only after somebody requested it, and until somebody cancels that. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setLoginItem } from '../../electron/login-item.ts';

let configHome = '';
beforeEach(() => {
  configHome = mkdtempSync(join(tmpdir(), 'login-'));
});
afterEach(() => rmSync(configHome, { recursive: true, force: true }));

const loginItemFor = (argv: readonly string[], platform: string) => {
  const set: unknown[] = [];
  const app = { setLoginItemSettings: (settings: unknown) => void set.push(settings) };
  setLoginItem({ argv, platform, app, program: '/apps/My "till" 100%/Tillgate.AppImage', configHome });
  return set;
};
const file = (): string => join(configHome, 'autostart', 'tillgate.desktop');

test.each(['win32', 'darwin'])('%s keeps it itself', (platform) => {
  expect(loginItemFor([], platform)).toEqual([]);
  expect(loginItemFor(['--start-at-login', '--kiosk', '--data', 'D:\\till'], platform)).toEqual([
    { openAtLogin: true, args: ['--kiosk', '--data', 'D:\\till'] },
  ]);
  expect(loginItemFor(['--no-start-at-login'], platform)).toEqual([{ openAtLogin: false, args: [] }]);
});

test('on Linux it is a file of the session, which is removed when it is cancelled', () => {
  loginItemFor(['--kiosk'], 'linux');
  expect(existsSync(file())).toBe(false);
  loginItemFor(['--start-at-login', '--kiosk'], 'linux');
  expect(readFileSync(file(), 'utf8')).toContain('Exec="/apps/My \\"till\\" 100%%/Tillgate.AppImage" "--kiosk"\n');
  loginItemFor([], 'linux');
  expect(existsSync(file())).toBe(true);
  loginItemFor(['--no-start-at-login'], 'linux');
  expect(existsSync(file())).toBe(false);
});
