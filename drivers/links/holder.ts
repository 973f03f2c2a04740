/**
 * Who has a device node open, on Linux: program and process, for words that say what to close. Reads /proc within
 * bounds and never throws; what another user's processes have open is only told to the administrator.
 */
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { printable } from '../../src/base/mask.ts';

export type Holder = {
  program: string;
  pid: number;
  /** `open`: it has the device open. `running`: it is known to take such devices, and nobody else was found. */
  seen: 'open' | 'running';
};

/** More processes or open files than this are not looked at: the answer is for words only. */
const processesMax = 4_096;
const filesMax = 1_024;
const holdersMax = 4;

/** Programs that take serial ports by themselves, and what is to be done about each. */
const takers: Readonly<Record<string, string>> = {
  ModemManager:
    'it tries every new port for a modem; install the rule that keeps it off (sudo build/linux/install-udev-rules.sh) or stop it (sudo systemctl stop ModemManager)',
  brltty: 'it takes some ports for braille displays; if nobody here needs one, remove it (sudo apt remove brltty)',
};

/** Up to four processes that have this path open, others before this one itself. Nothing on other systems. */
export const holdersOf = async (path: string, at: { proc: string; self: number } = here()): Promise<Holder[]> => {
  const target = (await orNothing(realpath(path))) ?? path;
  const all = (await orNothing(readdir(at.proc))) ?? [];
  const pids = all.filter((name) => /^\d+$/.test(name)).slice(0, processesMax);
  const holders: Holder[] = [];
  const running: Holder[] = [];
  for (const pid of pids) {
    if (holders.length >= holdersMax) break;
    const folder = `${at.proc}/${pid}`;
    const comm = ((await orNothing(readFile(`${folder}/comm`, 'latin1'))) ?? '').trim();
    if (await hasOpen(folder, target)) {
      holders.push({ program: await programOf(folder, comm), pid: Number(pid), seen: 'open' });
    } else if (Object.hasOwn(takers, comm)) {
      running.push({ program: comm, pid: Number(pid), seen: 'running' });
    }
  }
  const others = holders.filter(({ pid }) => pid !== at.self);
  const first = others.length > 0 ? others : holders;
  return first.length > 0 ? first : running;
};

/** The holders in words, with the cure where it is known: `chromium (process 812) holds it; close that program`. */
export const holderWords = (holders: readonly Holder[], self: number = process.pid): string => {
  const [first] = holders;
  if (first === undefined) return 'another program holds it';
  if (first.pid === self) return 'this program itself has it open already';
  const names = holders.map(({ program, pid }) => `${program} (process ${pid})`).join(', ');
  const cure = takers[first.program];
  const what = cure === undefined ? 'close that program' : cure;
  const holds = holders.length === 1 ? 'holds' : 'hold';
  return first.seen === 'open'
    ? `${names} ${holds} it; ${what}`
    : `another program holds it, perhaps ${names}: ${what}`;
};

const here = () => ({ proc: '/proc', self: process.pid });

const hasOpen = async (folder: string, target: string): Promise<boolean> => {
  const files = ((await orNothing(readdir(`${folder}/fd`))) ?? []).slice(0, filesMax);
  for (const file of files) {
    if ((await orNothing(readlink(`${folder}/fd/${file}`))) === target) return true;
  }
  return false;
};

/** The file name of the program; of an interpreter also that of its script. Never an argument: those may be secrets. */
const programOf = async (folder: string, comm: string): Promise<string> => {
  const line = (await orNothing(readFile(`${folder}/cmdline`, 'latin1'))) ?? '';
  const [program = '', script = ''] = line.slice(0, 4_096).split('\0');
  const name = basename(program.replace(/:.*$/, '')) || comm || 'a program';
  const isScript = /^(node|python[\d.]*|ruby|perl|java|bash|sh)$/.test(name) && /^[^-].*\.\w{1,5}$/.test(script);
  return printable(isScript ? `${name} ${basename(script)}` : name, 60);
};

/** Processes come and go while they are looked at, and some may not be looked into: that is no news. */
const orNothing = async <T>(wanted: Promise<T>): Promise<T | undefined> => {
  try {
    return await wanted;
  } catch {
    return undefined;
  }
};
