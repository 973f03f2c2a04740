/** Measures the cost of work that must not grow without bound, whatever else the machine is doing. */
import { existsSync, readFileSync } from 'node:fs';

/** How long this thread has worked so far, ms. */
export const cpuTimeMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Clock ticks per second in /proc, the same on every Linux machine that runs Node. */
const TICKS = 100;

/** The time used by processes that this one started and that have ended, ms. Zero if the system does not tell. */
export const childrenMs = (): number => {
  const path = '/proc/self/stat';
  if (!existsSync(path)) return 0;
  // After the program's name, which can contain spaces: proc(5), fields 16 and 17.
  const fields = readFileSync(path, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[13]) + Number(fields[14])) * 1_000) / TICKS;
};
