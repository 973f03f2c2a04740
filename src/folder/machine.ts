/** The machine under the till: how long it is up, what its disk has left, and which machine it is. */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, statfsSync } from 'node:fs';
import { uptime } from 'node:os';
import { Fault } from '../base/fault.ts';

export interface Machine {
  /** Another text for each start of the machine. */
  readonly boot: string;
  /** Since this `boot` began, ms; sleep counts, and nobody can set it. */
  upMs(): number;
  /** What an ordinary user may still write on the disk of this folder. Throws when the disk cannot tell. */
  freeBytes(folder: string): number;
}

const bootId = (): string | undefined => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** Without a kernel that names its runs each process counts as one: less can be proved then, never too much. */
const openMachine = (): Machine => {
  const known = bootId();
  const began = known === undefined ? uptime() : 0;
  return {
    boot: known ?? `process ${randomUUID()}`,
    upMs: () => Math.round((uptime() - began) * 1000),
    freeBytes(folder) {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
  };
};

export const systemMachine: Machine = openMachine();

// The process's environment: read here, and handed on by argument.

/** Variables by name, as they are now. */
export const environment = (): Readonly<Record<string, string | undefined>> => ({ ...process.env });

// Which machine this is: a till's data folder is bound to one, so that a copy of it on another one is noticed. Read
// where the program starts, and handed on by argument.

/** `id:` and the id that the system has of itself, or `name:` and the name that a person gave. Never written down. */
export type MachineIdentity = `id:${string}` | `name:${string}`;

/** What the system is asked by: each throws where it has nothing to say. */
export type MachineSources = {
  platform: NodeJS.Platform;
  readFile(path: string): string;
  run(program: string, args: readonly string[]): string;
};

const ASK_WITHIN_MS = 5_000;

const systemSources: MachineSources = {
  platform: process.platform,
  readFile: (path) => readFileSync(path, 'utf8'),
  run: (program, args) =>
    execFileSync(program, args, { encoding: 'utf8', timeout: ASK_WITHIN_MS, stdio: ['ignore', 'pipe', 'ignore'] }),
};

/** The variable that names the machine where no option does: for containers, whose id is made anew or copied. */
export const MACHINE_VARIABLE = 'TILLGATE_MACHINE';

/**
 * The machine by the name that it was given, else by the system's own id; undefined where there is neither, as in most
 * containers. A name never comes from till.json: it would be copied with the folder. Throws `command.malformed`.
 */
export const machineIdentity = (
  name: string | undefined,
  sources: MachineSources = systemSources,
): MachineIdentity | undefined => {
  if (name !== undefined && name !== '') return named(name);
  const id = idOf(sources);
  return id === undefined ? undefined : `id:${id}`;
};

const named = (name: string): MachineIdentity => {
  const text = name.trim();
  if (/^[\x21-\x7E](?:[\x20-\x7E]{0,98}[\x21-\x7E])?$/.test(text)) return `name:${text}`;
  throw new Fault('command.malformed', { why: '--machine takes a name of 1 to 100 letters, digits and signs' });
};

const idOf = (sources: MachineSources): string | undefined => {
  try {
    return sources.platform === 'win32' ? machineGuid(sources) : machineId(sources);
  } catch {
    return undefined;
  }
};

/** man 5 machine-id: 32 hex digits, the same from one start to the next; `uninitialized` or empty before the first. */
const machineId = ({ readFile }: MachineSources): string | undefined =>
  /^([0-9a-f]{32})\s*$/.exec(readFile('/etc/machine-id').toLowerCase())?.[1];

const GUID_KEY = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';

/** Made when Windows is installed. The 64-bit view is asked, whatever this process is. */
const machineGuid = ({ run }: MachineSources): string | undefined => {
  const told = run('reg', ['query', GUID_KEY, '/v', 'MachineGuid', '/reg:64']);
  return /MachineGuid\s+REG_SZ\s+([0-9a-f-]{36})/i.exec(told)?.[1]?.toLowerCase();
};
