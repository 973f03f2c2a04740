/** The udev rules: one for each USB mark of the drivers, and a script that can be run any number of times. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { udevRules } from '../../build/linux/udev-rules.ts';
import { udevCure } from '../../drivers/links/port-words.ts';
import { mpi } from '../../drivers/mpi/driver/driver.ts';
import { drivers } from '../../drivers/registry.ts';
import { posixTest } from '../support/platform/platform.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'build/linux');
const rulesFile = join(folder, '70-tillgate-terminals.rules');
const script = join(folder, 'install-udev-rules.sh');

test('the file matches the marks; if not, run node build/linux/write-udev-rules.ts', () => {
  expect(readFileSync(rulesFile, 'utf8')).toBe(udevRules(drivers));
});

test('marks become rules that give the group access and keep ModemManager off', () => {
  const usb = [
    { vendorId: 0x0acd, name: 'Readers', by: 'serial' },
    { vendorId: 0x0801, productId: 0x2020, name: 'Flex\nLABEL="x"', by: 'hid' },
  ] as const;
  const text = udevRules({ acme: { ...mpi, title: 'Acme', usb } });
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'ACTION=="remove", GOTO="tillgate_end"',
    'SUBSYSTEM=="hidraw", ATTRS{idVendor}=="0801", ATTRS{idProduct}=="2020", MODE="0660", GROUP="tillgate", TAG+="uaccess"',
    'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="0801", ATTR{idProduct}=="2020", ENV{ID_MM_DEVICE_IGNORE}="1"',
    'SUBSYSTEM=="tty", ATTRS{idVendor}=="0acd", MODE="0660", GROUP="tillgate", TAG+="uaccess", ENV{ID_MM_DEVICE_IGNORE}="1", ENV{ID_MM_PORT_IGNORE}="1"',
    'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="0acd", ENV{ID_MM_DEVICE_IGNORE}="1"',
    'LABEL="tillgate_end"',
  ]);
});

let system = '';
beforeEach(() => {
  system = mkdtempSync(join(tmpdir(), 'udev-'));
});
afterEach(() => rmSync(system, { recursive: true, force: true }));

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('sh', [script, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};
const rulesPath = () => join(system, 'etc/udev/rules.d/70-tillgate-terminals.rules');

posixTest('the remedy that faults name is this script, and it is executable', () => {
  expect(udevCure).toBe(`sudo ${script.slice(root.length + 1)}`);
  expect(statSync(script).mode & 0o111).toBe(0o111);
});

posixTest('installed once, again without a change, and removed', () => {
  expect(run('--root', system)).toMatchObject({ status: 0, stdout: expect.stringContaining('Installed') });
  expect(readFileSync(rulesPath(), 'utf8')).toBe(readFileSync(rulesFile, 'utf8'));
  expect(run('--root', system)).toMatchObject({ status: 0, stdout: expect.stringContaining('already installed') });
  expect(run('--root', system, '--remove')).toMatchObject({ status: 0, stdout: expect.stringContaining('Removed') });
  expect(existsSync(rulesPath())).toBe(false);
  expect(run('--root', system, '--remove')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('not installed'),
  });
});

posixTest('a dry run prints its actions and does nothing', () => {
  const { status, stdout } = run('--root', system, '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^would run: mkdir .*\nwould run: cp .*\nwould run: chmod 0644 .*\nwould run: mv .*\n$/);
  expect(existsSync(rulesPath())).toBe(false);
});

posixTest.each([
  [['--nonsense'], /no option --nonsense/],
  [['--user'], /needs a name/],
  [['--root', '/nowhere/at/all'], /no folder/],
])('%j is refused in words', (args, pattern) => {
  expect(run(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(pattern) });
});
