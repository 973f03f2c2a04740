/**
 * Windows' own programs, started by their full path, so that a program of the same name in the till's folder is not
 * run.
 */
import { execFile, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { win32 } from 'node:path';
import { environment } from '../machine.ts';

export type WindowsProgram = 'fsutil' | 'icacls' | 'schtasks' | 'whoami';

/** The exit code, and all output in the system's language. */
export type ProgramResult = { code: number; out: string };

/**
 * Runs a program to its end without flashing a window. If it is missing or does not end, the code is -1 and the output
 * says why.
 */
export type WindowsPrograms = (program: WindowsProgram, args: readonly string[]) => ProgramResult;

/** The same without blocking, for a till that is selling. */
export type AskWindows = (program: WindowsProgram, args: readonly string[]) => Promise<ProgramResult>;

const spawnOptions = { encoding: 'utf8', timeout: 20_000, windowsHide: true } as const;

const pathOf = (program: WindowsProgram): string =>
  `${environment()['SystemRoot'] ?? 'C:\\Windows'}\\System32\\${program}.exe`;

export const windowsPrograms: WindowsPrograms = (program, args) => {
  const { status, stdout, stderr, error } = spawnSync(pathOf(program), args, {
    ...spawnOptions,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error !== undefined) return { code: -1, out: error.message };
  return { code: status ?? -1, out: `${stdout}${stderr}`.trim() };
};

export const askWindows: AskWindows = (program, args) =>
  new Promise((resolve) => {
    execFile(pathOf(program), args, spawnOptions, (error, stdout, stderr) => {
      const out = `${stdout}${stderr}`.trim();
      if (error === null) resolve({ code: 0, out });
      else resolve({ code: typeof error.code === 'number' ? error.code : -1, out: out === '' ? error.message : out });
    });
  });

/**
 * The security identifier of the current user, from the output of `whoami /user`: it follows the name, which is
 * translated and may itself look like an identifier.
 */
export const sidIn = ({ out }: ProgramResult): string | undefined => out.match(/\bS-1-\d+(?:-\d+)+\b/g)?.at(-1);

// Whether a Windows path leads to the network: by its form, by a mapped drive, or by a link.

/** Where a path leads, through mapped drives and links. Throws if it does not exist. */
export type Follow = (path: string) => string;

/** The share, `\\server\share`. Undefined for a path of this machine, and for one that leads nowhere. */
export const shareOf = (path: string, follow: Follow = realpathSync.native): string | undefined =>
  shareIn(path) ?? shareIn(resolveLink(win32.resolve(path), follow));

/** A path that does not exist yet will be where its parent folder leads. */
const resolveLink = (path: string, follow: Follow): string => {
  try {
    return follow(path);
  } catch {
    const parent = win32.dirname(path);
    return parent === path ? '' : resolveLink(parent, follow);
  }
};

/** `\\?\C:\till` and `\\.\C:\till` are paths of this machine. */
const shareIn = (path: string): string | undefined => {
  const [, server, share] = /^\\\\(?:\?\\UNC\\)?([^\\?.][^\\]*)\\([^\\]+)/i.exec(path.replaceAll('/', '\\')) ?? [];
  return server === undefined || share === undefined ? undefined : `\\\\${server}\\${share}`;
};
