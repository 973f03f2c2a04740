/** A terminal's conversation made readable: for each message its time, its way, its bytes and what it means. */
import type { Driver, Narrator, TraceDirection } from '../../../drivers/driver.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { parseTape, type TapeText } from '../../../drivers/links/tape-text.ts';
import type { Clock } from '../../base/clock.ts';

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
    const at = { line: step.line, ...(step.atMs === undefined ? {} : { atMs: step.atMs }) };
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
  ...(atMs === undefined ? {} : { seconds: atMs / 1_000 }),
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
