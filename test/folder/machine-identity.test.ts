/** The identity of a till's machine: a given name, or the system's own id; in most containers neither. */
import { expect, test } from 'vitest';
import { type MachineSources, machineIdentity } from '../../src/folder/machine.ts';

const ID = '0123456789abcdef0123456789abcdef';
const GUID = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const registryOutput = `\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography\r\n    MachineGuid    REG_SZ    ${GUID}\r\n\r\n`;

const sources = (more: Partial<MachineSources>): MachineSources => ({
  platform: 'linux',
  readFile: () => {
    throw new Error('ENOENT');
  },
  run: () => {
    throw new Error('ENOENT');
  },
  ...more,
});
const linux = (text: string) => sources({ readFile: (path) => (path === '/etc/machine-id' ? text : '') });

test.each([
  ['the id of a Linux system', linux(`${ID}\n`), `id:${ID}`],
  ['a system that was never started', linux('uninitialized\n'), undefined],
  ['an empty file, as in images of containers', linux(''), undefined],
  ['no file', sources({}), undefined],
  ['the GUID of Windows', sources({ platform: 'win32', run: () => registryOutput }), `id:${GUID}`],
  ['a registry that does not answer', sources({ platform: 'win32' }), undefined],
])('%s', (_, from, identity) => {
  expect(machineIdentity(undefined, from)).toBe(identity);
});

test('reads the 64-bit registry of Windows, whatever this program is', () => {
  const calls: unknown[] = [];
  const run = (...of: unknown[]) => {
    calls.push(of);
    return registryOutput;
  };
  machineIdentity(undefined, sources({ platform: 'win32', run }));
  expect(calls).toEqual([
    ['reg', ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid', '/reg:64']],
  ]);
});

test('a name takes precedence over the id, and is never confused with one', () => {
  expect(machineIdentity(' till-7 ', linux(ID))).toBe('name:till-7');
  expect(machineIdentity(ID, linux(ID))).toBe(`name:${ID}`);
  expect(machineIdentity('', linux(ID))).toBe(`id:${ID}`);
});

test.each([' ', 'a\nb', 'x'.repeat(101), 'Kasse Ä'])('%j is not a valid name', (name) => {
  expect(() => machineIdentity(name, sources({}))).toThrowError(expect.objectContaining({ code: 'command.malformed' }));
});
