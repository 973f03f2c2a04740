/** Programs of Windows itself, by their whole path: one of the same name in the till's folder is not meant. */
import { execFile, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { win32 } from 'node:path';
import { environment } from '../machine.ts';

export type WindowsProgram = 'fsutil' | 'icacls' | 'schtasks' | 'whoami';

/** How one ended, and all that it said, in the language of that system. */
export type ProgramResult = { code: number; out: string };

/** Runs one to its end. No window flashes. One that is not there, or does not end, gives code -1 and why. */
export type WindowsPrograms = (program: WindowsProgram, args: readonly string[]) => ProgramResult;

/** The same without holding up who asks: for a till that sells meanwhile. */
export type AskWindows = (program: WindowsProgram, args: readonly string[]) => Promise<ProgramResult>;

const how = { encoding: 'utf8', timeout: 20_000, windowsHide: true } as const;

const pathOf = (program: WindowsProgram): string =>
  `${environment()['SystemRoot'] ?? 'C:\\Windows'}\\System32\\${program}.exe`;

export const windowsPrograms: WindowsPrograms = (program, args) => {
  const { status, stdout, stderr, error } = spawnSync(pathOf(program), args, {
    ...how,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error !== undefined) return { code: -1, out: error.message };
  return { code: status ?? -1, out: `${stdout}${stderr}`.trim() };
};

export const askWindows: AskWindows = (program, args) =>
  new Promise((resolve) => {
    execFile(pathOf(program), args, how, (error, stdout, stderr) => {
      const out = `${stdout}${stderr}`.trim();
      if (error === null) resolve({ code: 0, out });
      else resolve({ code: typeof error.code === 'number' ? error.code : -1, out: out === '' ? error.message : out });
    });
  });

/**
 * The security identifier of whoever runs this program, from what `whoami /user` says: behind the name, which is
 * translated and may look like an identifier itself.
 */
export const sidIn = ({ out }: ProgramResult): string | undefined => out.match(/\bS-1-\d+(?:-\d+)+\b/g)?.at(-1);

// Whether a path of Windows leads over the network: it is written so, its drive is mapped, or a link leads there.

/** Where a path leads, through mapped drives and links. Throws where there is nothing. */
export type Follow = (path: string) => string;

/** The share, `\\server\share`; undefined for a path of this machine, and for one that leads nowhere. */
export const shareOf = (path: string, follow: Follow = realpathSync.native): string | undefined =>
  shareIn(path) ?? shareIn(followed(win32.resolve(path), follow));

/** What is not made yet will lie where the folder above it leads. */
const followed = (path: string, follow: Follow): string => {
  try {
    return follow(path);
  } catch {
    const above = win32.dirname(path);
    return above === path ? '' : followed(above, follow);
  }
};

/** `\\?\C:\till` and `\\.\C:\till` are paths of this machine. */
const shareIn = (path: string): string | undefined => {
  const [, server, share] = /^\\\\(?:\?\\UNC\\)?([^\\?.][^\\]*)\\([^\\]+)/i.exec(path.replaceAll('/', '\\')) ?? [];
  return server === undefined || share === undefined ? undefined : `\\\\${server}\\${share}`;
};
