/**
 * The recent conversation with the till's terminals, for a technician who comes afterwards or watches live. Card data
 * is masked before anything is stored. Messages are decoded only when somebody looks.
 */
import type { Driver, Narrator } from '../../../drivers/driver.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { parseTape } from '../../../drivers/links/tape-text.ts';
import type { TraceNode, TraceRow } from '../../api/contract/diagnosis.ts';
import type { Clock } from '../../base/clock.ts';
import { tagRow } from '../../emv/tags.ts';
import { tracedTape } from './recording.ts';

export type Trace = {
  /** For `openTerminal`: the same link, with its messages stored under this name. */
  wrap(counter: string): (link: Link, driver: Driver) => Link;
  /** Calls `listener` for each message from now on, until the returned function is called. */
  listen(listener: (row: TraceRow) => void): () => void;
  /** The last `most` messages, oldest first. */
  latest(most: number): TraceRow[];
  /** When a terminal was last heard, ms since 1970. */
  lastHeardAt(counter: string): number | undefined;
};

export type TraceLimits = { messages?: number; bytes?: number };

const MESSAGES_MOST = 500;
/** Characters of masked text, two per byte on the wire. */
const TEXT_MOST = 1 << 20;

/** One opening of a terminal: its narrator must see all messages in order. */
type Session = { driver: Driver; carries: Link['carries']; narrator?: Narrator | undefined };
type HeldLine = { n: number; at: number; counter: string; line: string; session: Session; row?: TraceRow };

export const openTrace = (clock: Clock, limits: TraceLimits = {}): Trace => {
  const { messages = MESSAGES_MOST, bytes = TEXT_MOST } = limits;
  const lines: HeldLine[] = [];
  const hearers = new Set<(row: TraceRow) => void>();
  const received = new Map<string, number>();
  let text = 0;
  let n = 0;

  const forget = (): void => {
    const removed = lines.shift();
    if (removed === undefined) return;
    text -= removed.line.length;
    // A narrator that missed this message cannot continue: the next look starts with the messages that are left.
    if (removed.row === undefined) removed.session.narrator = undefined;
  };

  const rowOf = (heldLine: HeldLine): TraceRow => {
    heldLine.row ??= decodeLine(heldLine);
    return heldLine.row;
  };

  const keep = (counter: string, session: Session, line: string): void => {
    n += 1;
    const heldLine: HeldLine = { n, at: clock.now(), counter, line, session };
    if (line.startsWith('<')) received.set(counter, heldLine.at);
    lines.push(heldLine);
    text += line.length;
    while (lines.length > messages || (text > bytes && lines.length > 1)) forget();
    if (hearers.size === 0) return;
    // Messages that nobody has looked at yet are decoded first, because a meaning may begin in them.
    for (const before of lines) if (before.session === session) rowOf(before);
    for (const hear of hearers) hear(rowOf(heldLine));
  };

  return {
    wrap: (counter) => (link, driver) => {
      const session: Session = { driver, carries: link.carries };
      return record(link, { scribe: driver.scribe, onLine: (line) => keep(counter, session, line) });
    },
    listen(listener) {
      hearers.add(listener);
      return () => hearers.delete(listener);
    },
    latest: (most) => lines.map(rowOf).slice(-most),
    lastHeardAt: (counter) => received.get(counter),
  };
};

const ways = { said: 'toTerminal', heard: 'fromTerminal', lost: 'lost' } as const;

const decodeLine = ({ n, at, counter, line, session }: HeldLine): TraceRow => {
  session.narrator ??= session.driver.narrator(session.carries);
  const tape = parseTape(`# tape 1 carries=${session.carries}\n${line}`);
  const [message] = tracedTape(tape, session.narrator);
  const { way = 'lost', hex = '', says: words = [] } = message ?? {};
  const says: TraceNode[] = treeOf(hex, words);
  return { n, at, counter, way: ways[way], hex, says, masked: hex.includes('**') };
};

// A masked message as a tree: the driver's explanation, and the data objects in it by name.

/** The framing of any protocol before the first data object, bytes. */
const HEAD_MOST = 40;
/** Templates are decoded down to this depth. */
const DEPTH_MOST = 6;

/**
 * The nodes of one message. `hex` has two characters per byte, `**` for a masked one. Values are taken from it, so
 * nothing appears here that was masked before. `says` are the driver's lines.
 */
export const treeOf = (hex: string, says: readonly string[]): TraceNode[] => {
  const objects = objectsIn(hex.match(/../g) ?? []);
  const [first, ...more] = says.map((text): TraceNode => nodeOf(text));
  if (first === undefined) return objects;
  const below = [...(first.below ?? []), ...objects];
  return [{ text: first.text, below: below.length > 0 ? below : undefined }, ...more];
};

