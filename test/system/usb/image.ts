/** The bench's file system as one archive: busybox, Node with its libraries, kernel modules, and the project. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join, relative } from 'node:path';
import { cpio, type Entry } from './cpio.ts';
import { program } from './parts.ts';

const project = join(import.meta.dirname, '../../..');
/** The project's folder in the machine. */
const inside = 'till';
/** `modules` in loading order. About 180 MB: not compressed, so that the machine starts sooner. */
export const makeImage = (modules: readonly string[]): Buffer => {
  const node = process.execPath;
  const files = projectFiles();
  const natives = files.filter((path) => path.endsWith('.node')).map((path) => join(project, path));
  return cpio([
    file('init', join(import.meta.dirname, 'guest/init'), { program: true }),
    file('bin/busybox', program('busybox') ?? '', { program: true }),
    file('bin/node', node, { program: true }),
    { kind: 'link', path: 'bin/sh', to: 'busybox' },
    ...['dev', 'proc', 'sys', 'tmp', 'disk'].map((path): Entry => ({ kind: 'folder', path })),
    ...librariesOf([node, ...natives]).map((path) => file(path, path, { program: true })),
    ...modules.map((path, index) => file(`modules/${String(index).padStart(2, '0')}-${basename(path)}`, path)),
    ...files.map(projectFile),
  ]);
};

const file = (path: string, from: string, { program = false } = {}): Entry => ({
  kind: 'file',
  path,
  bytes: readFileSync(from),
  program,
});

/**
 * A file of the project. Types are stripped here: the machine's Node would do that with WebAssembly, which is slow
 * there, and the emulator does not support code generated at run time (see `guest/init`). Lines and columns stay.
 */
const projectFile = (path: string): Entry => {
  if (!path.endsWith('.ts')) return file(join(inside, path), join(project, path));
  const stripped = stripTypeScriptTypes(readFileSync(join(project, path), 'utf8'));
  const javascript = stripped.replace(/((?:from|import|import\(|resolve\()\s*'\.{1,2}\/[^'\n]+)\.ts'/g, "$1.js'");
  return { kind: 'file', path: join(inside, path.replace(/\.ts$/, '.js')), bytes: Buffer.from(javascript) };
};

/** The shared libraries that the system's loader uses for these programs, and the loader itself. */
const librariesOf = (programs: readonly string[]): string[] => {
  const { stdout, stderr, status } = spawnSync('ldd', programs, { encoding: 'utf8' });
  if (status !== 0 || stdout.includes('not found')) throw new Error(`a library is missing:\n${stderr}${stdout}`);
  return [...new Set([...stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map(([, path = '']) => path))];
};

/** The sources that run in the machine, and the packages that a till is shipped with. */
const projectFiles = (): string[] => {
  const sources = ['src', 'drivers', 'test/system/usb', 'test/support'].flatMap((folder) => below(folder));
  return ['package.json', ...sources, ...shipped().flatMap((folder) => below(folder).filter(isNeeded))];
};

const below = (folder: string): string[] => filesBelow(join(project, folder)).map((path) => relative(project, path));

/** The folders of the packages that are not development dependencies, by the lock file. */
const shipped = (): string[] => {
  type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean }> };
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lock;
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && existsSync(join(project, path)))
    .map(([path]) => path);
};

/** Leaves out what is for people, compilers, other systems, and USB without the kernel's own HID. */
const isNeeded = (path: string): boolean =>
  !/\.(md|map|ts|mts|cts|c|cc|cpp|h|hpp|m|mm|gyp|gypi|txt|tgz)$|better-sqlite3\/deps|node-hid\/hidapi/.test(path) &&
  (!path.includes('/prebuilds/') || /\/prebuilds\/(HID_hidraw-)?linux-x64[/.](?!.*musl)/.test(path));

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => statSync(path).isFile());
