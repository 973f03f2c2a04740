/** What is put into a printer's queue: receipts, reports and pages, each made when the printer is ready for it. */
import type { ReceiptAsk } from '../api/ports/paper.ts';
import { toHex } from '../base/hex.ts';
import type { PrinterConfig } from '../folder/paper-config.ts';
import { receiptLanguage } from '../receipt/languages.ts';
import { markIn, withModeMark } from '../receipt/mode-mark.ts';
import type { Row } from '../receipt/rows.ts';
import { laidLine } from '../receipt/safe-text.ts';
import type { EndedSale } from '../till/machine/sale.ts';
import { type PaperFormParts, paperOf, printed, storesPicture, usualColumns } from './paper-forms.ts';
import type { KeptPaper } from './paper-kept.ts';
import type { ConfiguredPrinter } from './paper-printers.ts';
import type { PrintJob } from './paper-queue.ts';
import type { PaperParts } from './port.ts';

type Parts = Pick<PaperParts, 'clock' | 'random'> & { shop(): PaperFormParts };
type KeptReceipt = Extract<KeptPaper, { of: 'receipt' }>;
/** Which printer it is for, and when it was asked for, ms. */
export type Put = { device: ConfiguredPrinter; at: number };

/** An original is printed once, and by the till that made the sale; every other paper says DUPLICATE. */
export const receiptJobs = ({ clock, shop }: Parts) => {
  const openedAt = clock.now();
  const originals = new Set<string>();
  const original = (sale: EndedSale, { copy }: Pick<ReceiptAsk, 'copy'>) => `${sale.intent.sale} ${copy}`;
  const kept = ({ device, at }: Put, sale: EndedSale, paper: KeptReceipt): PrintJob => ({
    key: `${original(sale, paper)} ${paper.language ?? ''}`,
    kept: { at, paper },
    async bytes(again) {
      originals.add(original(sale, paper));
      const { copy, language } = paper;
      const duplicate = paper.duplicate || again;
      const ask = { copy, language, duplicate: duplicate || undefined };
      const form = paperOf(shop(), sale, ask);
      return printed(form, formOf(device.config));
    },
  });
  return {
    /** Of a paper that waited when the till was last ended. */
    kept,
    asked(device: ConfiguredPrinter, sale: EndedSale, ask: ReceiptAsk): PrintJob {
      const second = ask.duplicate === true || originals.has(original(sale, ask)) || sale.intent.at < openedAt;
      const paper: KeptReceipt = { ...ask, of: 'receipt', receipt: sale.intent.receipt, duplicate: second };
      return kept({ device, at: clock.now() }, sale, paper);
    },
  };
};

type Page = { key: string; rows: Row[] };

export const pageJob = ({ shop }: Parts, device: ConfiguredPrinter, { key, rows }: Page): PrintJob => {
  const logo = rows.some(({ kind }) => kind === 'logo') ? storesPicture(shop()) : undefined;
  const paper = { rows: inMode(rows, shop()), logo, language: { rtl: false } };
  return { key, bytes: () => printed(paper, formOf(device.config)) };
};

/** Marked in the shop's language, unless what was laid out begins and ends with a mark already. */
const inMode = (rows: Row[], { mode, running: { config } }: PaperFormParts): Row[] =>
  rows.length > 1 && rows[0]?.kind === 'mark' && rows.at(-1)?.kind === 'mark'
    ? rows
    : withModeMark(rows, mode, receiptLanguage(config.paper?.language).words);

/** `lines` as they were laid out for this width. */
export const reportJob = (parts: Parts, { device, at }: Put, lines: readonly string[]): PrintJob => ({
  ...pageJob(parts, device, {
    key: toHex(parts.random(8)),
    rows: lines.map(lineRow),
  }),
  kept: { at, paper: { of: 'report', lines: [...lines] } },
});

/** A mark is as large here as on every other paper. */
const lineRow = (line: string): Row => {
  const mark = markIn(line);
  return mark === undefined ? { kind: 'plain', text: laidLine(line) } : { kind: 'mark', text: mark };
};

const formOf = ({ width, columns, codePage }: PrinterConfig) => ({
  width: width === 80 ? (columns ?? 42) : usualColumns(58),
  codePage,
});
