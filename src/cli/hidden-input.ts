/** Reads secrets: from a terminal without echo, or line by line from a pipe; never from the command line. */
import { statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { errorText, Fault, isFault } from '../base/fault.ts';
import { readTextFile } from '../base/files.ts';
import { printable } from '../base/mask.ts';
import { NotUnicode, textReader } from '../base/text.ts';
import { malformed } from './arguments.ts';

/** One line without its line break. Throws `staff.pinMissing` if it is empty or missing. */
export const askHidden = async (prompt: string): Promise<string> => {
  const line = process.stdin.isTTY ? await readTyped(printable(prompt)) : await pipedLine();
  if (line === undefined || line === '') throw new Fault('staff.pinMissing');
  return line;
};

/** The first line of a file. Throws `command.malformed` if it cannot be read, and `staff.pinMissing` if it is empty. */
export const hiddenIn = (file: string): string => {
  const line = firstLine(file);
  if (line === '') throw new Fault('staff.pinMissing');
  return line;
};

const firstLine = (file: string): string => {
  try {
    refuseOpenToOthers(file);
    return readTextFile(file).split('\n', 1)[0] ?? '';
  } catch (error) {
    if (isFault(error)) throw error;
    throw unreadable('the PIN’s file', error);
  }
};

/** The message of a decoding error quotes a byte, which may belong to a secret: it is replaced. */
const unreadable = (what: string, error: unknown): Fault => {
  const why = error instanceof NotUnicode ? 'it is not UTF-8 text; save it as UTF-8' : printable(errorText(error));
  return malformed(`${what} cannot be read: ${why}`, error);
};

/** Refuses a file that others on this machine can read, as ssh does with its keys. Windows has no such mode bits. */
const refuseOpenToOthers = (file: string): void => {
  const about = statSync(file);
  if (process.platform === 'win32' || !about.isFile() || (about.mode & 0o077) === 0) return;
  const why = `${printable(file)} can be read by others on this machine: chmod 600 it, and choose a new PIN`;
  throw malformed(why);
};

const enter = new Set(['\r', '\n', '\x04']);
const backspace = new Set(['\x7f', '\b']);
const CANCEL = '\x03';
/** Begins the sequence of an arrow key, a function key or the end of a paste. */
const ESCAPE = '\x1b';
const sequence = /^.(?:\[[0-9;]*[A-Za-z~]|O.)?/su;

/** Characters after the line that was asked for. They belong to the next question. */
let ahead = '';

type TypedInput = { line: string; ended?: 'enter' | 'cancel'; rest: string };

/** Adds keys to a line: backspace removes a character, and other control characters and arrows are ignored. */
const addKeys = (before: string, keys: string): TypedInput => {
  let line = before;
  for (let at = 0; at < keys.length; ) {
    const [arrow] = keys[at] === ESCAPE ? (sequence.exec(keys.slice(at)) ?? []) : [];
    const key = arrow ?? String.fromCodePoint(keys.codePointAt(at) ?? 0);
    at += key.length;
    if (key === CANCEL) return { line: '', ended: 'cancel', rest: '' };
    if (enter.has(key))
      return { line, ended: 'enter', rest: keys.slice(key === '\r' && keys[at] === '\n' ? at + 1 : at) };
    if (backspace.has(key)) line = [...line].slice(0, -1).join('');
    else if (key >= ' ') line += arrow === undefined ? key : '';
  }
  return { line, rest: '' };
};

const readTyped = (prompt: string): Promise<string> => {
  const { stdin } = process;
  // Before the question, so that a quick answer is not shown either.
  stdin.setRawMode(true);
  process.stderr.write(prompt);
  const text = new StringDecoder('utf8');
  return new Promise<string>((resolve, reject) => {
    let line = '';
    const finish = (end: () => void): void => {
      stdin.off('data', hear).off('end', gone).off('error', gone).setRawMode(false).pause();
      process.stderr.write('\n');
      end();
    };
    // The window was closed, or the person pressed Control-C.
    const gone = (): void => finish(() => reject(new Fault('staff.pinMissing')));
    const take = (keys: string): void => {
      const input = addKeys(line, keys);
      line = input.line;
      ahead = input.rest;
      if (input.ended === 'cancel') gone();
      else if (input.ended === 'enter') finish(() => resolve(line));
    };
    const hear = (bytes: Buffer): void => take(text.write(bytes));
    stdin.on('data', hear).on('end', gone).on('error', gone).resume();
    if (ahead !== '') take(ahead);
  });
};

/** Piped text after the line that was asked for. */
let rest = '';
/** PowerShell pipes a byte order mark first, and writes files in UTF-16. */
const piped = textReader();

const pipedLine = async (): Promise<string | undefined> => {
  const { stdin } = process;
  while (!rest.includes('\n') && !stdin.readableEnded) {
    const chunk = await nextChunk();
    rest += readPiped(chunk);
    if (chunk === undefined) break;
  }
  const end = rest.indexOf('\n');
  const line = end < 0 ? rest : rest.slice(0, end);
  rest = end < 0 ? '' : rest.slice(end + 1);
  return line;
};

const readPiped = (chunk: Uint8Array | undefined): string => {
  try {
    return chunk === undefined ? piped.end() : piped.take(chunk);
  } catch (error) {
    throw unreadable('what was piped', error);
  }
};

/** Pauses the pipe after each chunk: a pipe that nobody closes must not keep the command alive. */
const nextChunk = (): Promise<Uint8Array | undefined> => {
  const { stdin } = process;
  return new Promise((resolve) => {
    const done = (chunk?: Buffer): void => {
      stdin.off('data', done).off('end', ended).off('error', ended).pause();
      resolve(chunk);
    };
    const ended = (): void => done();
    stdin.on('data', done).on('end', ended).on('error', ended).resume();
  });
};
