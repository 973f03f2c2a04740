/** The app checks at its start who may open the till's folder, and warns if others may. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AskWindows } from '../../src/folder/rights/windows-programs.ts';
import { posixTest } from '../support/platform/platform.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { type FakeElectron, fakeElectron } from './fake-electron.ts';
import { startApp, until } from './start-app.ts';

const SID = 'S-1-5-21-3623811015-3361044348-30300820-1013';
let userData: string;
beforeEach(() => {
  userData = mkdtempSync(join(tmpdir(), 'rights-'));
});
afterEach(() => rmSync(userData, { recursive: true }));

/** Windows with this access list of each folder. */
const windows =
  (list: string, fileSystem = 'NTFS'): AskWindows =>
  async (program, args) => {
    if (program === 'whoami') return { code: 0, out: `vm\\anna ${SID}` };
    if (program === 'fsutil') return { code: 0, out: `File System Name : ${fileSystem}\r\n` };
    if (list !== '') writeFileSync(args[2] ?? '', Buffer.from(`till\r\n${list}\r\n`, 'utf16le'));
    return { code: 0, out: '' };
  };

const start = (askWindows: AskWindows): Promise<FakeElectron> => {
  const machine = { platform: 'win32', programData: join(userData, 'program-data') } as const;
  return startApp(fakeElectron({ userData, hasStore: false }), { clock: virtualClock(), ...machine, askWindows });
};

const counter = 'D:(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;IU)';

test.each([
  ['others may open it', windows(`${counter}(A;OICI;FR;;;BU)`), /Other users can open .*Users/, 'icacls'],
  ['other sign-ins may not', windows('D:(A;OICI;FA;;;SY)'), /Other users of this machine .* cannot sell/, 'icacls'],
  [
    'it lies on a stick',
    windows('D:NO_ACCESS_CONTROL', 'exFAT'),
    /exFAT, which has no permissions/,
    'move it to a disk with permissions',
  ],
])('%s: a person is warned, with advice, and the till starts', async (_, ask, says, remedy) => {
  const desktop = await start(ask);
  await until(() => desktop.dialogs.length === 1);
  expect(desktop.dialogs).toMatchObject([
    { type: 'warning', message: expect.stringMatching(says), detail: expect.stringContaining(remedy) },
  ]);
  expect(desktop.children).toHaveLength(1);
});

test.each([
  ['is in order', windows(counter)],
  ['Windows does not report, which is left to the diagnosis', windows('')],
])('what %s causes no warning at each start', async (_, ask) => {
  let requestCount = 0;
  const desktop = await start(async (...question) => {
    requestCount += 1;
    return ask(...question);
  });
  await until(() => requestCount >= 2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(desktop.dialogs).toEqual([]);
});

posixTest('on other systems the mode of its keys counts', async () => {
  mkdirSync(join(userData, 'till'));
  const secrets = join(userData, 'till', 'till.secrets.json');
  writeFileSync(secrets, '{}');
  chmodSync(secrets, 0o644);
  const desktop = await startApp(fakeElectron({ userData, hasStore: false }), { clock: virtualClock() });
  await until(() => desktop.dialogs.length === 1);
  expect(desktop.dialogs).toMatchObject([{ detail: expect.stringContaining(`chmod 600 "${secrets}"`) }]);
});
