/** A till that starts with Windows: the registered task, and the messages when Windows refuses. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../drivers/simulation/cardholder.ts';
import { type BootParts, off, on, quoted, taskBytes, taskName, taskXml } from '../../src/cli/store/boot.ts';
import { sidIn } from '../../src/folder/rights/windows-programs.ts';

const SID = 'S-1-5-21-3623811015-3361044348-30300820-1013';

/** Parses a command line as programs of Windows do. */
const parseCommandLine = (line: string): string[] => {
  const args: string[] = [];
  let arg: string | undefined;
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const [slashes = ''] = /^\\*/.exec(line.slice(index)) ?? [];
    const behind = line[index + slashes.length];
    if (slashes !== '' && behind === '"') {
      arg = `${arg ?? ''}${'\\'.repeat(Math.floor(slashes.length / 2))}`;
      if (slashes.length % 2 === 1) arg += '"';
      index += slashes.length - (slashes.length % 2 === 1 ? 0 : 1);
    } else if (line[index] === '"') {
      isQuoted = !isQuoted;
      arg ??= '';
    } else if (line[index] === ' ' && !isQuoted) {
      if (arg !== undefined) args.push(arg);
      arg = undefined;
    } else arg = `${arg ?? ''}${line[index]}`;
  }
  if (arg !== undefined) args.push(arg);
  return args;
};

describe('arguments', () => {
  test.each([
    ['start', 'start'],
    ['C:\\till', 'C:\\till'],
    ['C:\\the shop\\data', '"C:\\the shop\\data"'],
    ['C:\\the shop\\', '"C:\\the shop\\\\"'],
    ['say "hello"', '"say \\"hello\\""'],
    ['', '""'],
  ])('%j is written %s', (arg, written) => {
    expect(quoted(arg)).toBe(written);
    expect(parseCommandLine(written)).toEqual([arg]);
  });

  test('quoted arguments are parsed back to the same list (seed 20261127)', () => {
    const random = seededRandom(20261127);
    const letters = ['a', ' ', '"', '\\', 'é', '&', '<'];
    const word = (): string =>
      Array.from({ length: (random(1)[0] ?? 0) % 8 }, () => letters[(random(1)[0] ?? 0) % 7]).join('');
    for (let n = 0; n < 500; n += 1) {
      const args = [word(), word(), word()];
      expect(parseCommandLine(args.map(quoted).join(' '))).toEqual(args);
    }
  });
});

test.each([
  ['English', 'User Name SID\r\n========= ====\r\nvm\\anna S-1-5-21-1-2-3-1000', 'S-1-5-21-1-2-3-1000'],
  ['German', 'BENUTZERINFORMATIONEN\r\nBenutzername SID\r\nkasse\\s-1-5 S-1-5-21-9-8-7-1001', 'S-1-5-21-9-8-7-1001'],
  ['a service', 'nt authority\\system S-1-5-18', 'S-1-5-18'],
  ['nothing', '', undefined],
])('the user is found by the security identifier, in %s', (_, out, sid) => {
  expect(sidIn({ code: 0, out })).toBe(sid);
});

test('the task names the user by the identifier, and its file is UTF-16 as schtasks reads it', () => {
  const args = ['--no-maglev', 'src\\cli\\main.ts', 'start', '--data', 'C:\\R&D shop'];
  const xml = taskXml({ sid: SID, program: 'C:\\node.exe', args, folder: 'C:\\tillgate', description: 'a < b' });
  expect(xml).toContain(`<UserId>${SID}</UserId>`);
  expect(xml).toContain('start --data &quot;C:\\R&amp;D shop&quot;</Arguments>');
  expect(xml).toContain('<Description>a &lt; b</Description>');
  const bytes = taskBytes(xml);
  expect([...bytes.subarray(0, 4)]).toEqual([0xff, 0xfe, 0x3c, 0x00]);
  expect(bytes.toString('utf16le').split('\r\n')).toHaveLength(xml.split('\n').length);
});

test('each folder has its own task, whatever the case of its letters', () => {
  expect(taskName('C:\\Till')).toBe(taskName('c:\\till'));
  expect(taskName('C:\\till')).not.toBe(taskName('C:\\till-2'));
});

