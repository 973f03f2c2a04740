/** Writes a terminal's conversation into a file while it goes on: without card data, for its owner's eyes, bounded. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Driver, Narrator, TraceDirection } from '../../../drivers/driver.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { parseTape, type TapeText, tapeHeader } from '../../../drivers/links/tape-text.ts';
import type { Clock } from '../../base/clock.ts';
import { Fault, wordsOf } from '../../base/fault.ts';

/** A long day of sales; a file beyond this serves nobody. */
const recordingBytesMax = 64 * 1024 * 1024;

export type RecordingOptions = {
  clock: Clock;
  /** The largest file; 64 MiB unless given. */
  bytesMax?: number;
  /** Hears once why nothing more is written. The sale goes on without its recording. */
  report?(why: Fault): void;
};

export type Recording = {
  /** For `openTerminal`. A terminal that is opened again goes on in the same file. */
  wrap(link: Link, driver: Driver): Link;
  close(): void;
};

/** Makes the file, for this user alone. Throws `command.malformed` when it is there already or cannot be made. */
export const recordTo = (
  file: string,
  { clock, bytesMax = recordingBytesMax, report }: RecordingOptions,
): Recording => {
  let handle: number | undefined = made(file);
  const since = clock.monotonic();
  let bytes = 0;

  const stop = (why?: string, cause?: unknown) => {
    if (handle === undefined) return;
    const ended = handle;
    handle = undefined;
    closeSync(ended);
    if (why !== undefined) report?.(unusable(file, why, cause));
  };
  const write = (text: string) => {
    if (handle === undefined) return;
    const line = Buffer.from(`${text}\n`);
    try {
      if (bytes + line.length > bytesMax) {
        writeSync(handle, `# cut here: the recording has reached ${bytesMax} bytes\n`);
        return stop(`it is full at ${bytesMax} bytes; what comes after is not in it`);
      }
      bytes += writeSync(handle, line);
    } catch (error) {
      stop(wordsOf(error), error);
    }
  };

  return {
    wrap(link, driver) {
      if (bytes === 0) write(tapeHeader({ protocol: driver.name, carries: link.carries, startedAt: clock.now() }));
      write(`# opened ${link.name}`);
      return record(link, { line: write, scribe: driver.scribe, clock, since });
    },
    close: () => stop(),
  };
};

const unusable = (file: string, why: string, cause?: unknown): Fault =>
  new Fault('command.malformed', { why: `The recording ${file} cannot be written: ${why}` }, cause);

/** A file that is there may be somebody's only recording, or a link to something else: it is never written over. */
const made = (file: string): number => {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw unusable(file, taken ? 'there is a file of that name already' : wordsOf(error), error);
  }
};

// A terminal's conversation made readable: for each message its time, its way, its bytes and what it means.

export type TracedMessage = {
  /** The line of the recording, from 1; the count of messages where the conversation is live. */
  line: number;
  /** Since the start of the recording. */
  atMs?: number;
  way: TraceDirection | 'lost';
  /** Two characters a byte, `**` for a masked one. */
  hex: string;
  /** What the narrator makes of it: none while a message is not whole, several where more than one came at once. */
  says: readonly string[];
};

/** The messages of a recording one after the other. Without a narrator they have no meaning, only bytes. */
export function* tracedTape({ steps }: TapeText, narrator?: Narrator): Generator<TracedMessage> {
  for (const step of steps) {
    const at = { line: step.line, atMs: step.atMs };
    if (step.do === 'x') {
      yield { ...at, way: 'lost', hex: '', says: ['the link was lost'] };
      continue;
    }
    const way = step.do === '>' ? 'said' : 'heard';
    const hex = [...step.bytes].map((byte, place) => (step.counts[place] === 0 ? '**' : twoDigits(byte))).join('');
    yield { ...at, way, hex, says: narrator?.push(way, step.bytes) ?? [] };
  }
}

/**
 * The same link, and every message told to `tell` as it goes by: the conversation live. It is masked as a recording is
 * before anybody sees it.
 */
