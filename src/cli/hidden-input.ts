/** Asks for what must not be seen: on a terminal without echo, from a pipe by lines. Never from the command line. */
import { readFileSync } from 'node:fs';
import { Fault, wordsOf } from '../base/fault.ts';
import { printable } from '../base/mask.ts';

/** One line, without its end. Throws `staff.pinMissing` when there is none. */
export const askHidden = async (prompt: string): Promise<string> => {
  const line = process.stdin.isTTY ? await typed(prompt) : await pipedLine();
  if (line === undefined || line === '') throw new Fault('staff.pinMissing');
  return line;
};

/** The file's first line. Throws `command.malformed` when it cannot be read, `staff.pinMissing` when it is empty. */
export const hiddenIn = (file: string): string => {
  const line = firstLine(file);
  if (line === '') throw new Fault('staff.pinMissing');
  return line;
};

const firstLine = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? '';
  } catch (error) {
    throw new Fault('command.malformed', { why: `the PIN’s file cannot be read: ${printable(wordsOf(error))}` }, error);
  }
};

const enter = new Set(['\r', '\n', '\x04']);
const backspace = new Set(['\x7f', '\b']);

const typed = (prompt: string): Promise<string> => {
  const { stdin } = process;
  process.stderr.write(prompt);
  stdin.setRawMode(true);
  return new Promise<string>((resolve, reject) => {
    let line = '';
    const finish = (end: () => void): void => {
      stdin.off('data', hear).setRawMode(false).pause();
      process.stderr.write('\n');
      end();
    };
    const hear = (bytes: Buffer): void => {
      for (const key of bytes.toString('utf8')) {
        if (enter.has(key)) {
          finish(() => resolve(line));
          return;
        }
        if (key === '\x03') {
          finish(() => reject(new Fault('staff.pinMissing')));
          return;
        }
        line = backspace.has(key) ? line.slice(0, -1) : line + key;
      }
    };
    stdin.on('data', hear).resume();
  });
};

/** What came through the pipe behind the line that was asked for. */
let rest = '';

const pipedLine = async (): Promise<string | undefined> => {
  const { stdin } = process;
  while (!rest.includes('\n') && !stdin.readableEnded) {
    const chunk = await nextChunk();
    if (chunk === undefined) break;
    rest += chunk;
  }
  const end = rest.indexOf('\n');
  const line = end < 0 ? rest : rest.slice(0, end);
  rest = end < 0 ? '' : rest.slice(end + 1);
  return line.replace(/\r$/, '');
};

/** Leaves the pipe alone again: one that nobody closes must not keep the command from ending. */
const nextChunk = (): Promise<string | undefined> => {
  const { stdin } = process;
  return new Promise((resolve) => {
    const done = (chunk?: Buffer): void => {
      stdin.off('data', done).off('end', ended).off('error', ended).pause();
      resolve(chunk?.toString('utf8'));
    };
    const ended = (): void => done();
    stdin.on('data', done).on('end', ended).on('error', ended).resume();
  });
};
