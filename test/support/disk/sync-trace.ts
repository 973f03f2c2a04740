/**
 * Whether a process has synced its file before it answers, as the operating system sees it: strace records each write
 * to the file, each sync and each answer in order. What a process reports about its settings proves less.
 */
import { existsSync } from 'node:fs';

const STRACE = '/usr/bin/strace';

/** The recorded system calls. */
const CALLS = ['pwrite64', 'write', 'writev', 'fdatasync', 'fsync'];

/**
 * Runs the command itself, watched by a process beside it: signals and the exit code are the command's own. Its output
 * is closed once the record is complete.
 */
export const runTraced = (traceFile: string, command: readonly string[]): [string, string[]] => {
  if (!existsSync(STRACE)) throw new Error(`${STRACE} is missing: apt-get install strace`);
  const calls = `trace=${CALLS.join()}`;
  return [
    STRACE,
    ['-D', '-f', '-y', '-qq', '--seccomp-bpf', '-s', '64', '-e', calls, '-o', traceFile, '--', ...command],
  ];
};

export type SyncCounts = {
  /** The HTTP answers that were written. */
  answers: number;
  /** The writes to the file. */
  writes: number;
  /** Answers written while part of the file was not synced yet. */
  early: number;
};

/** Reads the record; `file` is the end of the watched file's name. */
export const syncsIn = (traceFile: string, file: string): SyncCounts => {
  const seen: SyncCounts = { answers: 0, writes: 0, early: 0 };
  const syncing = new Set<string>();
  let isDirty = false;
  for (const line of traceFile.split('\n')) {
    const [, thread = '', call = '', rest = ''] = /^(\d+)\s+(?:<\.\.\. )?(\w+)(.*)$/.exec(line) ?? [];
    const isOfFile = rest.includes(`${file}>`);
    const isBegun = rest.startsWith('(');
    if (call === 'fdatasync' || call === 'fsync') {
      // A call interrupted by another thread in the record ends on a separate line.
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
