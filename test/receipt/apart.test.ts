/**
 * A label and its amount never touch on paper: `TOTAL` beside `1 234.00` must not read `TOTAL1 234.00`. Checked in
 * every language and width, as text and as drawn.
 */
import { describe, expect, test } from 'vitest';
import type { ReceiptWordKey, ReceiptWords } from '../../src/locales/shopper/en.ts';
import { shopperTexts } from '../../src/locales/shopper.ts';
import { columns } from '../../src/receipt/columns.ts';
import type { ReceiptFacts, ReceiptOperation } from '../../src/receipt/facts.ts';
import { layout, type Width } from '../../src/receipt/layout.ts';
import { moneyRows } from '../../src/receipt/receipt.ts';
import type { Row } from '../../src/receipt/rows.ts';
import { COLUMN, sheetOf } from '../../src/receipt/sheet.ts';
import { receiptText } from '../../src/receipt/text.ts';
import { operations } from '../../src/receipt/words.ts';
import { sale } from './sample.ts';

const widths: readonly Width[] = [32, 42, 48];
const languages = Object.entries(shopperTexts).map(([tag, { receipt }]) => [tag, receipt] as const);

const textsOf = (row: Row): string[] =>
  row.kind === 'pair'
    ? [row.left, row.right]
    : row.kind === 'fields'
      ? [row.left.label, row.left.value, row.right.label, row.right.value]
      : [];

/** The text on the paper with single spaces; a word that was broken to fit contains none. */
const read = (lines: readonly string[]): string => lines.join(' ').trim().replace(/\s+/g, ' ');

/** The extent of each text of a line on the sheet, in printer dots, in drawing order. */
const reachesOf = (row: Row, width: Width, rtl: boolean): [number, number][][] =>
  sheetOf(layout([row], width), { width, rtl }).strips.map(({ placed }) =>
    placed
      .flatMap((one): [number, number][] => {
        if (one.kind !== 'text') return [];
        const wide = columns(one.text) * one.size * 0.6;
        const from = one.anchor === 'left' ? one.x : one.anchor === 'right' ? one.x - wide : one.x - wide / 2;
        return [[from, from + wide]];
      })
      .sort(([left], [right]) => left - right),
  );

/** The violations: texts side by side without a column between them, on paper or as drawn. */
const findTouching = (row: Row, width: Width, rtl: boolean): string[] => {
  const output = read(textsOf(row));
  if (output === '') return [];
  const lines = receiptText([row], width);
  const asText = read(lines) === output ? [] : [`${width} columns: ${lines.join('⏎')}`];
  const drawn = reachesOf(row, width, rtl).flatMap((line) =>
    line.flatMap(([from], index) => {
      const end = line[index - 1]?.[1];
      return end === undefined || from - end >= COLUMN - 0.001 ? [] : [`${width} columns, drawn: ${output}`];
    }),
  );
  return [...asText, ...drawn];
};

/** Values that leave one column beside a label, and none. */
const valuesNextTo = (label: string, width: number): string[] =>
  [-1, 0].map((more) => '8'.repeat(Math.max(1, width - columns(label) + more)));

/** One word of each width: on paper, words of the same width behave alike. */
const labelsIn = (words: ReceiptWords): string[] => {
  const byWidth = new Map((Object.keys(words) as ReceiptWordKey[]).map((key) => [columns(words[key]), words[key]]));
  return [...byWidth].flatMap(([wide, word]) => (wide < 32 ? [word] : []));
};

describe.each(languages)('%s', (tag, words) => {
  const rtl = tag === 'ar';

  test('keeps labels of every width apart from a value that just fits, or just does not', () => {
    const found = widths.flatMap((width) =>
      labelsIn(words).flatMap((left) =>
        valuesNextTo(left, width).flatMap((right) => [
          ...findTouching({ kind: 'pair', left, right }, width, rtl),
          ...findTouching({ kind: 'pair', left, right, large: true }, width, rtl),
        ]),
      ),
    );
    expect(found).toEqual([]);
  });

  test('keeps two labelled values side by side apart', () => {
    const labels = [words.receipt, words.merchant];
    const sizes = Array.from({ length: 26 }, (_, n) => '8'.repeat(n + 1));
    const found = widths.flatMap((width) =>
      labels.flatMap((label) =>
        sizes.flatMap((value) =>
          ['8', '888888'].flatMap((other) => [
            ...findTouching({ kind: 'fields', left: { label, value }, right: { label, value: other } }, width, rtl),
            ...findTouching({ kind: 'fields', left: { label, value: other }, right: { label, value } }, width, rtl),
          ]),
        ),
      ),
    );
    expect(found).toEqual([]);
  });

  test('keeps the amounts of every operation apart, from a cent to billions', () => {
    const money = (digits: number) => ({ minor: 10n ** BigInt(digits), currency: 'EUR' });
    const found = (Object.keys(operations) as ReceiptOperation[]).flatMap((operation) =>
      Array.from({ length: 8 }, (_, digits) => 2 * digits).flatMap((digits) => {
        const amount = { ...money(digits), minor: 2n * money(digits).minor };
        const sums = { tip: money(digits), asked: amount, balance: amount, bill: { total: amount, left: amount } };
        const facts: ReceiptFacts = { ...sale, operation, amount, ...sums, heldInAll: amount };
        return moneyRows(facts, words).flatMap((row) => widths.flatMap((width) => findTouching(row, width, rtl)));
      }),
    );
    expect(found).toEqual([]);
  });
});
