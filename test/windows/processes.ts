/**
 * Finds and ends the processes of Windows programs, as this system runs them under Wine. They are found by their
 * command line.
 */
import { readdirSync, readFileSync } from 'node:fs';

const LOOK_MS = 20;
const WITHIN_MS = 10_000;

/**
 * Ends every process that was started with this command line. Resolves when all are gone. Throws the ids of those that
 * stay.
 */
export const endProcesses = async (
  command: readonly string[],
  { withinMs = WITHIN_MS, kill = endOne } = {},
): Promise<void> => {
  const since = performance.now();
  for (let remaining = startedBy(command); remaining.length > 0; remaining = startedBy(command)) {
    for (const pid of remaining) kill(pid);
    if (performance.now() - since > withinMs) throw new Error(`did not end in time: ${remaining.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

/**
 * Programs of drive C by their Windows path, told apart by the last argument. A process that has ended has no command
 * line.
 */
export const startedBy = (command: readonly string[]): number[] => {
  const last = command.at(-1) ?? '';
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const args = argsOf(pid);
      return /^[A-Z]:\\/.test(args[0] ?? '') && args.includes(last);
    })
    .map(Number);
};

const endOne = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
};

const argsOf = (pid: string): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It has ended in the meantime.
    return [];
  }
};
