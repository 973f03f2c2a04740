/**
 * Whether a process has synced its file before it answers, as the operating system sees it: strace notes each write of
 * the file, each sync and each answer in the order they were made. What a process says of its own settings proves less.
 */
import { existsSync } from 'node:fs';

const STRACE = '/usr/bin/strace';

/** The system calls that are noted. */
const CALLS = ['pwrite64', 'write', 'writev', 'fdatasync', 'fsync'];

/**
 * Runs the command as itself, watched by a process beside it: signals and its exit are the command's own. Its output is
 * closed once the notes are whole.
 */
export const straced = (notes: string, command: readonly string[]): [string, string[]] => {
  if (!existsSync(STRACE)) throw new Error(`${STRACE} is missing: apt-get install strace`);
  const calls = `trace=${CALLS.join()}`;
  return [STRACE, ['-D', '-f', '-y', '-qq', '--seccomp-bpf', '-s', '64', '-e', calls, '-o', notes, '--', ...command]];
};

export type Synced = {
  /** Answers of HTTP that were written. */
  answers: number;
  /** Writes of the file. */
  writes: number;
  /** Answers that were written while something of the file was not synced yet. */
  early: number;
};

/** Reads the notes: `file` is how the name of the watched file ends. */
export const syncedIn = (notes: string, file: string): Synced => {
  const seen: Synced = { answers: 0, writes: 0, early: 0 };
  const syncing = new Set<string>();
  let isDirty = false;
  for (const line of notes.split('\n')) {
    const [, thread = '', call = '', rest = ''] = /^(\d+)\s+(?:<\.\.\. )?(\w+)(.*)$/.exec(line) ?? [];
    const isOfFile = rest.includes(`${file}>`);
    const isBegun = rest.startsWith('(');
    if (call === 'fdatasync' || call === 'fsync') {
      // One that another thread interrupts in the notes ends on a line of its own.
      if (isBegun && isOfFile && rest.endsWith('<unfinished ...>')) syncing.add(thread);
      else if (isBegun ? isOfFile : syncing.delete(thread)) isDirty &&= !rest.endsWith('= 0');
    } else if (isBegun && isOfFile) {
      seen.writes += 1;
      isDirty = true;
    } else if (isBegun && rest.includes('"HTTP/1.1 ')) {
      seen.answers += 1;
      if (isDirty) seen.early += 1;
    }
  }
  return seen;
};
