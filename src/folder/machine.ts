/** The machine under the till: how long it has been up, which run of it this is, what its disk has left. */
import { randomUUID } from 'node:crypto';
import { readFileSync, statfsSync } from 'node:fs';
import { uptime } from 'node:os';

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
