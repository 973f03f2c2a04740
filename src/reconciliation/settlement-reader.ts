/**
 * Reads a settlement file line by line: a million lines take no more memory than a thousand, but for eight bytes each
 * by which doubled lines are known. What is wrong with one line is said of that line; the others are read.
 */
import { hash } from 'node:crypto';
import { Fault, wordsOf } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import { digestSet } from './digest-set.ts';
import {
  type Cells,
  type Column,
  columns,
  needed,
  type RefusedLine,
  type SettlementRecord,
} from './settlement-columns.ts';
import { type FileLine, LINE_MOST, linesIn } from './settlement-lines.ts';
import { recordIn } from './settlement-record.ts';

export type ReadOptions = {
  /** For words. */
  file: string;
  /** This store's: lines of another one are refused. */
  merchantId: string;
  /** `YYYY-MM-DD`: a line of more than a month later is refused. Left out where nobody is sure of the day. */
  today?: string;
};

/**
 * Each line as a record, or with the name of why it is none. Throws `settlement.unreadable` for a file of another
 * encoding or shape, with the line where that shows.
 */
export async function* readSettlement(
  bytes: AsyncIterable<Uint8Array>,
  { file, merchantId, today }: ReadOptions,
): AsyncGenerator<SettlementRecord | RefusedLine> {
  const refuse = (why: string): Fault => new Fault('settlement.unreadable', { file, why });
  const seen = digestSet();
  let header: readonly string[] | undefined;
  try {
    for await (const one of linesIn(bytes)) {
      if (header === undefined) header = headerIn(one, refuse);
      else if ('why' in one) yield { ...one, says: wordsFor[one.why] };
      else yield lineOf({ line: one.line, record: one.cells, header, of: { merchantId, today } }, seen);
    }
  } catch (error) {
    throw error instanceof Fault ? error : refuse(wordsOf(error));
  }
  if (header === undefined) throw refuse('it is empty');
}

const wordsFor = {
  tooLong: `it has more than ${LINE_MOST} characters, and is no record`,
  openQuote: 'a quotation mark in it is never closed',
} as const;

type Split = {
  line: number;
  record: readonly string[];
  header: readonly string[];
  of: { merchantId: string; today: string | undefined };
};

const lineOf = ({ line, record, header, of }: Split, seen: ReturnType<typeof digestSet>) => {
  if (record.length !== header.length) {
    const says = `it has ${record.length} cells, and the header ${header.length}`;
    return { line, why: 'ragged', says } as const;
  }
  const joined = record.join('\u2028');
  const digest = BigInt(`0x${hash('sha1', joined).slice(0, 16)}`);
  if (seen.has(digest)) return { line, why: 'doubled', says: 'the same line stands further up' } as const;
  seen.add(digest);
  const cells = Object.fromEntries(header.map((name, at) => [name, bare(record[at])])) as Cells;
  const isSuspect = MAYBE_FORMULA.test(joined) || record.some((cell) => /^[\t\r]/.test(cell));
  return recordIn({ line, cells, suspect: isSuspect }, of);
};

/** Blanks alone are taken off: a tab or line end before a sign is what a formula hides behind. */
const bare = (cell = ''): string => (cell.startsWith(' ') || cell.endsWith(' ') ? cell.replace(/^ +| +$/g, '') : cell);

/** Looked at once for the whole line: most have none. */
const MAYBE_FORMULA = /(?:^|\u2028)\s*[=+\-@]/;

/** By name, in any order; unknown columns are passed over. */
const headerIn = (one: FileLine, refuse: (why: string) => Fault): readonly string[] => {
  if ('why' in one) throw refuse(`line ${one.line}: ${wordsFor[one.why]}`);
  const header = one.cells.map((name) => name.trim());
  const missing = needed.filter((name) => !header.includes(name));
  const hasKey = (['UniqueID', 'TransactionId', 'AccountNumberLast4'] as Column[]).some((name) =>
    header.includes(name),
  );
  if (header.length === 1 && columns.length > 1) throw refuse('line 1: its header is not parted by semicolons');
  if (missing.length > 0)
    throw refuse(`line 1: the column ${missing.map((name) => printable(name)).join(', ')} is missing`);
  if (!hasKey) throw refuse('line 1: UniqueID, TransactionId and AccountNumberLast4 are all missing');
  const doubled = header.find((name, at) => name !== '' && header.indexOf(name) !== at);
  if (doubled !== undefined) throw refuse(`line 1: the column ${printable(doubled)} stands there twice`);
  return header;
};
