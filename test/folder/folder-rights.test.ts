/** Who can open a till's folder: the permissions set at its creation, and who is reported afterwards. */
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  closeFolder,
  grantsFor,
  makeOwnedFolder,
  ownersOf,
  readersIn,
  rightsOf,
} from '../../src/folder/rights/folder-rights.ts';
import { type AskWindows, sidIn, type WindowsPrograms } from '../../src/folder/rights/windows-programs.ts';

const SID = 'S-1-5-21-3623811015-3361044348-30300820-1013';
const OTHER = 'S-1-5-21-3623811015-3361044348-30300820-1014';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rights-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('security descriptors as icacls saves them', () => {
  const sids = (text: string) => readersIn(text)?.map(({ sid }) => sid);
  test.each([
    // A folder created below a user's profile, below the root of a drive, and below ProgramData.
    ['a profile', `D:(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${SID})`, ['S-1-5-18', 'S-1-5-32-544', SID]],
    [
      'a drive',
      'D:AI(A;ID;FA;;;BA)(A;OICIIOID;GA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)',
      ['S-1-5-32-544', 'S-1-5-18', 'S-1-5-32-545', 'S-1-5-11'],
    ],
    ['nobody', 'D:P', []],
    ['the built-in administrator', 'D:(A;OICIID;FA;;;SY)(A;OICIID;FA;;;LA)', ['S-1-5-18', 'LA']],
    ['no list at all', 'D:NO_ACCESS_CONTROL', ['S-1-1-0']],
    ['a list of denials', 'D:PAI(D;OICI;FA;;;BG)(A;OICI;FA;;;SY)S:AI(AU;SAFA;FA;;;WD)', ['S-1-5-18']],
    ['conditions', 'D:(XA;;FR;;;WD;(Member_of{SID(BA)}))(A;;FA;;;SY)', ['S-1-1-0', 'S-1-5-18']],
  ])('%s', (_, text, expected) => {
    expect(sids(`till\r\n${text}\r\n`)).toEqual(expected);
  });

  test('text that is not a descriptor gives nothing', () => {
    expect(readersIn('')).toBeUndefined();
    expect(readersIn('Zugriff verweigert')).toBeUndefined();
  });
});

type Entry = { sid: string; mask: string; isInherited: boolean };

const aliases: Readonly<Record<string, string>> = {
  ...{ 'S-1-5-18': 'SY', 'S-1-5-32-544': 'BA', 'S-1-5-32-545': 'BU', 'S-1-5-4': 'IU', 'S-1-3-0': 'CO' },
};
const masks: Readonly<Record<string, string>> = { F: 'FA', M: '0x1301bf', R: 'FR' };
const fromParent: readonly Entry[] = [
  { sid: 'S-1-5-18', mask: 'FA', isInherited: true },
  { sid: 'S-1-5-32-545', mask: '0x1200a9', isInherited: true },
];

/**
 * Imitates whoami and icacls of Windows. `/inheritance:r` removes inherited entries only, `/grant:r` replaces the
 * entries of the named identifiers only, and invalid arguments change nothing.
 */
const windows = (inputs: readonly Entry[] = fromParent) => {
  const lists = new Map<string, readonly Entry[]>();
  const changed = (list: readonly Entry[], args: readonly string[]): readonly Entry[] | undefined => {
    let now = list;
    let to: 'grant' | 'remove' | undefined;
    for (const arg of args) {
      const sid = /^\*(S-1(?:-\d+)+)/.exec(arg)?.[1] ?? '';
      const mask = masks[/:\(OI\)\(CI\)([FMR])$/.exec(arg)?.[1] ?? ''];
      if (arg === '/inheritance:r') now = now.filter(({ isInherited }) => !isInherited);
      else if (arg === '/grant:r') to = 'grant';
      else if (arg === '/remove:g') to = 'remove';
      else if (sid === '' || to === undefined || (to === 'grant') !== (mask !== undefined)) return undefined;
      else {
        now = now.filter((one) => one.isInherited || one.sid !== sid);
        if (mask !== undefined) now = [...now, { sid, mask, isInherited: false }];
      }
    }
    return now;
  };
  const programs: WindowsPrograms = (program, [path = '', ...args]) => {
    if (program === 'whoami') return { code: 0, out: `vm\\anna ${SID}` };
    const list = lists.get(path) ?? inputs;
    if (args[0] === '/save') {
      const entries = list.map(
        (one) => `(A;OICI${one.isInherited ? 'ID' : ''};${one.mask};;;${aliases[one.sid] ?? one.sid})`,
      );
      writeFileSync(args[1] ?? '', Buffer.from(`till\r\nD:AI${entries.join('')}\r\n`, 'utf16le'));
      return { code: 0, out: '' };
    }
    const after = changed(list, args);
    if (after === undefined) return { code: 87, out: 'Invalid parameter' };
    lists.set(path, after);
    return { code: 0, out: '' };
  };
  const ask: AskWindows = async (program, args) => programs(program, args);
  /** Parses a line as PowerShell and cmd do: brackets must be in quotes, or PowerShell executes them. */
  const enter = (line: string): void => {
    if (/[()]/.test(line.replace(/"[^"]*"/g, ''))) throw new Error('OI is not recognized');
    const [, ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plainArg]) => quoted ?? plainArg ?? '');
    expect(programs('icacls', args)).toEqual({ code: 0, out: '' });
  };
  return { programs, ask, lists, typed: enter };
};
const platform = 'win32' as const;

