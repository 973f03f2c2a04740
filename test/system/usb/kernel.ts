/**
 * The kernel that the bench boots: Debian's, with the modules of both sides of USB, from a package or from this
 * machine.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** `modules` in loading order. */
export type Kernel = { vmlinuz: string; modules: readonly string[] };

/**
 * What the bench loads; dependencies are found. The host side of USB, the device side, and a disk. ext4 requests its
 * checksum by name, so no file declares that it needs that module.
 */
const expected = [
  ...['crc32c_generic', 'virtio_pci', 'virtio_blk', 'ext4'],
  ...['hid_generic', 'usbhid', 'cdc_acm', 'dummy_hcd', 'usb_f_hid', 'usb_f_acm'],
];

const cache = join(import.meta.dirname, '../../../node_modules/.cache/usb-bench/kernel');

/** The fetched kernel, or the one installed on this machine if it has all modules. */
export const findKernel = (): Kernel | undefined => {
  const roots = [cache, '/'].filter((root) => existsSync(join(root, 'boot')));
  for (const root of roots) {
    for (const file of readdirSync(join(root, 'boot'))
      .filter((name) => name.startsWith('vmlinuz-'))
      .sort()
      .reverse()) {
      const modules = modulesOf(join(root, 'lib/modules', file.slice('vmlinuz-'.length)));
      if (modules !== undefined) return { vmlinuz: join(root, 'boot', file), modules };
    }
  }
  return undefined;
};

/**
 * Downloads Debian's kernel package, about 70 MB, and keeps what the bench needs. Nothing is installed. Throws with
 * apt's own message.
 */
export const fetchKernel = (): void => {
  mkdirSync(dirname(cache), { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  try {
    try {
      download(folder);
    } catch (error) {
      // A new machine's package lists are missing or too old. Only root may update them.
      if (process.getuid?.() !== 0) throw error;
      run('apt-get', ['update'], folder);
      download(folder);
    }
    const [deb = ''] = readdirSync(folder).filter((file) => file.endsWith('.deb'));
    run('dpkg-deb', ['--extract', deb, 'all'], folder);
    storeFiles(join(folder, 'all'), join(folder, 'kept'));
    rmSync(cache, { recursive: true, force: true });
    renameSync(join(folder, 'kept'), cache);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The package of the current version: the one with the constant name only points to it. */
const download = (folder: string): void => {
  const name = /Depends: (linux-image-\S+)/.exec(run('apt-cache', ['depends', 'linux-image-amd64'], folder))?.[1];
  if (name === undefined) throw new Error('apt knows no package linux-image-amd64');
  run('apt-get', ['-o', 'Acquire::Retries=3', 'download', name], folder);
};

const run = (program: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', cwd });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  return stdout;
};

/** Keeps only kernel and modules, unpacked, in their folders. */
const storeFiles = (all: string, stored: string): void => {
  const [kernel = ''] = readdirSync(join(all, 'boot')).filter((name) => name.startsWith('vmlinuz-'));
  mkdirSync(join(stored, 'boot'), { recursive: true });
  renameSync(join(all, 'boot', kernel), join(stored, 'boot', kernel));
  const folder = join('lib/modules', kernel.slice('vmlinuz-'.length));
  // Newer Debians have it below usr, and compress the modules.
  const from = [join(all, folder), join(all, 'usr', folder)].find((place) => existsSync(place)) ?? '';
  const packed = filesBelow(from).filter((file) => file.endsWith('.ko.xz'));
  if (packed.length > 0) run('xz', ['--decompress', '--threads=0', ...packed], all);
  const modules = modulesOf(from);
  if (modules === undefined) throw new Error(`${kernel} has not all modules of ${expected.join(', ')}`);
  mkdirSync(join(stored, folder), { recursive: true });
  for (const file of modules) renameSync(file, join(stored, folder, basename(file)));
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** The wanted modules, each after its dependencies; undefined when one is missing. */
const modulesOf = (folder: string): string[] | undefined => {
  if (!existsSync(folder)) return undefined;
  const files = new Map(
    filesBelow(folder)
      .filter((file) => file.endsWith('.ko'))
      .map((file) => [normalised(basename(file, '.ko')), file]),
  );
  const ordered = new Set<string>();
  const add = (name: string): boolean => {
    const file = files.get(normalised(name));
    if (file === undefined) return false;
    const complete = dependsOn(file).every(add);
    ordered.add(file);
    return complete;
  };
  return expected.every(add) ? [...ordered] : undefined;
};

/** The kernel treats both characters as one. */
const normalised = (name: string): string => name.replaceAll('-', '_');

/** A module names them in its own section: `depends=hid,usbcore`. */
const dependsOn = (file: string): string[] => {
  const [, names = ''] = /\0depends=([^\0]*)\0/.exec(readFileSync(file, 'latin1')) ?? [];
  return names === '' ? [] : names.split(',');
};