/** Splits `START TRANSACTION purchase 9.00 EUR, chip, tap` into a title and, below it, its parts. */
const nodeOf = (text: string): TraceNode => {
  const [whole, head, rest] = /^([^:,]{2,60}?): (.+)$/s.exec(text) ?? [];
  if (whole === undefined || head === undefined || rest === undefined) return { text };
  const pieces = rest.split(/, (?![^(]*\))/);
  return { text: head, below: pieces.map((piece) => ({ text: piece })) };
};

/** The longest sequence of known data objects (EMV Book 3, Annex B) anywhere after the message's head. */
const objectsIn = (bytes: readonly string[]): TraceNode[] => {
  let best: Read = { nodes: [], end: 0, known: 0 };
  for (let i = 0; i < Math.min(HEAD_MOST, bytes.length); i += 1) {
    const row = rowAt(bytes, { at: i, end: bytes.length, depth: 0 });
    if (row.known > best.known) best = row;
  }
  // A single one can be chance: many bytes look like a tag and a length.
  return best.known > 1 ? best.nodes : [];
};

type Place = { at: number; end: number; depth: number };
type Read = { nodes: TraceNode[]; end: number; known: number };

/** Successive data objects, as long as their tags are known and their lengths fit. */
const rowAt = (bytes: readonly string[], { at, end, depth }: Place): Read => {
  const nodes: TraceNode[] = [];
  let known = 0;
  let place = at;
  while (place < end) {
    const heldLine = objectAt(bytes, { at: place, end, depth });
    if (heldLine === undefined) break;
    nodes.push(...heldLine.nodes);
    known += heldLine.known;
    place = heldLine.end;
  }
  return { nodes, end: place, known };
};

const objectAt = (bytes: readonly string[], { at, end, depth }: Place): Read | undefined => {
  const tag = tagAt(bytes, at);
  const name = tag === undefined ? undefined : (tagRow(tag)?.name ?? templates[tag]);
  if (tag === undefined || name === undefined) return undefined;
  const length = lengthAt(bytes, at + tag.length / 2);
  if (length === undefined || length.from + length.size > end || length.size === 0) return undefined;
  const stop = length.from + length.size;
  if (isTemplate(tag) && depth < DEPTH_MOST) {
    const inside = rowAt(bytes, { at: length.from, end: stop, depth: depth + 1 });
    if (inside.end === stop)
      return { nodes: [{ text: `${tag}  ${name}`, below: inside.nodes }], end: stop, known: inside.known + 1 };
  }
  const value = bytes.slice(length.from, stop).join('');
  return { nodes: [{ text: `${tag}  ${name}: ${value}` }], end: stop, known: 1 };
};

/** Templates specific to terminals, which no EMV document lists. */
const templates: Readonly<Record<string, string>> = {
  E0: 'Request template',
  E1: 'Response template',
  E2: 'Decision template',
  E3: 'Online approval template',
  E4: 'Online request template',
  E5: 'Decline template',
  E6: 'Status template',
};

const isTemplate = (tag: string): boolean => (Number.parseInt(tag.slice(0, 2), 16) & 0x20) !== 0;

const numberAt = (bytes: readonly string[], i: number): number | undefined => {
  const byte = bytes[i];
  return byte === undefined || byte === '**' ? undefined : Number.parseInt(byte, 16);
};

/** One to three bytes; more follow when the low five bits of the first are all set. */
const tagAt = (bytes: readonly string[], i: number): string | undefined => {
  const first = numberAt(bytes, i);
  if (first === undefined || first === 0 || first === 0xff) return undefined;
  let end = i + 1;
  if ((first & 0x1f) === 0x1f) {
    for (;;) {
      const next = numberAt(bytes, end);
      end += 1;
      if (next === undefined || end - i > 3) return undefined;
      if (next < 0x80) break;
    }
  }
  return bytes.slice(i, end).join('').toUpperCase();
};

const lengthAt = (bytes: readonly string[], at: number): { from: number; size: number } | undefined => {
  const first = numberAt(bytes, at);
  if (first === undefined) return undefined;
  if (first < 0x80) return { from: at + 1, size: first };
  const count = first & 0x7f;
  if (count === 0 || count > 2) return undefined;
  const parts = Array.from({ length: count }, (_, place) => numberAt(bytes, at + 1 + place));
  if (parts.some((part) => part === undefined)) return undefined;
  return { from: at + 1 + count, size: parts.reduce<number>((size, part) => size * 256 + (part ?? 0), 0) };
};
