/** The mark on a receipt without real money: the first and the last thing printed on it. */
import type { DisplayMode } from '../base/mode.ts';
import type { ReceiptWords } from '../locales/shopper/en.ts';
import { shopperTexts } from '../locales/shopper.ts';
import type { Row } from './rows.ts';

type MarkWords = Pick<ReceiptWords, 'test' | 'training'>;

/** The mark in a language, in plain ASCII so that every printer has its characters. A live receipt has none. */
export const modeMark = (mode: DisplayMode, words: MarkWords): string | undefined =>
  mode === 'live' ? undefined : words[mode === 'training' ? 'training' : 'test'];

/** The rows between two marks. The rows of a live receipt stay as they are. */
export const withModeMark = (rows: readonly Row[], mode: DisplayMode, words: MarkWords): Row[] => {
  const text = modeMark(mode, words);
  if (text === undefined) return [...rows];
  const mark: Row = { kind: 'mark', text };
  return [mark, ...rows, mark];
};

const allMarks: ReadonlySet<string> = new Set(
  Object.values(shopperTexts).flatMap(({ receipt: { test, training } }) => [test, training]),
);

/** The mark in a laid-out line, in any language, without its frame. */
export const markIn = (line: string): string | undefined => {
  const text = line.replace(/^[* ]+|[* ]+$/g, '');
  return allMarks.has(text) ? text : undefined;
};
