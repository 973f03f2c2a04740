/** The gateway's folder on Windows is made private before it contains a key, and checked at each start. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type GatewayMachine, runGateway } from '../../src/cli/gateway/run.ts';
import { grantsFor } from '../../src/folder/rights/folder-rights.ts';
import { readConfig } from '../../src/gateway/server/config/config.ts';

const SID = 'S-1-5-21-3623811015-3361044348-30300820-1013';
let folder = '';
let message = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-rights-'));
  message = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    message += text;
    return true;
  });
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const user = { code: 0, out: `vm\\anna ${SID}` };

/** Starts the gateway in a missing folder. `list`: the rights that Windows then lists. */
const runUntilLooked = async (platform: NodeJS.Platform, list: string) => {
  const looked = Promise.withResolvers<void>();
  const closed: { args: readonly string[]; held: string[] }[] = [];
  const machine: GatewayMachine = {
    platform,
    stop: looked.promise,
    programs(program, [path = '', ...args]) {
      if (program === 'whoami') return user;
      closed.push({ args, held: readdirSync(path) });
      return { code: 0, out: '' };
    },
    async ask(program, args) {
      if (program === 'whoami') return user;
      if (program === 'icacls') {
        writeFileSync(args[2] ?? '', Buffer.from(`data\r\n${list}\r\n`, 'utf16le'));
        looked.resolve();
      }
      return { code: 0, out: '' };
    },
  };
  if (platform !== 'win32') looked.resolve();
  const data = join(folder, 'data');
  await runGateway(readConfig({ environment: {}, flags: { port: '0', data } }), machine);
  return { closed, data };
};

test('the empty folder is made private, and a warning names others who can open it', async () => {
  const { closed, data } = await runUntilLooked('win32', `D:(A;OICI;FA;;;${SID})(A;OICI;FR;;;BU)`);
  expect(closed).toEqual([{ args: grantsFor(SID, 'user'), held: [] }]);
  expect(readdirSync(data)).not.toEqual([]);
  expect(message).toContain(`Warning: Other users can open ${data}, and the keys in it: Users (S-1-5-32-545).\n`);
  expect(message).toContain(`An administrator runs: icacls "${data}"`);
});

test('a private folder gives no warning', async () => {
  await runUntilLooked('win32', `D:(A;OICI;FA;;;${SID})(A;OICI;FA;;;SY)`);
  expect(message).not.toContain('Warning');
});

test('on other systems the modes of the files count, and Windows is not asked', async () => {
  const { closed, data } = await runUntilLooked('linux', '');
  expect([closed, existsSync(data)]).toEqual([[], true]);
});