describe.each(['user', 'counter'] as const)('a folder of one %s', (owners) => {
  test('is created so that nobody else can open it', async () => {
    const { programs, ask } = windows();
    const path = join(folder, 'till');
    makeOwnedFolder(path, { owners, platform, programs });
    expect(await rightsOf(path, { owners, platform, ask })).toEqual({ state: 'own' });
  });

  test('that exists and is empty, as after an interrupted start, is restricted too', async () => {
    const { programs, ask } = windows();
    makeOwnedFolder(folder, { owners, platform, programs });
    expect(await rightsOf(folder, { owners, platform, ask })).toEqual({ state: 'own' });
  });

  test('that exists is left as it is, and others who can open it are reported with the remedy', async () => {
    const { programs, ask, lists, typed } = windows();
    writeFileSync(join(folder, 'kept'), '');
    makeOwnedFolder(folder, { owners, platform, programs });
    expect(lists.size).toBe(0);
    const rights = await rightsOf(folder, { owners, platform, ask });
    expect(rights).toMatchObject({ state: 'open', who: ['Users (S-1-5-32-545)'] });
    if (rights.state === 'open') typed(rights.cure);
    expect(await rightsOf(folder, { owners, platform, ask })).toEqual({ state: 'own' });
  });

  test('that somebody opened to others by name is closed by the reported command', async () => {
    const { programs, ask, typed } = windows();
    makeOwnedFolder(folder, { owners, platform, programs });
    programs('icacls', [folder, '/grant:r', '*S-1-5-32-545:(OI)(CI)R', `*${OTHER}:(OI)(CI)F`]);
    const rights = await rightsOf(folder, { owners, platform, ask });
    expect(rights).toMatchObject({ state: 'open', who: ['Users (S-1-5-32-545)', OTHER] });
    if (rights.state === 'open') typed(rights.cure);
    expect(await rightsOf(folder, { owners, platform, ask })).toEqual({ state: 'own' });
  });
});

test('a folder of one user that is open to the whole counter is reported', async () => {
  const { programs, ask } = windows();
  programs('icacls', [folder, ...grantsFor(SID, 'counter')]);
  expect(await rightsOf(folder, { owners: 'user', platform, ask })).toMatchObject({ who: ['INTERACTIVE (S-1-5-4)'] });
});

test('a folder of one user that becomes the counter’s is in order for each login there', async () => {
  const { programs, ask: request } = windows();
  makeOwnedFolder(folder, { owners: 'user', platform, programs });
  closeFolder(folder, { owners: 'counter', programs });
  for (const sid of [SID, OTHER]) {
    const ask: AskWindows = async (program, args) =>
      program === 'whoami' ? { code: 0, out: `vm\\someone ${sid}` } : request(program, args);
    expect(await rightsOf(folder, { owners: 'counter', platform, ask })).toEqual({ state: 'own' });
  }
});

test('a folder of the counter is in order for each login there, whoever created it', async () => {
  const { programs, ask: request } = windows();
  makeOwnedFolder(folder, { owners: 'counter', platform, programs });
  const ask: AskWindows = async (program, args) =>
    program === 'whoami' ? { code: 0, out: `vm\\berta ${OTHER}` } : request(program, args);
  expect(await rightsOf(folder, { owners: 'counter', platform, ask })).toEqual({ state: 'own' });
});

