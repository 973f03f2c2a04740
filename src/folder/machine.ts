/** The machine that the till runs on: its uptime, its free disk space, and its identity. */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, statfsSync } from 'node:fs';
import { uptime } from 'node:os';
import { Fault } from '../base/fault.ts';

export interface Machine {
  /** A different text for each boot of the machine. */
  readonly boot: string;
  /** Since this `boot` began, ms; sleep counts, and nobody can set it. */
  upMs(): number;
  /** The bytes that an ordinary user can still write to this folder's disk. Throws when the disk cannot tell. */
  freeBytes(folder: string): number;
}

const bootId = (): string | undefined => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** When the kernel has no boot id, each process counts as a boot: then less can be proved, but never too much. */
const openMachine = (): Machine => {
  const existingId = bootId();
  const startedAt = existingId === undefined ? uptime() : 0;
  return {
    boot: existingId ?? `process ${randomUUID()}`,
    upMs: () => Math.round((uptime() - startedAt) * 1000),
    freeBytes(folder) {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
  };
};

export const systemMachine: Machine = openMachine();

// The process environment, read here and passed on as an argument.

/** The variables by name, as they are now. */
export const environment = (): Readonly<Record<string, string | undefined>> => ({ ...process.env });

// The identity of this machine: a till's data folder is bound to one, so that a copy on another machine is noticed.
// Read where the program starts, and passed on as an argument.

/** `id:` and the system's own id, or `name:` and a name given by a person. Never stored. */
export type MachineIdentity = `id:${string}` | `name:${string}`;

/** Where the system's id comes from; each source throws if it has none. */
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

/** The variable that names the machine when no option does: for containers, whose id is regenerated or copied. */
export const MACHINE_VARIABLE = 'TILLGATE_MACHINE';

/**
 * The machine's given name, else the system's own id; undefined with neither, as in most containers. A name never comes
 * from till.json, since it would be copied with the folder. Throws `command.malformed`.
 */
export const machineIdentity = (
  name: string | undefined,
  sources: MachineSources = systemSources,
): MachineIdentity | undefined => {
  if (name !== undefined && name !== '') return identityOfName(name);
  const id = readId(sources);
  return id === undefined ? undefined : `id:${id}`;
};

const identityOfName = (name: string): MachineIdentity => {
  const text = name.trim();
  if (/^[\x21-\x7E](?:[\x20-\x7E]{0,98}[\x21-\x7E])?$/.test(text)) return `name:${text}`;
  throw new Fault('command.malformed', { why: '--machine takes a name of 1 to 100 letters, digits and signs' });
};

const readId = (sources: MachineSources): string | undefined => {
  try {
    return sources.platform === 'win32' ? machineGuid(sources) : machineId(sources);
  } catch {
    return undefined;
  }
};

/** man 5 machine-id: 32 hex digits, the same after every boot; `uninitialized` or empty before the first one. */
const machineId = ({ readFile }: MachineSources): string | undefined =>
  /^([0-9a-f]{32})\s*$/.exec(readFile('/etc/machine-id').toLowerCase())?.[1];

const GUID_KEY = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';

/** Created when Windows is installed. Reads the 64-bit registry view, whatever this process is. */
const machineGuid = ({ run }: MachineSources): string | undefined => {
  const text = run('reg', ['query', GUID_KEY, '/v', 'MachineGuid', '/reg:64']);
  return /MachineGuid\s+REG_SZ\s+([0-9a-f-]{36})/i.exec(text)?.[1]?.toLowerCase();
};
