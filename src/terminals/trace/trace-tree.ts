/** A masked message as a tree: what its driver says of it, and the data objects in it by their names. */
import type { TraceNode } from '../../api/ports/devices.ts';
import { tagRow } from '../../emv/tags.ts';

/** Framing of any protocol before the first data object, bytes. */
const HEAD_MOST = 40;
/** Checksums, status words and the zeros that fill a report may stand behind the last one. */
const DEPTH_MOST = 6;

/**
 * The nodes of one message. `hex` has two characters a byte, `**` for a masked one: values are shown as they stand
 * there, so that nothing is seen here that was masked before. `says` are the driver's lines for it.
 */
export const treeOf = (hex: string, says: readonly string[]): TraceNode[] => {
  const objects = objectsIn(hex.match(/../g) ?? []);
  const [first, ...more] = says.map((text): TraceNode => nodeOf(text));
  if (first === undefined) return objects;
  const below = [...(first.below ?? []), ...objects];
  return [{ text: first.text, ...(below.length > 0 && { below }) }, ...more];
};

/** `START TRANSACTION purchase 9.00 EUR, chip, tap` → what it is, and below it the rest piece by piece. */
const nodeOf = (text: string): TraceNode => {
  const [whole, head, rest] = /^([^:,]{2,60}?): (.+)$/s.exec(text) ?? [];
  if (whole === undefined || head === undefined || rest === undefined) return { text };
  const pieces = rest.split(/, (?![^(]*\))/);
  return { text: head, below: pieces.map((piece) => ({ text: piece })) };
};

/** The longest row of known data objects (EMV Book 3, Annex B) that stands anywhere behind the message's head. */
const objectsIn = (bytes: readonly string[]): TraceNode[] => {
  let best: Read = { nodes: [], end: 0, known: 0 };
  for (let at = 0; at < Math.min(HEAD_MOST, bytes.length); at += 1) {
    const row = rowAt(bytes, { at, end: bytes.length, depth: 0 });
    if (row.known > best.known) best = row;
  }
  // One alone may be chance: a length and a tag look like many things.
  return best.known > 1 ? best.nodes : [];
};

type Place = { at: number; end: number; depth: number };
type Read = { nodes: TraceNode[]; end: number; known: number };

/** Data objects one after the other, for as long as their tags are known and their lengths fit. */
const rowAt = (bytes: readonly string[], { at, end, depth }: Place): Read => {
  const nodes: TraceNode[] = [];
  let known = 0;
  let place = at;
  while (place < end) {
    const one = objectAt(bytes, { at: place, end, depth });
    if (one === undefined) break;
    nodes.push(...one.nodes);
    known += one.known;
    place = one.end;
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

/** Templates of terminals' own, which no EMV document lists. */
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

const numberAt = (bytes: readonly string[], at: number): number | undefined => {
  const byte = bytes[at];
  return byte === undefined || byte === '**' ? undefined : Number.parseInt(byte, 16);
};

/** One to three bytes; the low five bits of the first all set: more follow. */
const tagAt = (bytes: readonly string[], at: number): string | undefined => {
  const first = numberAt(bytes, at);
  if (first === undefined || first === 0 || first === 0xff) return undefined;
  let end = at + 1;
  if ((first & 0x1f) === 0x1f) {
    for (;;) {
      const next = numberAt(bytes, end);
      end += 1;
      if (next === undefined || end - at > 3) return undefined;
      if (next < 0x80) break;
    }
  }
  return bytes.slice(at, end).join('').toUpperCase();
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
