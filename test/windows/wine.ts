/**
 * Windows as far as Wine can imitate it: programs of drive C, run beside this system's programs on the same network and
 * disk. Their output goes to files, because Node for Windows cannot open the pipes that Wine passes on.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { endProcesses } from './processes.ts';

export type Windows = {
  /** Wine's version, for example `10.0`. */
  version: string;
  /** The path of drive C on this system. */
  drive: string;
  /** Runs a Windows program until it ends. `folder` is a path on drive C, for example `shop/tillgate`. */
  run(command: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Starts a program and leaves it running. */
  start(command: readonly string[], options?: RunOptions): Started;
  /** Maps a drive letter to a folder of drive C, or removes the mapping. */
  letter(letter: string, folder: string | undefined): void;
  /** Maps a COM port to a device of this system, for programs started after this call. */
  port(name: string, device: string): Promise<void>;
  /** Ends every program that runs in Wine. */
  end(): void;
};

export type RunOptions = { folder?: string; env?: Readonly<Record<string, string>>; withinMs?: number };

export type Ended = { code: number; out: string; ms: number };

export type Started = {
  /** Its output so far, including errors. */
  printed(): string;
  /** Resolves with the exit code when it has ended by itself. */
  ended: Promise<number>;
  /** Kills it, as a power cut would. Resolves when none of its processes are left, and throws if some are. */
  kill(): Promise<void>;
};

const WITHIN_MS = 10 * 60_000;

/** `root` is a folder made by `make-wine.sh`. Throws with a message if Wine is missing or too old. */
export const openWindows = async (root: string): Promise<Windows> => {
  const wine = '/usr/lib/wine/wine64';
  if (!existsSync(join(root, wine)))
    throw new Error(`There is no Wine in ${root}. Make it as root: test/windows/make-wine.sh ${root}`);
  mount(root);
  const prefix = '/tillgate-prefix';
  const version = execFileSync('chroot', [root, '/usr/lib/wine/wine64', '--version'], { encoding: 'utf8' })
    .trim()
    .replace(/^wine-/, '')
    .replace(/ .*/, '');
  if (Number.parseFloat(version) < 10) throw new Error(`Wine ${version} cannot run Node 24; Wine 10 can.`);
  const drive = join(root, prefix, 'drive_c');

  const launch = (command: readonly string[], { folder = '', env = {} }: RunOptions, output: number): ChildProcess => {
    const variables = Object.entries({ ...settings, WINEPREFIX: prefix, ...env }).map(
      ([key, value]) => `${key}=${value}`,
    );
    const at = join(prefix, 'drive_c', folder);
    const start = existsSync(join(root, at)) ? ['-C', at] : [];
    return spawn('chroot', [root, 'env', '-i', ...start, ...variables, wine, ...command], {
      stdio: ['ignore', output, output],
    });
  };
  const started = (command: readonly string[], options: RunOptions): Started => {
    const file = join(root, 'tmp', `output-${process.pid}-${count++}`);
    const output = openSync(file, 'w', 0o600);
    const child = launch(command, options, output);
    closeSync(output);
    const ended = new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? -1));
    });
    return { printed: () => readFileSync(file, 'utf8').replace(noise, ''), ended, kill: () => endProcesses(command) };
  };
  const windows: Windows = {
    version,
    drive,
    start: (command, options = {}) => started(command, options),
    async run(command, options = {}) {
      const since = performance.now();
      const one = started(command, options);
      const timer = setTimeout(() => void one.kill(), options.withinMs ?? WITHIN_MS);
      const code = await one.ended;
      clearTimeout(timer);
      return { code, out: one.printed(), ms: performance.now() - since };
    },
    letter(letter, folder) {
      const link = join(root, prefix, 'dosdevices', `${letter.toLowerCase()}:`);
      rmSync(link, { force: true });
      if (folder !== undefined) symlinkSync(join('../drive_c', folder), link);
    },
    async port(name, device) {
      await windows.run(['reg', 'add', 'HKLM\\Software\\Wine\\Ports', '/v', name, '/t', 'REG_SZ', '/d', device, '/f']);
      // Wine looks up ports when it starts.
      windows.end();
    },
    end: () => {
      // It fails if nothing is running, which is fine.
      for (const option of ['-k', '-w'])
        spawnSync('chroot', [root, 'env', `WINEPREFIX=${prefix}`, '/usr/lib/wine/wineserver64', option], quiet);
    },
  };
  if (!existsSync(drive)) await windows.run(['wineboot', '--init']);
  return windows;
};

let count = 0;

const quiet = { stdio: 'ignore' } as const;

const settings = {
  HOME: '/tillgate-prefix',
  PATH: '/usr/bin:/bin:/usr/lib/wine',
  WINEDEBUG: '-all',
  WINEPATH: 'C:\\node',
  XDG_RUNTIME_DIR: '/tmp',
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  CI: 'true',
} as const;

/** Wine's own messages. */
const noise = /^(error: XDG_RUNTIME_DIR.*|wine: failed to open .*rundll32.*)\n/gm;

/** Mounts processes, devices and a temporary folder, as every program expects them. */
const mount = (root: string): void => {
  const mounted = readFileSync('/proc/mounts', 'utf8');
  for (const folder of ['proc', 'dev', 'tmp']) mkdirSync(join(root, folder), { recursive: true });
  const isMounted = (folder: string): boolean => mounted.includes(` ${join(root, folder)} `);
  if (!isMounted('proc')) execFileSync('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  if (!isMounted('dev')) execFileSync('mount', ['--rbind', '/dev', join(root, 'dev')]);
  if (!isMounted('tmp')) execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', join(root, 'tmp')]);
};
