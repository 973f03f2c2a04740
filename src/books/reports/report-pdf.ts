/** A report on A4: a title, facts, tables that continue over pages, and a page number on each page. */

import type { DisplayMode } from '../../base/mode.ts';
import { withMark } from '../../base/money.ts';
import { fill } from '../../base/placeholders.ts';
import type { ReportLanguage } from '../../locales/reports.ts';
import { receiptLanguage } from '../../locales/shopper.ts';
import { frame } from '../../receipt/columns.ts';
import { type Fonts, runsOf, widthOfRun } from '../../receipt/fonts.ts';
import { modeMark } from '../../receipt/mode-mark.ts';
import { embedFont } from '../../receipt/pdf.ts';

export type PdfColumn = { title: string; width: number; align?: 'right' };

export type PdfBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'words'; text: string }
  /** Facts about the whole: a name, with its value at the right edge of the first column. */
  | { kind: 'facts'; rows: readonly (readonly [name: string, value: string])[] }
  /** Widths are shares of the page width. */
  | { kind: 'table'; columns: readonly PdfColumn[]; rows: readonly (readonly string[])[] };

export type ReportSheet = {
  /** Whether real money was moved: every mode except `live` is marked on each page. */
  mode: DisplayMode;
  title: string;
  /** The store's name, above the title. */
  store: string;
  /** Below the title. */
  about: string;
  blocks: readonly PdfBlock[];
  /** At the foot of each page, before the page number. */
  foot: string;
  language: Pick<ReportLanguage, 'language' | 'reports' | 'mark'>;
  /** The date in the document's metadata, ms. */
  at: number;
  fonts: Fonts;
};

const MARGIN = 48;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN - 24;
const SIZE = 8.5;
const LEADING = 1.45;
const GAP = 8;
const GREY = '#5c5f66';
const RULE = '#ced4da';

export const reportPdf = async (sheet: ReportSheet): Promise<Uint8Array> => {
  const { default: PDFDocument } = await import('pdfkit');
  const date = new Date(sheet.at);
  const mark = modeMark(sheet.mode, receiptLanguage(sheet.language.language).words);
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    displayTitle: true,
    lang: sheet.language.language,
    info: { Title: mark === undefined ? sheet.title : `${mark}: ${sheet.title}`, CreationDate: date, ModDate: date },
  });
  const whole = new Promise<Uint8Array>((resolve, reject) => {
    const parts: Uint8Array[] = [];
    document.on('data', (part: Uint8Array) => parts.push(part));
    document.on('end', () => resolve(Uint8Array.from(Buffer.concat(parts))));
    document.on('error', reject);
  });
  const page = createPen(document, sheet.fonts);
  page.line(sheet.store, { color: GREY });
  page.line(sheet.title, { size: 17, bold: true });
  page.line(sheet.about, { color: GREY });
  for (const block of sheet.blocks) drawBlock(page, withMarks(block, sheet.language.mark));
  numberPages(document, sheet);
  if (mark !== undefined) markPages(document, frame(mark, MARK_COLUMNS), sheet.fonts);
  document.end();
  return whole;
};

type TextStyle = { size?: number; bold?: boolean; color?: string };
type Point = readonly [x: number, y: number];
type Pen = ReturnType<typeof createPen>;

const createPen = (document: PDFKit.PDFDocument, fonts: Fonts) => {
  let y = MARGIN;
  const widthOf = (text: string, { size = SIZE, bold = false }: TextStyle): number =>
    runsOf(text, { fonts, bold }).reduce((sum, run) => sum + widthOfRun(run, size), 0);
  const drawText = (text: string, [x, at]: Point, { size = SIZE, bold = false, color = '#000' }: TextStyle): void => {
    let from = x;
    for (const run of runsOf(text, { fonts, bold })) {
      document.font(embedFont(document, run.face)).fontSize(size).fillColor(color);
      document.text(run.text, from, at + size, { lineBreak: false, baseline: 'alphabetic', features: [] });
      from += widthOfRun(run, size);
    }
  };
  return {
    wide: widthOf,
    put: (text: string, x: number, style: TextStyle = {}) => drawText(text, [x, y], style),
    /** Makes room for this many points, on a new page if necessary. Returns whether it began one. */
    makeRoom(points: number): boolean {
      if (y + points <= BOTTOM) return false;
      document.addPage();
      y = MARGIN;
      return true;
    },
    moveDown(points: number): void {
      y += points;
    },
    drawRule(): void {
      document
        .moveTo(MARGIN, y)
        .lineTo(MARGIN + WIDTH, y)
        .lineWidth(0.5)
        .stroke(RULE);
      y += 3;
    },
    line(text: string, style: TextStyle = {}): void {
      for (const one of wrap(text, WIDTH, (text) => widthOf(text, style))) {
        this.makeRoom((style.size ?? SIZE) * LEADING);
        drawText(one, [MARGIN, y], style);
        y += (style.size ?? SIZE) * LEADING;
      }
    },
  };
};

