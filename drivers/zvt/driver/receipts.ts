/**
 * The receipts of one command, gathered line by line within a bound and sorted by whose they are.
 *
 * Text blocks name their receipt. Single lines do not: a line with the last-line mark ends a receipt, and then the
 * words on it decide, or the order, the merchant's first.
 */
import { luhnIsValid } from '../../../src/emv/luhn.ts';
import type { PrintLines, ReceiptKind } from '../protocol/messages.ts';

/** More lines than this in one command are dropped: two receipts have a hundred. */
export const linesMax = 1_000;

type Receipt = { kind: ReceiptKind; lines: string[]; ended: boolean };

export type Sorted = {
  customerLines: string[];
  merchantLines: string[];
  allLines: string[];
  /** Something was printed, and all of it concerns the terminal's own business: an end of day. */
  administration: boolean;
};

export class Receipts {
  readonly #receipts: Receipt[] = [];
  #count = 0;
  #dropped = 0;

  add({ receipt: kind, lines, ends }: PrintLines): void {
    const last = this.#receipts.at(-1);
    const isNew = last === undefined || last.ended || last.kind !== kind;
    const receipt = isNew ? { kind, lines: [], ended: false } : last;
    const room = lines.slice(0, linesMax - this.#count);
    this.#count += room.length;
    this.#dropped += lines.length - room.length;
    // An empty last line only carries the mark, and more receipts than lines nobody can have.
    if (room.length > 0 && isNew) this.#receipts.push(receipt);
    receipt.lines.push(...room.map(withoutCardNumbers));
    receipt.ended = ends;
  }

  /** How many lines were too many. */
  dropped(): number {
    return this.#dropped;
  }

  /** Whose lines they are. A single receipt that nobody is named on is given to both. */
  sorted(): Sorted {
    const receipts = this.#receipts.map(({ kind, lines }) => ({
      kind: kind === 'unnamed' ? byWords(lines) : kind,
      lines,
    }));
    const unnamed = receipts.filter(({ kind }) => kind === 'unnamed');
    const of = (kind: ReceiptKind, at: number): string[] => {
      const own = receipts.filter((receipt) => receipt.kind === kind).flatMap(({ lines }) => lines);
      return trimmed(own.length > 0 ? own : ((unnamed.length === 1 ? unnamed[0] : unnamed[at])?.lines ?? []));
    };
    return {
      merchantLines: of('merchant', 0),
      customerLines: of('customer', 1),
      allLines: trimmed(receipts.flatMap(({ lines }) => lines)),
      administration: receipts.length > 0 && receipts.every(({ kind }) => kind === 'administration'),
    };
  }
}

const byWords = (lines: readonly string[]): ReceiptKind => {
  const text = lines.join('\n');
  if (/kundenbeleg|customer|cardholder/i.test(text)) return 'customer';
  if (/h(ä|ae)ndlerbeleg|merchant/i.test(text)) return 'merchant';
  return /kassenschnitt|tagesabschluss|end of day/i.test(text) ? 'administration' : 'unnamed';
};

/** Without the empty lines that only feed paper, before and behind. */
const trimmed = (lines: readonly string[]): string[] => {
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
};

/** A terminal masks what it prints. If one does not, the number stops here; other long numbers are left as they are. */
export const withoutCardNumbers = (line: string): string =>
  line.replace(/\d(?:[ -]?\d){12,18}/g, (run) => {
    const digits = run.replace(/\D/g, '');
    if (!/^[2-6]/.test(digits) || !luhnIsValid(digits)) return run;
    let at = 0;
    return run.replace(/\d/g, (digit) => {
      at += 1;
      return at <= 6 || at > digits.length - 4 ? digit : '*';
    });
  });
