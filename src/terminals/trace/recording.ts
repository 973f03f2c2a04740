/**
 * Records a terminal's conversation to a file as it happens: without card data, readable by its owner only, of limited
 * size.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Driver, Narrator } from '../../../drivers/driver.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { parseTape, type TapeText, tapeHeader } from '../../../drivers/links/tape-text.ts';
import type { TracedMessage } from '../../api/contract/diagnosis.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText, Fault } from '../../base/fault.ts';

/** Room for a long day of sales; nobody would search a larger file. */
const recordingBytesMax = 64 * 1024 * 1024;

export type RecordingOptions = {
  clock: Clock;
  /** The largest file size; 64 MiB if absent. */
  bytesMax?: number;
  /** Called once with the reason when recording stops. The sale continues without it. */
  report?(fault: Fault): void;
};

export type Recording = {
  /** For `openTerminal`. A reopened terminal continues in the same file. */
  wrap(link: Link, driver: Driver): Link;
  close(): void;
};

/** Creates the file, for this user only. Throws `command.malformed` when it exists or cannot be created. */
export const recordTo = (
  file: string,
  { clock, bytesMax = recordingBytesMax, report }: RecordingOptions,
): Recording => {
  let handle: number | undefined = createFile(file);
  const since = clock.monotonic();
  let bytes = 0;

  const stop = (reason?: string, cause?: unknown) => {
    if (handle === undefined) return;
    const ended = handle;
    handle = undefined;
    closeSync(ended);
    if (reason !== undefined) report?.(recordingFault(file, reason, cause));
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
      stop(errorText(error), error);
    }
  };

  return {
    wrap(link, driver) {
      if (bytes === 0) write(tapeHeader({ protocol: driver.name, carries: link.carries, startedAt: clock.now() }));
      write(`# opened ${link.name}`);
      return record(link, { onLine: write, scribe: driver.scribe, clock, since });
    },
    close: () => stop(),
  };
};

const recordingFault = (file: string, reason: string, cause?: unknown): Fault =>
  new Fault('command.malformed', { why: `The recording ${file} cannot be written: ${reason}` }, cause);

/** An existing file may be somebody's only recording, or a link to something else: it is never overwritten. */
const createFile = (file: string): number => {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw recordingFault(file, taken ? 'there is a file of that name already' : errorText(error), error);
  }
};

// Makes a terminal's conversation readable: for each message its time, direction, bytes and meaning.

/** Yields the messages of a recording. Without a narrator they have only bytes and no explanation. */
export function* tracedTape({ steps }: TapeText, narrator?: Narrator): Generator<TracedMessage> {
  for (const step of steps) {
    const at = { line: step.line, atMs: step.atMs };
    if (step.do === 'x') {
      yield { ...at, way: 'lost', hex: '', says: ['the link was lost'] };
      continue;
    }
    const direction = step.do === '>' ? 'said' : 'heard';
    const hex = [...step.bytes].map((byte, place) => (step.counts[place] === 0 ? '**' : twoDigits(byte))).join('');
    yield { ...at, way: direction, hex, says: narrator?.push(direction, step.bytes) ?? [] };
  }
}

/** The same link, with every message passed to `onMessage` as it happens, masked like a recording. */
export const traceLink = (
  link: Link,
  driver: Driver,
  { clock, onMessage }: { clock: Clock; onMessage(message: TracedMessage): void },
): Link => {
  const narrator = driver.narrator(link.carries);
  let line = 0;
  return record(link, {
    scribe: driver.scribe,
    clock,
    onLine(text) {
      line += 1;
      const tape = parseTape(`# tape 1 carries=${link.carries}\n${text}`);
      for (const message of tracedTape(tape, narrator)) onMessage({ ...message, line });
    },
  });
};

const twoDigits = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

/** A message as JSON: seconds since the start, and `till` or `terminal` as the sender. */
export const tracedJson = ({ line, atMs, way, hex, says }: TracedMessage) => ({
  line,
  seconds: atMs === undefined ? undefined : atMs / 1_000,
  from: way === 'said' ? 'till' : way === 'heard' ? 'terminal' : 'link',
  bytes: hex,
  says,
});

// Formats a traced message for a person: time, direction, bytes and meaning side by side, within the screen's width.

export type TraceLook = {
  /** Characters of the screen. */
  width: number;
  /** The most lines of bytes for one message; the rest is counted. */
  hexLinesMax: number;
  /** Colours a finished line by its sender; leaves it unchanged where there are no colours. */
  paint(way: TracedMessage['way'], text: string): string;
};

const arrows = { said: '>', heard: '<', lost: 'x' } as const;
const timeWidth = 10;
/** Time, direction and the spaces after each. */
const leftWidth = timeWidth + 1 + 1 + 2;
const gap = '  ';
/** Below this width the meaning is printed under the bytes. */
const narrowWidth = 72;

/** The lines of one message, none longer than the width of the screen (at least 30). */
export const tracedLines = (message: TracedMessage, look: TraceLook): string[] => {
  const width = Math.max(look.width, 30);
  const time = message.atMs === undefined ? '' : `${(message.atMs / 1_000).toFixed(3)}s`;
  const left = `${time.padStart(timeWidth)} ${arrows[message.way]}  `;
  const indent = ' '.repeat(leftWidth);
  const side = sideBySide(message, { ...look, width: width - leftWidth });
  const rows = side.map((row, i) => `${i === 0 ? left : indent}${row}`.trimEnd());
  return rows.map((row) => look.paint(message.way, row));
};

const sideBySide = ({ hex, says }: TracedMessage, look: TraceLook): string[] => {
  const room = look.width;
  if (hex === '') return says.flatMap((text) => wrap(text, room));
  if (room + leftWidth < narrowWidth) {
    return [...hexRows(hex, room, look.hexLinesMax), ...says.flatMap((text) => wrap(text, room))];
  }
  // At most 16 bytes beside the text; a screen of 100 characters has room for 13.
  const bytesARow = Math.min(16, Math.floor((room * 0.45) / 3));
  const hexWidth = bytesARow * 3 - 1;
  const rows = hexRows(hex, hexWidth, look.hexLinesMax);
  const words = says.flatMap((text) => wrap(text, room - hexWidth - gap.length));
  const count = Math.max(rows.length, words.length);
  return Array.from({ length: count }, (_, i) => `${(rows[i] ?? '').padEnd(hexWidth)}${gap}${words[i] ?? ''}`);
};

const hexRows = (hex: string, width: number, most: number): string[] => {
  const bytesARow = Math.max(1, Math.floor((width + 1) / 3));
  const bytes = hex.match(/../g) ?? [];
  const rows: string[] = [];
  for (let i = 0; i < bytes.length; i += bytesARow) {
    if (rows.length === most) return [...rows, `… ${bytes.length - i} more`];
    rows.push(bytes.slice(i, i + bytesARow).join(' '));
  }
  return rows;
};

/** Wraps text into lines of at most this width, at spaces if there are any; continued lines are indented. */
const wrap = (text: string, width: number): string[] => {
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
