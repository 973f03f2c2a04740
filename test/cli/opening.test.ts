/** How people and browsers get the address of the screens: only this user can read the code. */
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { browserCommand, openingAddress, openingLine } from '../../src/cli/store/running-till.ts';
import { posixTest } from '../support/platform/platform.ts';

const address = 'http://127.0.0.1:8800/';
const code = 'oaeQqRyjTBkg9YKG-xxdpg';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opening-'));
  mkdirSync(join(folder, 'owner'), { mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the code follows the address of a page, and stands alone if there is no page', () => {
  expect(openingAddress({ address, code })).toBe(`${address}#code=${code}`);
  expect(openingAddress({ address })).toBe(address);
  expect(openingLine({ address, code })).toBe(`open ${address}#code=${code}`);
  expect([
    openingAddress({ address: '/run/till.sock', code }),
    openingLine({ address: '/run/till.sock', code }),
  ]).toEqual(['/run/till.sock', `code ${code}`]);
});

posixTest.each(['linux', 'darwin'] as const)(
  'on %s no command line contains the code, because other users can read it',
  (platform) => {
    const command = browserCommand({ address, code }, { platform, socket: join(folder, 'owner/till.sock') });
    const file = join(folder, 'owner/open.html');
    expect(command).toEqual([platform === 'darwin' ? 'open' : 'xdg-open', file]);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(`content="0;url=${address}#code=${code}"`);
    // The file of the previous start is replaced, never written into.
    const { ino } = lstatSync(file);
    expect(browserCommand({ address, code: 'another' }, { platform, socket: join(folder, 'owner/till.sock') })).toEqual(
      command,
    );
    expect([lstatSync(file).ino === ino, readFileSync(file, 'utf8').includes(code)]).toEqual([false, false]);
  },
);

test('without a code, or without a private folder for it, the browser gets the plain address', () => {
  const socket = join(folder, 'owner/till.sock');
  expect(browserCommand({ address }, { platform: 'linux', socket })).toEqual(['xdg-open', address]);
  expect(browserCommand({ address, code }, { platform: 'linux', socket: undefined })).toEqual(['xdg-open', address]);
  // On Windows other users cannot read the arguments of a program.
  expect(
    browserCommand({ address, code }, { platform: 'win32', socket: undefined, systemRoot: 'D:\\Windows' }),
  ).toEqual([String.raw`D:\Windows\System32\rundll32.exe`, 'url.dll,FileProtocolHandler', `${address}#code=${code}`]);
});