/** Wraps text into lines. A word wider than the line is broken. */
export const wrap = (text: string, width: number, widthOf: (text: string) => number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const letter of word) {
      if (line !== '' && widthOf(line + letter) > width) {
        lines.push(line);
        line = '';
      }
      line += letter;
    }
  }
  return [...lines, line];
};

/** Adds the language's direction mark to amounts that stand alone. */
const withMarks = (block: PdfBlock, mark: string): PdfBlock => {
  if (block.kind === 'facts')
    return { ...block, rows: block.rows.map(([name, value]) => [name, withMark(value, mark)] as const) };
  if (block.kind !== 'table') return block;
  return { ...block, rows: block.rows.map((row) => row.map((cell) => withMark(cell, mark))) };
};

const drawBlock = (page: Pen, block: PdfBlock): void => {
  switch (block.kind) {
    case 'heading':
      page.makeRoom(60);
      page.moveDown(14);
      page.line(block.text, { size: 11, bold: true });
      page.moveDown(2);
      return;
    case 'words':
      page.line(block.text);
      return;
    case 'facts':
      page.moveDown(6);
      for (const [name, value] of block.rows)
        drawRow(
          page,
          [
            { title: '', width: 0.3 },
            { title: '', width: 0.7 },
          ],
          { cells: [name, value] },
        );
      return;
    default:
      drawTable(page, block.columns, block.rows);
  }
};

const drawTable = (page: Pen, columns: readonly PdfColumn[], rows: readonly (readonly string[])[]): void => {
  const head = (): void => {
    drawRow(page, columns, { cells: columns.map(({ title }) => title), style: { bold: true, color: GREY } });
    page.drawRule();
  };
  page.makeRoom(3 * SIZE * LEADING);
  head();
  for (const cells of rows) drawRow(page, columns, { cells, head });
};

type Row = { cells: readonly string[]; style?: TextStyle; head?: () => void };

const drawRow = (page: Pen, columns: readonly PdfColumn[], { cells, style = {}, head }: Row): void => {
  const all = columns.reduce((sum, { width }) => sum + width, 0);
  const widths = columns.map(({ width }) => (width / all) * (WIDTH + GAP) - GAP);
  const lines = columns.map((_, i) => wrap(cells[i] ?? '', widths[i] ?? WIDTH, (text) => page.wide(text, style)));
  const rowHeight = Math.max(...lines.map(({ length }) => length));
  const leading = SIZE * LEADING;
  // A row that fits on a page is not split; a new page starts with the table's header.
  if (page.makeRoom(Math.min(rowHeight * leading, BOTTOM - MARGIN - 3 * leading))) head?.();
  for (let line = 0; line < rowHeight; line += 1) {
    if (line > 0 && page.makeRoom(leading)) head?.();
    let x = MARGIN;
    for (const [i, { align }] of columns.entries()) {
      const text = lines[i]?.[line] ?? '';
      const width = widths[i] ?? 0;
      page.put(text, align === 'right' ? x + width - page.wide(text, style) : x, style);
      x += width + GAP;
    }
    page.moveDown(leading);
  }
};

const MARK_COLUMNS = 42;
const MARK_SIZE = 15;

/** Marks the top and the bottom of every page, because pages get separated. */
const markPages = (document: PDFKit.PDFDocument, mark: string, fonts: Fonts): void => {
  const { count } = document.bufferedPageRange();
  for (let i = 0; i < count; i += 1) {
    document.switchToPage(i);
    for (const top of [MARGIN / 2 - MARK_SIZE / 2, BOTTOM + 26]) {
      const page = createPen(document, fonts);
      const style = { size: MARK_SIZE, bold: true };
      page.moveDown(top - MARGIN);
      page.put(mark, MARGIN + (WIDTH - page.wide(mark, style)) / 2, style);
    }
  }
};

const numberPages = (document: PDFKit.PDFDocument, { foot, fonts, language }: ReportSheet): void => {
  const { count } = document.bufferedPageRange();
  for (let i = 0; i < count; i += 1) {
    document.switchToPage(i);
    const page = createPen(document, fonts);
    const number = fill(language.reports.page, { n: i + 1, count });
    page.moveDown(BOTTOM + 10 - MARGIN);
    page.put(foot, MARGIN, { size: 7.5, color: GREY });
    page.put(number, MARGIN + WIDTH - page.wide(number, { size: 7.5 }), { size: 7.5, color: GREY });
  }
};
