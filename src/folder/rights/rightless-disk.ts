/** Disks that keep nobody's rights, as sticks are formatted: what a program sets there is lost without a word. */
import { statfsSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import type { AskWindows } from './windows-programs.ts';

/** Numbers of Linux's statfs(2). */
const rightless: Readonly<Record<number, string>> = { 19780: 'FAT', 538032816: 'exFAT' };

/** The number of the file system on which a path lies. */
export type DiskType = (path: string) => number;

const systemDiskType: DiskType = (path) => statfsSync(path).type;

/** The file system's name where it keeps no rights; undefined where it does, and where nobody says. */
export const rightlessDisk = (path: string, diskType = systemDiskType): string | undefined => rightless[diskType(path)];

/** The same on Windows. `fsutil` translates its words, and never the name of a file system. */
export const rightlessVolume = async (path: string, ask: AskWindows): Promise<string | undefined> => {
  const { out } = await ask('fsutil', ['fsinfo', 'volumeinfo', parse(resolve(path)).root]);
  return /: *(FAT\d*|exFAT)\s*$/im.exec(out)?.[1];
};
