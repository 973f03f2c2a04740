/** How people and browsers are told where the screens are: the code is for this user's eyes alone. */
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

test('the code stands behind the address of a page, and alone where there is no page', () => {
  expect(openingAddress({ address, code })).toBe(`${address}#code=${code}`);
  expect(openingAddress({ address })).toBe(address);
  expect(openingLine({ address, code })).toBe(`open ${address}#code=${code}`);
  expect([
    openingAddress({ address: '/run/till.sock', code }),
    openingLine({ address: '/run/till.sock', code }),
  ]).toEqual(['/run/till.sock', `code ${code}`]);
});

posixTest.each(['linux', 'darwin'] as const)(
  'on %s no command line has the code: other users can read those',
  (platform) => {
    const command = browserCommand({ address, code }, { platform, socket: join(folder, 'owner/till.sock') });
    const file = join(folder, 'owner/open.html');
    expect(command).toEqual([platform === 'darwin' ? 'open' : 'xdg-open', file]);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(`content="0;url=${address}#code=${code}"`);
    // Of the start before: it is made anew, never written into what is there.
    const { ino } = lstatSync(file);
    expect(browserCommand({ address, code: 'another' }, { platform, socket: join(folder, 'owner/till.sock') })).toEqual(
      command,
    );
    expect([lstatSync(file).ino === ino, readFileSync(file, 'utf8').includes(code)]).toEqual([false, false]);
  },
);

test('without a code, or a folder of this user’s own for it, the browser is given the address as it is', () => {
  const socket = join(folder, 'owner/till.sock');
  expect(browserCommand({ address }, { platform: 'linux', socket })).toEqual(['xdg-open', address]);
  expect(browserCommand({ address, code }, { platform: 'linux', socket: undefined })).toEqual(['xdg-open', address]);
  // There other users do not see what a program was started with.
  expect(
    browserCommand({ address, code }, { platform: 'win32', socket: undefined, systemRoot: 'D:\\Windows' }),
  ).toEqual([String.raw`D:\Windows\System32\rundll32.exe`, 'url.dll,FileProtocolHandler', `${address}#code=${code}`]);
});
