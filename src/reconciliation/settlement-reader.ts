/**
 * Reads a settlement file line by line. A million lines take no more memory than a thousand, except for eight bytes per
 * line to detect duplicates. An error concerns only its own line; the other lines are read.
 */
import { hash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { errorText, Fault } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import { NotUnicode, textPieces } from '../base/text.ts';
import { settlementColumns } from '../gateway/spec/settlement-columns.ts';
import { type Cells, type Column, needed, type RefusedLine, type SettlementRecord } from './settlement-columns.ts';
import { recordIn } from './settlement-record.ts';

// Splits a text file into numbered lines and cells. Lines are physical lines: a quote that is never closed spoils only
// its own line. An endless line is skipped without being stored.

/** `cells` is absent when the line cannot be split. */
type FileLine =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly why: 'tooLong' | 'openQuote' };

/** More characters than any record has: longer lines are not read. */
const LINE_MOST = 64 * 1024;

type PartialLine = { line: number; text: string; isTooLong: boolean };

/** Why the whole file cannot be read. The message begins with the line if one is known. */
export class Unreadable extends Error {}

/** Cells are separated by semicolons; empty lines are skipped. Throws `Unreadable` for anything but Unicode text. */
async function* linesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  const partial: PartialLine = { line: 1, text: '', isTooLong: false };
  try {
    for await (const text of textPieces(bytes)) yield* taken(partial, text);
  } catch (error) {
    throw error instanceof NotUnicode ? new Unreadable(error.message, { cause: error }) : error;
  }
  yield* ended(partial);
}

/** Yields the lines that end in this chunk and keeps the rest. */
function* taken(partial: PartialLine, text: string): Generator<FileLine> {
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    if (partial.text.length + to - from > LINE_MOST) {
      partial.isTooLong = true;
      partial.text = '';
    }
    if (!partial.isTooLong) partial.text += text.slice(from, to);
    if (end < 0) return;
    yield* ended(partial);
    partial.line += 1;
    partial.text = '';
    partial.isTooLong = false;
    from = end + 1;
  }
}

function* ended({ line, text, isTooLong }: PartialLine): Generator<FileLine> {
  if (isTooLong) return yield { line, why: 'tooLong' };
  if (text === '') return;
  const cells = text.includes('"') ? splitQuoted(text) : text.split(';');
  yield cells === undefined ? { line, why: 'openQuote' } : { line, cells };
}

/** A stray quote inside a cell is an ordinary character. */
const splitQuoted = (row: string): readonly string[] | undefined => {
  try {
    const rows = parse(row, { delimiter: ';', relax_quotes: true, record_delimiter: '\n' });
    return rows[0];
  } catch {
    return undefined;
  }
};

export type ReadOptions = {
  /** For messages. */
  file: string;
  /** The id of this store: lines of other stores are refused. */
  merchantId: string;
  /** `YYYY-MM-DD`: lines dated more than a month later are refused. Absent when the day is uncertain. */
  today?: string;
};

/**
 * Yields each line as a record, or with the reason for refusing it. Throws `settlement.unreadable` for a file of
 * another encoding or format, with the line if one is known.
 */
export async function* readSettlement(
  bytes: AsyncIterable<Uint8Array>,
  { file, merchantId, today }: ReadOptions,
): AsyncGenerator<SettlementRecord | RefusedLine> {
  const refuse = (reason: string): Fault => new Fault('settlement.unreadable', { file, why: reason });
  const seenLines = digestSet();
  let header: readonly string[] | undefined;
  try {
    for await (const one of linesIn(bytes)) {
      if (header === undefined) header = headerIn(one, refuse);
      else if ('why' in one) yield { ...one, says: wordsFor[one.why] };
      else yield lineOf({ line: one.line, record: one.cells, header, of: { merchantId, today } }, seenLines);
    }
  } catch (error) {
    throw error instanceof Fault ? error : refuse(errorText(error));
  }
  if (header === undefined) throw refuse('it is empty');
}