test('a folder of the counter that only one login can open is reported', async () => {
  const { programs, ask, typed } = windows();
  programs('icacls', [folder, ...grantsFor(SID, 'user')]);
  expect(await rightsOf(folder, { owners: 'counter', platform, ask })).toEqual({
    ...{ state: 'narrow', cure: expect.stringContaining('*S-1-5-4:(OI)(CI)M') },
  });
  const { cure = '' } = { cure: '', ...(await rightsOf(folder, { owners: 'counter', platform, ask })) };
  typed(cure);
  expect(await rightsOf(folder, { owners: 'counter', platform, ask })).toEqual({ state: 'own' });
});

test('the built-in Administrator, which descriptors abbreviate, does not count as a stranger', async () => {
  const { ask: request } = windows([
    { sid: 'LA', mask: 'FA', isInherited: true },
    { sid: 'S-1-5-18', mask: 'FA', isInherited: true },
  ]);
  const administrator = { code: 0, out: 'vm\\administrator S-1-5-21-3623811015-3361044348-30300820-500' };
  const ask: AskWindows = async (program, args) => (program === 'whoami' ? administrator : request(program, args));
  expect(await rightsOf(folder, { owners: 'user', platform, ask })).toEqual({ state: 'own' });
});

test.each<[string, AskWindows, string]>([
  ['is not there', async () => ({ code: -1, out: 'not found' }), 'whoami: not found'],
  ['says nothing', async () => ({ code: 0, out: '' }), 'whoami (0)'],
  [
    'names the user and succeeds without a list, as under Wine',
    async (program) => ({ code: 0, out: program === 'whoami' ? SID : '' }),
    'icacls (0)',
  ],
  [
    'may not look',
    async (program) => (program === 'whoami' ? { code: 0, out: SID } : { code: 5, out: 'Zugriff verweigert' }),
    'icacls: Zugriff verweigert',
  ],
  [
    'saves an invalid list',
    async (program, [, , file = '']) => {
      if (program === 'icacls') writeFileSync(file, Buffer.from('till\r\n', 'utf16le'));
      return { code: 0, out: program === 'whoami' ? SID : 'ok' };
    },
    'icacls: ok',
  ],
])('a Windows that %s does not count as in order', async (_, ask, output) => {
  const remedy = `icacls "${folder}"`;
  expect(await rightsOf(folder, { owners: 'user', platform, ask })).toEqual({
    state: 'unsaid',
    said: output,
    cure: remedy,
  });
});

test('nothing is reported about a folder that does not exist', async () => {
  const { ask } = windows();
  expect(await rightsOf(join(folder, 'nowhere'), { owners: 'user', platform, ask })).toEqual({ state: 'own' });
});

test('a user whose name looks like an identifier is known by their real one', () => {
  expect(sidIn({ code: 0, out: `"vm\\S-1-5-18","${SID}"` })).toBe(SID);
});

test.runIf(process.platform !== 'win32')('on other systems the modes of the folder and of its keys count', async () => {
  const path = join(folder, 'till');
  makeOwnedFolder(path, { owners: 'user' });
  expect(statSync(path).mode & 0o777).toBe(0o700);
  const secrets = join(path, 'till.secrets.json');
  writeFileSync(secrets, '{}', { mode: 0o600 });
  expect(await rightsOf(path, { owners: 'user' })).toEqual({ state: 'own' });
  chmodSync(secrets, 0o644);
  expect(await rightsOf(path, { owners: 'user' })).toEqual({
    state: 'open',
    who: ['its group', 'other users'],
    cure: `chmod 600 "${secrets}"`,
  });
});

test.each([
  ['/data/till', undefined, 'user'],
  [join('/program-data', 'Tillgate', 'till'), '/program-data', 'counter'],
  [join('/PROGRAM-DATA', 'tillgate', 'till', 'live'), '/program-data', 'counter'],
  [join('/program-data', 'Tillgate-2'), '/program-data', 'user'],
  [join('/elsewhere', 'till'), '/program-data', 'user'],
] as const)('%s with %s belongs to one %s', (path, programData, owners) => {
  expect(ownersOf(path, programData)).toBe(owners);
});
