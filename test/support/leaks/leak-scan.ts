/**
 * Scans everything that a test run left behind, byte by byte, for card data: databases and their WAL, logs, traces,
 * dumps.
 *
 * Finds plain data in one of the encodings below. Does not look into compressed or encrypted data. A number of almost
 * only zeros, packed, is one byte and zeros: where SQLite's own layout provably wrote that byte, it is not reported.
 */
import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isLayout } from '../disk/sqlite-page.ts';

/** Where which needle (its index) was found, and how it was written. The needle itself is not repeated. */
export type Finding = { file: string; offset: number; needle: number; encoding: string };

type Pattern = { encoding: string; bytes: Buffer };

/** Shorter needles would be found by chance. Of twelve digits, packed from an odd position on, five bytes are left. */
const LEAST = { words: 8, digits: 12 };
const CHUNK = 1 << 20;

/**
 * All places where one of `needles` is in a file, or a file's name, at or below `roots`, by file and offset. Needles
 * are card numbers, tracks and PIN blocks as text: `4761739001010010`, `4761739001010010=2212...`, hex. Throws when a
 * root is missing or nothing at all was there to scan: an empty search proves nothing.
 */
export const scanForCardData = (options: { roots: readonly string[]; needles: readonly string[] }): Finding[] => {
  const needles = options.needles.map(patternsOf);
  const search = searchFor(needles);
  const files = options.roots.flatMap(filesBelow);
  if (files.length === 0) throw new Error(`There is no file below ${options.roots.join(', ')}`);
  const seen = new Map<string, Finding>();
  for (const file of files) {
    const report = ({ offset, needle, encoding, bytes }: Hit) => {
      if (isOneByte(bytes) && (isIndexOfLog(file) || isLayout(file, offset, bytes.length))) return;
      const key = `${file}\n${offset}\n${needle}`;
      if (!seen.has(key)) seen.set(key, { file, offset, needle, encoding });
    };
    scanChunk(Buffer.from(file), search, (found) => report({ ...found, offset: -1, encoding: 'file name' }));
    scanFile(file, search, report);
  }
  return [...seen.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.offset - b.offset));
};

