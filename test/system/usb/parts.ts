/** What the bench needs on the host, and how to get what is missing. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findKernel, type Kernel } from './kernel.ts';

const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** The program's path, or undefined. */
export const program = (name: string): string | undefined =>
  places.map((place) => join(place, name)).find((path) => isProgram(path));

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Debian's package for each program. */
const packages = {
  'qemu-system-x86_64': 'qemu-system-x86',
  busybox: 'busybox-static',
  'mkfs.ext4': 'e2fsprogs',
  ldd: 'libc-bin',
} as const;

/** The kernel when everything is there; otherwise the commands that install the rest. */
export const findParts = (): { kernel: Kernel } | { missing: string } => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { missing: 'a Linux machine of the PC kind' };
  const missing = Object.entries(packages).flatMap(([name, from]) => (program(name) === undefined ? [from] : []));
  const kernel = findKernel();
  if (kernel !== undefined && missing.length === 0 && isStatic()) return { kernel };
  const install = [...missing, ...(isStatic() ? [] : ['busybox-static'])];
  return {
    missing: [
      ...(install.length > 0 ? [`apt-get install ${install.join(' ')}`] : []),
      ...(kernel === undefined ? ['npx node test/system/usb/fetch-kernel.ts'] : []),
    ].join('; '),
  };
};

/** A busybox that needs libraries would not start in the machine. */
const isStatic = (): boolean => {
  const path = program('busybox');
  return path === undefined || spawnSync('ldd', [path]).status !== 0;
};
