/**
 * Conversations as text, one line for each portion of bytes: `+12.345 > 0100`.
 *
 * `>` marks bytes that the till sends, `<` bytes that it receives, `x` the loss of the link, `#` a comment. A line may
 * start with a time in seconds since the start. Bytes are hex; spaces between them are ignored. `**` is a byte that was
 * not recorded: it is played as 00 and not compared. Bytes in parentheses replace a masked value: they are played as
 * written and not compared. The first line may be `# tape 1 protocol=mpi carries=stream`.
 */
import { Fault } from '../../src/base/fault.ts';
import { printable } from '../../src/base/mask.ts';
import { type Link, reportBytes } from './link.ts';

/** Bytes, and which of them are compared: `counts[n]` is 0 for a byte that is not. */
export type TapeBytes = { bytes: Uint8Array; counts: Uint8Array };

export type TapeStep = {
  /** The line number in the text, from 1. */
  line: number;
  atMs?: number;
} & ((TapeBytes & { do: '>' | '<' }) | { do: 'x' });

export type TapeText = { protocol?: string; carries: Link['carries']; startedAt?: string; steps: TapeStep[] };

/** The longest line: a message of 64 KiB in hex, with room to spare. */
const lineCharactersMax = 200_000;
const linesMax = 500_000;

/** Reads a recording. Throws `tape.malformed` with the line; `file` names the recording in the fault. */
export const parseTape = (text: string, file = 'The tape'): TapeText => {
  const tape: TapeText = { carries: 'stream', steps: [] };
  let line = 0;
  const malformed = (reason: string) => new Fault('tape.malformed', { file, line, why: reason });
  let lastMs = 0;
  for (const raw of linesOf(text)) {
    line += 1;
    if (line > linesMax) throw malformed(`it has more than ${linesMax} lines`);
    if (raw.length > lineCharactersMax) throw malformed(`it has more than ${lineCharactersMax} characters`);
    const header = line === 1 ? headerOf(raw) : undefined;
    if (typeof header === 'string') throw malformed(header);
    if (header !== undefined) Object.assign(tape, header);
    const step = stepOf(raw.replace(/#.*/, '').trim(), tape.carries);
    if (step === undefined) continue;
    if (typeof step === 'string') throw malformed(step);
    if (step.atMs !== undefined && step.atMs < lastMs) throw malformed('its time is before that of a line above');
    lastMs = step.atMs ?? lastMs;
    tape.steps.push({ ...step, line });
  }
  return tape;
};

/** Yields one line at a time, so that a large text is not held twice. All usual line endings are accepted. */
function* linesOf(text: string): Generator<string> {
  const lineEnd = /\r\n?|\n/g;
  for (let index = 0; ; index = lineEnd.lastIndex) {
    const end = lineEnd.exec(text);
    yield text.slice(index, end?.index ?? text.length);
    if (end === null) return;
  }
}

const headerOf = (line: string): Omit<TapeText, 'steps'> | string | undefined => {
  const match = /^\s*#\s*tape\s+(\S+)(.*)$/.exec(line);
  if (match === null) return undefined;
  const [, version = '', rest = ''] = match;
  if (version !== '1') return `this program reads recordings of version 1, not ${printable(version, 10)}`;
  const fields = new Map(
    rest
      .trim()
      .split(/\s+/)
      .flatMap((pair) => fieldOf(pair)),
  );
  const carries = fields.get('carries') ?? 'stream';
  if (carries !== 'stream' && carries !== 'reports') return 'it has neither carries=stream nor carries=reports';
  const [protocol, startedAt] = [fields.get('protocol'), fields.get('started')];
  return { carries, protocol: protocol && printable(protocol, 40), startedAt: startedAt && printable(startedAt, 40) };
};

const fieldOf = (pair: string): [string, string][] => {
  const index = pair.indexOf('=');
  return index < 1 ? [] : [[pair.slice(0, index), pair.slice(index + 1)]];
};

type StepWithoutLine = TapeStep extends infer S ? (S extends TapeStep ? Omit<S, 'line'> : never) : never;

/** The step on a line; undefined for an empty line, or the error as text. */
const stepOf = (line: string, carries: Link['carries']): StepWithoutLine | string | undefined => {
  if (line === '') return undefined;
  const match = /^(?:\+(\d{1,9}(?:\.\d{1,6})?)\s+)?(.)(.*)$/s.exec(line);
  if (match === null || !/[><x]/.test(match[2] ?? '')) {
    return `no line of a recording starts with "${printable(line.charAt(0), 1)}"`;
  }
  const [, seconds, kind, rest = ''] = match;
  const atMs = seconds === undefined ? undefined : Number(seconds) * 1_000;
  if (kind === 'x') return rest.trim() === '' ? { do: 'x', atMs } : 'something follows the x';
  const bytes = bytesOf(rest.replace(/\s+/g, ''));
  if (typeof bytes === 'string') return bytes;
  if (carries === 'reports' && bytes.bytes.length % reportBytes !== 0) {
    return `it has ${bytes.bytes.length} bytes, and reports have ${reportBytes} each`;
  }
  return { do: kind === '>' ? '>' : '<', ...bytes, atMs };
};

const bytesOf = (text: string): TapeBytes | string => {
  const bytes: number[] = [];
  const counts: number[] = [];
  let masked = false;
  for (let index = 0; index < text.length; ) {
    const one = text.charAt(index);
    if (one === '(' || one === ')') {
      if (masked === (one === '(')) return 'its parentheses do not match';
      masked = one === '(';
      index += 1;
      continue;
    }
    const two = text.slice(index, index + 2);
    if (two !== '**' && !/^[0-9A-Fa-f]{2}$/.test(two)) return `"${printable(two, 2)}" is no byte in hex`;
    bytes.push(two === '**' ? 0 : Number.parseInt(two, 16));
    counts.push(two === '**' || masked ? 0 : 1);
    index += 2;
  }
  if (masked) return 'its parentheses do not match';
  if (bytes.length === 0) return 'it has no bytes';
  return { bytes: Uint8Array.from(bytes), counts: Uint8Array.from(counts) };
};

/** Bytes as a tape writes them: compared bytes plain, hidden zeros as stars, other replaced bytes in parentheses. */
export const printBytes = ({ bytes, counts }: TapeBytes): string => {
  let out = '';
  for (const [offset, byte] of bytes.entries()) {
    const hex = byte.toString(16).toUpperCase().padStart(2, '0');
    if (counts[offset] !== 0) out += hex;
    else out += byte === 0 ? '**' : `(${hex})`;
  }
  return out;
};

/** The first line of a recording. */
export const tapeHeader = (o: { protocol: string; carries: Link['carries']; startedAt: number }): string =>
  `# tape 1 protocol=${o.protocol} carries=${o.carries} started=${new Date(o.startedAt).toISOString()}`;

/** A time as it is written at the start of a line: `+12.345`. */
export const printTime = (ms: number): string => `+${(Math.max(0, ms) / 1_000).toFixed(3)}`;

/** A step as a line, without its time. */
export const printStep = (step: TapeStep): string => (step.do === 'x' ? 'x' : `${step.do} ${printBytes(step)}`);
