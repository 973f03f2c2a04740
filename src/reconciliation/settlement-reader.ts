/**
 * Reads a settlement file line by line: a million lines take no more memory than a thousand, but for eight bytes each
 * by which doubled lines are known. What is wrong with one line is said of that line; the others are read.
 */
import { hash } from 'node:crypto';
import { parse } from 'csv-parse';
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
import { recordIn } from './settlement-record.ts';

export type ReadOptions = { /** For words. */ file: string; merchantId: string };

/**
 * Each line as a record, or with the name of why it is none. Throws `settlement.unreadable` for a file of another
 * encoding or shape, with the line where that shows.
 */
export async function* readSettlement(
  bytes: AsyncIterable<Uint8Array>,
  { file, merchantId }: ReadOptions,
): AsyncGenerator<SettlementRecord | RefusedLine> {
  const refuse = (why: string): Fault => new Fault('settlement.unreadable', { file, why });
  const parser = parse({
    delimiter: ';',
    bom: true,
    info: true,
    relax_column_count: true,
    // A stray quote spoils one cell, and not the file.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: RECORD_MOST,
  });
  const source = feed(parser, bytes, refuse);
  const seen = digestSet();
  let header: readonly string[] | undefined;
  try {
    for await (const { info, record } of parser as AsyncIterable<{ info: { lines: number }; record: string[] }>) {
      if (header === undefined) {
        header = headerIn(record, refuse);
        continue;
      }
      yield lineOf({ line: info.lines, record, header, merchantId }, seen);
    }
    await source;
  } catch (error) {
    parser.destroy();
    throw error instanceof Fault ? error : refuse(wordsOf(error));
  }
  if (header === undefined) throw refuse('it is empty');
}

const RECORD_MOST = 64 * 1024;

type Split = { line: number; record: readonly string[]; header: readonly string[]; merchantId: string };

const lineOf = ({ line, record, header, merchantId }: Split, seen: ReturnType<typeof digestSet>) => {
  if (record.length !== header.length) {
    const says = `it has ${record.length} cells, and the header ${header.length}`;
    return { line, why: 'ragged', says } as const;
  }
  const joined = record.join('\u2028');
  const digest = BigInt(`0x${hash('sha1', joined).slice(0, 16)}`);
  if (seen.has(digest)) return { line, why: 'doubled', says: 'the same line stands further up' } as const;
  seen.add(digest);
  const cells = Object.fromEntries(header.map((name, at) => [name, record[at]?.trim() ?? ''])) as Cells;
  return recordIn({ line, cells, suspect: MAYBE_FORMULA.test(joined) }, merchantId);
};

/** Looked at once for the whole line: most have none. */
const MAYBE_FORMULA = /(?:^|\u2028)\s*[=+\-@\t\r\n]/;

/** By name, in any order; unknown columns are passed over. */
const headerIn = (record: readonly string[], refuse: (why: string) => Fault): readonly string[] => {
  const header = record.map((name) => name.trim());
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

/** Gives the parser the bytes as fast as it takes them, and refuses what is not UTF-8 with the line it stands in. */
const feed = async (
  parser: ReturnType<typeof parse>,
  bytes: AsyncIterable<Uint8Array>,
  refuse: (why: string) => Fault,
): Promise<void> => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let lines = 1;
  let first = true;
  try {
    for await (const chunk of bytes) {
      if (first) refuseOtherEncoding(chunk, refuse);
      first = false;
      const text = decoded(decoder, chunk, () => refuse(`line ${lines + newlines(chunk)}: it is not UTF-8`));
      lines += text.split('\n').length - 1;
      if (text.includes('\u0000')) throw refuse(`line ${lines}: it has a zero byte, and is no text`);
      if (!parser.write(text)) await new Promise<void>((resolve) => void parser.once('drain', resolve));
      if (parser.destroyed) return;
    }
    decoded(decoder, undefined, () => refuse(`line ${lines}: it ends inside a character`));
    parser.end();
  } catch (error) {
    parser.destroy(error as Error);
  }
};

const decoded = (
  decoder: InstanceType<typeof TextDecoder>,
  chunk: Uint8Array | undefined,
  fault: () => Fault,
): string => {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw fault();
  }
};

/** How many line ends stand before the first byte that is not UTF-8. */
const newlines = (chunk: Uint8Array): number => {
  const text = new TextDecoder('utf-8').decode(chunk);
  const at = text.indexOf('\uFFFD');
  return (at < 0 ? text : text.slice(0, at)).split('\n').length - 1;
};

const refuseOtherEncoding = ([first, second]: Uint8Array, refuse: (why: string) => Fault): void => {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw refuse('line 1: it is UTF-16, and must be UTF-8');
};