describe('the command', () => {
  let data = '';
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'boot-'));
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  /** Imitates schtasks and whoami: tasks have names, and only administrators change them. */
  const windows = (isAdministrator = true) => {
    const tasks = new Map<string, string>();
    const requests: string[] = [];
    const programs: BootParts['programs'] = (program, args) => {
      if (program === 'icacls') return { code: requests.push(program) > 0 ? 0 : 1, out: '' };
      requests.push([program, args[0]].join(' '));
      const named = args[args.indexOf('/TN') + 1] ?? '';
      const file = args[args.indexOf('/XML') + 1] ?? '';
      if (program === 'whoami') return { code: 0, out: `vm\\anna ${SID}` };
      if (args[0] === '/Query') return { code: tasks.has(named) ? 0 : 1, out: '' };
      if (!isAdministrator) return { code: 1, out: 'ERROR: Access is denied.' };
      if (args[0] === '/Create') tasks.set(named, readFileSync(file).toString('utf16le'));
      else if (!tasks.has(named)) return { code: 1, out: 'ERROR: The system cannot find the file specified.' };
      if (args[0] === '/Delete') tasks.delete(named);
      return { code: 0, out: '' };
    };
    const self = {
      ...{ platform: 'win32' as const, execPath: 'C:\\node.exe', execArgv: ['--no-maglev'] },
      ...{ argv: ['C:\\node.exe', 'C:\\tillgate\\src\\cli\\main.ts'], cwd: () => 'C:\\tillgate' },
    };
    return { tasks, requests, parts: { self, programs, follow: (path: string) => path } };
  };
  const flags = () => ({ data, port: '8800', json: true as const });

  test('`on` registers the task and starts the till, `off` deletes the task, and no file is left', async () => {
    const { tasks, requests, parts } = windows();
    await on(flags(), parts);
    expect([...tasks.values()]).toEqual([expect.stringContaining(`--data ${data} --port 8800 --no-open-browser`)]);
    expect(requests).toEqual(['whoami /user', 'whoami /user', 'icacls', 'schtasks /Create', 'schtasks /Run']);
    expect(existsSync(join(data, 'boot-task.xml'))).toBe(false);
    await off(flags(), parts);
    expect(tasks.size).toBe(0);
    await off(flags(), parts);
  });

  test('the till’s folder is private to its owner before anything is in it', async () => {
    const { requests, parts } = windows();
    await on({ ...flags(), data: join(data, 'till') }, parts);
    expect(requests.indexOf('icacls')).toBeLessThan(requests.indexOf('schtasks /Create'));
    expect(requests).toContain('icacls');
  });

  test('somebody who is not an administrator is told what to do, and nothing is left', async () => {
    const { parts } = windows(false);
    await expect(on(flags(), parts)).rejects.toMatchObject({ code: 'boot.refused' });
    expect(existsSync(join(data, 'boot-task.xml'))).toBe(false);
  });

  test.each<[string, (parts: BootParts) => BootParts, string]>([
    ['a folder on a share', (parts) => ({ ...parts, follow: () => '\\\\server\\tills\\till' }), '\\\\server\\tills'],
    [
      'a program on a mapped drive',
      ({ self, ...parts }) => ({
        ...parts,
        self: { ...self, argv: ['C:\\node.exe', 'Z:\\tillgate\\src\\cli\\main.ts'] },
        follow: (path) => path.replace(/^Z:/, '\\\\server\\programs'),
      }),
      '\\\\server\\programs',
    ],
    [
      'Node on a share',
      ({ self, ...parts }) => ({ ...parts, self: { ...self, execPath: '//server/node/node.exe' } }),
      'server',
    ],
    [
      'a working folder on a share',
      ({ self, ...parts }) => ({ ...parts, self: { ...self, cwd: () => '\\\\server\\cwd\\' } }),
      'server',
    ],
  ])('%s is refused by name, with what to do, before anything is asked or created', async (_, changed, share) => {
    const { requests, parts } = windows();
    const path = join(data, 'till');
    await expect(on({ ...flags(), data: path }, changed(parts))).rejects.toMatchObject({
      code: 'boot.share',
      message: expect.stringContaining(share),
      next: expect.stringContaining('a disk of this machine'),
    });
    expect([requests, existsSync(path)]).toEqual([[], false]);
    await expect(on({ ...flags(), dryRun: true }, changed(parts))).rejects.toMatchObject({ code: 'boot.share' });
  });

  test('another system refuses the command and names its own way', async () => {
    const { parts, requests } = windows();
    const linux = { ...parts, self: { ...parts.self, platform: 'linux' as const } };
    await expect(on(flags(), linux)).rejects.toMatchObject({ message: expect.stringContaining('tillgate.service') });
    expect(requests).toEqual([]);
  });
});