export const traceLink = (
  link: Link,
  driver: Driver,
  { clock, tell }: { clock: Clock; tell(message: TracedMessage): void },
): Link => {
  const narrator = driver.narrator(link.carries);
  let line = 0;
  return record(link, {
    scribe: driver.scribe,
    clock,
    line(text) {
      line += 1;
      const tape = parseTape(`# tape 1 carries=${link.carries}\n${text}`);
      for (const message of tracedTape(tape, narrator)) tell({ ...message, line });
    },
  });
};

const twoDigits = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

/** One message as JSON: seconds since the start, `till` or `terminal` as who spoke. */
export const tracedJson = ({ line, atMs, way, hex, says }: TracedMessage) => ({
  line,
  seconds: atMs === undefined ? undefined : atMs / 1_000,
  from: way === 'said' ? 'till' : way === 'heard' ? 'terminal' : 'link',
  bytes: hex,
  says,
});

// A traced message as lines for a person: time, direction, bytes and meaning side by side, as wide as the screen.

export type TraceLook = {
  /** Characters of the screen. */
  width: number;
  /** Most lines of bytes for one message; the rest is counted. */
  hexLinesMax: number;
  /** Colours a finished line by who spoke; leaves it as it is where there are no colours. */
  paint(way: TracedMessage['way'], text: string): string;
};

const arrows = { said: '>', heard: '<', lost: 'x' } as const;
const timeWidth = 10;
/** Time, direction and the spaces behind each. */
const leftWidth = timeWidth + 1 + 1 + 2;
const gap = '  ';
/** Below this the meaning stands under the bytes. */
const narrowWidth = 72;

/** The lines of one message, none longer than the screen is wide (which counts as at least 30). */
export const tracedLines = (message: TracedMessage, look: TraceLook): string[] => {
  const width = Math.max(look.width, 30);
  const time = message.atMs === undefined ? '' : `${(message.atMs / 1_000).toFixed(3)}s`;
  const left = `${time.padStart(timeWidth)} ${arrows[message.way]}  `;
  const indent = ' '.repeat(leftWidth);
  const side = sideBySide(message, { ...look, width: width - leftWidth });
  const rows = side.map((row, at) => `${at === 0 ? left : indent}${row}`.trimEnd());
  return rows.map((row) => look.paint(message.way, row));
};

const sideBySide = ({ hex, says }: TracedMessage, look: TraceLook): string[] => {
  const room = look.width;
  if (hex === '') return says.flatMap((text) => wrapped(text, room));
  if (room + leftWidth < narrowWidth) {
    return [...hexRows(hex, room, look.hexLinesMax), ...says.flatMap((text) => wrapped(text, room))];
  }
  // At most 16 bytes beside the words; a screen of 100 characters has room for 13.
  const bytesARow = Math.min(16, Math.floor((room * 0.45) / 3));
  const hexWidth = bytesARow * 3 - 1;
  const rows = hexRows(hex, hexWidth, look.hexLinesMax);
  const words = says.flatMap((text) => wrapped(text, room - hexWidth - gap.length));
  const count = Math.max(rows.length, words.length);
  return Array.from({ length: count }, (_, at) => `${(rows[at] ?? '').padEnd(hexWidth)}${gap}${words[at] ?? ''}`);
};

const hexRows = (hex: string, width: number, most: number): string[] => {
  const bytesARow = Math.max(1, Math.floor((width + 1) / 3));
  const bytes = hex.match(/../g) ?? [];
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += bytesARow) {
    if (rows.length === most) return [...rows, `… ${bytes.length - at} more`];
    rows.push(bytes.slice(at, at + bytesARow).join(' '));
  }
  return rows;
};

/** Lines of at most so many characters, broken at spaces where there are any; further lines are set in. */
const wrapped = (text: string, width: number): string[] => {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 4 ? space : width;
    lines.push(rest.slice(0, end));
    rest = `  ${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
};