/** Regular files only: a pipe would never end, and the target of a link is scanned where it is. */
const filesBelow = (path: string): string[] => {
  const stats = lstatSync(path);
  if (stats.isFile()) return [path];
  if (!stats.isDirectory()) return [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
};

type Hit = { offset: number; needle: number; encoding: string; bytes: Uint8Array };
type Note = (found: Hit) => void;
type Needle = Pattern & { needle: number };

/**
 * All patterns at once: a bit for each beginning of three bytes, so that one pass over a file looks for thousands of
 * spellings. Patterns with the same beginning are together, in the order of the needles.
 */
type Search = { longest: number; starts: Uint8Array; at: ReadonlyMap<number, readonly Needle[]> };

const searchFor = (needles: readonly (readonly Pattern[])[]): Search => {
  const starts = new Uint8Array(1 << 21);
  const at = new Map<number, Needle[]>();
  let longest = 0;
  needles.forEach((list, needle) => {
    for (const pattern of list) {
      const start = pattern.bytes.readUIntBE(0, 3);
      starts[start >> 3] = (starts[start >> 3] ?? 0) | (1 << (start & 7));
      at.set(start, [...(at.get(start) ?? []), { ...pattern, needle }]);
      longest = Math.max(longest, pattern.bytes.length);
    }
  });
  return { longest, starts, at };
};

const scanFile = (file: string, search: Search, report: Note): void => {
  // Each chunk starts with the end of the previous one, so that nothing is missed across the boundary.
  const overlapBytes = search.longest - 1;
  const held = Buffer.alloc(CHUNK + overlapBytes);
  const handle = openSync(file, 'r');
  try {
    let stored = 0;
    let start = 0;
    for (;;) {
      const read = readSync(handle, held, stored, CHUNK, null);
      if (read === 0) return;
      const chunk = held.subarray(0, stored + read);
      scanChunk(chunk, search, (found) => report({ ...found, offset: start + found.offset }));
      const keptBytes = Math.min(overlapBytes, chunk.length);
      held.copyWithin(0, chunk.length - keptBytes, chunk.length);
      start += chunk.length - keptBytes;
      stored = keptBytes;
    }
  } finally {
    closeSync(handle);
  }
};

/** The index contains only page numbers and hash slots (https://www.sqlite.org/walformat.html, 2). */
const isIndexOfLog = (file: string): boolean => file.endsWith('.db-shm');

const isOneByte = (bytes: Uint8Array): boolean => bytes.subarray(1).every((byte) => byte === 0);

const scanChunk = (chunk: Buffer, { starts, at }: Search, report: Note): void => {
  let three = 0;
  for (let end = 0; end < chunk.length; end += 1) {
    three = ((three << 8) | (chunk[end] as number)) & 0xffffff;
    if (((starts[three >> 3] as number) & (1 << (three & 7))) === 0 || end < 2) continue;
    const place = end - 2;
    for (const { bytes, needle, encoding } of at.get(three) ?? [])
      if (chunk.subarray(place, place + bytes.length).equals(bytes)) report({ offset: place, needle, encoding, bytes });
  }
};

/** Every form in which the needle may have been written. */
const patternsOf = (needle: string): Pattern[] => {
  const minLength = isPackable(needle) ? LEAST.digits : LEAST.words;
  if (needle.length < minLength) throw new Error(`A needle of ${needle.length} characters is too short`);
  const all = [...new Set(spellings(needle))].flatMap(textPatterns);
  return [...all, ...packedPatterns(needle)];
};

const isPackable = (text: string): boolean => /^[0-9A-Fa-f]+$/.test(text);

const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** The same data in other characters: hex in either case, track 2 with any separator, card numbers in groups. */
const spellings = (needle: string): string[] => [
  needle,
  needle.toUpperCase(),
  needle.toLowerCase(),
  ...['D', 'd', '%3D', '%3d', '\\u003d', '^'].map((mark) => needle.replace(/[=D]/i, mark)),
  ...(isDigits(needle) ? [' ', '-'].map((gap) => needle.replace(/(\d{4})(?=\d)/g, `$1${gap}`)) : []),
];

const textPatterns = (text: string): Pattern[] => {
  const ascii = Buffer.from(text, 'latin1');
  const utf16 = Buffer.from(text, 'utf16le');
  return [
    { encoding: 'ascii', bytes: ascii },
    { encoding: 'utf16le', bytes: utf16 },
    { encoding: 'utf16be', bytes: Buffer.from(utf16).swap16() },
    { encoding: 'hex', bytes: Buffer.from(ascii.toString('hex')) },
    { encoding: 'hex', bytes: Buffer.from(ascii.toString('hex').toUpperCase()) },
    ...base64Patterns(ascii),
  ];
};

/** Two digits per byte, as chips and terminals send them, starting at an even or an odd digit; and that in base64. */
const packedPatterns = (needle: string): Pattern[] => {
  const digits = needle.replace(/^[;%]|\?.?$/g, '').replace(/=/g, 'D');
  if (!isPackable(digits)) return [];
  return [digits, digits.slice(1)].flatMap((run) => {
    const bytes = Buffer.from(run.slice(0, run.length & ~1), 'hex');
    return [{ encoding: 'bcd', bytes }, ...base64Patterns(bytes)];
  });
};

/**
 * Base64 and its URL form, for each of the three positions at which the data can begin within a group of three bytes.
 */
const base64Patterns = (data: Buffer): Pattern[] =>
  [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), data]);
    // Only characters whose six bits all come from the data.
    const certain = whole.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6));
    const forUrl = certain.replaceAll('+', '-').replaceAll('/', '_');
    return [...new Set([certain, forUrl])].map((text) => ({ encoding: 'base64', bytes: Buffer.from(text) }));
  });