const wordsFor = {
  tooLong: `it has more than ${LINE_MOST} characters, and is no record`,
  openQuote: 'it has a quote that is never closed',
} as const;

type Split = {
  line: number;
  record: readonly string[];
  header: readonly string[];
  of: { merchantId: string; today: string | undefined };
};

const lineOf = ({ line, record, header, of }: Split, seenLines: ReturnType<typeof digestSet>) => {
  if (record.length !== header.length) {
    const text = `it has ${record.length} cells, and the header ${header.length}`;
    return { line, why: 'ragged', says: text } as const;
  }
  const joined = record.join('\u2028');
  const digest = BigInt(`0x${hash('sha1', joined).slice(0, 16)}`);
  if (seenLines.has(digest)) return { line, why: 'doubled', says: 'the same line stands further up' } as const;
  seenLines.add(digest);
  const cells = Object.fromEntries(header.map((name, i) => [name, trimmed(record[i])])) as Cells;
  const isSuspect = MAYBE_FORMULA.test(joined) || record.some((cell) => /^[\t\r]/.test(cell));
  return recordIn({ line, cells, suspect: isSuspect }, of);
};

/** Trims only spaces: a tab or line break before a sign can hide a formula. */
const trimmed = (cell = ''): string =>
  cell.startsWith(' ') || cell.endsWith(' ') ? cell.replace(/^ +| +$/g, '') : cell;

/** Checked once for the whole line, because most lines have no such cell. */
const MAYBE_FORMULA = /(?:^|\u2028)\s*[=+\-@]/;

/** Columns by name, in any order; unknown columns are skipped. */
const headerIn = (one: FileLine, refuse: (reason: string) => Fault): readonly string[] => {
  if ('why' in one) throw refuse(`line ${one.line}: ${wordsFor[one.why]}`);
  const header = one.cells.map((name) => name.trim());
  const missing = needed.filter((name) => !header.includes(name));
  const hasKey = (['UniqueID', 'TransactionId', 'AccountNumberLast4'] as Column[]).some((name) =>
    header.includes(name),
  );
  if (header.length === 1 && settlementColumns.length > 1)
    throw refuse('line 1: its header is not parted by semicolons');
  if (missing.length > 0)
    throw refuse(`line 1: the column ${missing.map((name) => printable(name)).join(', ')} is missing`);
  if (!hasKey) throw refuse('line 1: UniqueID, TransactionId and AccountNumberLast4 are all missing');
  const doubled = header.find((name, i) => name !== '' && header.indexOf(name) !== i);
  if (doubled !== undefined) throw refuse(`line 1: the column ${printable(doubled)} stands there twice`);
  return header;
};

/** A set of 64-bit numbers in two flat arrays: eight to sixteen bytes per number, where a Set takes over sixty. */
export type DigestSet = { has(digest: bigint): boolean; add(digest: bigint): void; readonly size: number };

/** 0 marks an empty slot; whether the set contains 0 itself is a flag. */
const digestSet = (): DigestSet => {
  let places = new BigUint64Array(1024);
  let size = 0;
  let hasZero = false;

  const placeOf = (digest: bigint, all: BigUint64Array): number => {
    const mask = all.length - 1;
    let offset = Number(digest & BigInt(mask));
    while (all[offset] !== 0n && all[offset] !== digest) offset = (offset + 1) & mask;
    return offset;
  };

  const grow = (): void => {
    const wider = new BigUint64Array(places.length * 2);
    for (const digest of places) if (digest !== 0n) wider[placeOf(digest, wider)] = digest;
    places = wider;
  };

  return {
    get size() {
      return size;
    },
    has: (digest) => (digest === 0n ? hasZero : places[placeOf(digest, places)] === digest),
    add(digest) {
      if (digest === 0n) {
        size += hasZero ? 0 : 1;
        hasZero = true;
        return;
      }
      const offset = placeOf(digest, places);
      if (places[offset] === digest) return;
      places[offset] = digest;
      size += 1;
      if (size * 2 > places.length) grow();
    },
  };
};
