/** A finished sale's receipt in every form: the same rows, rendered as requested. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceiptAsk, ReceiptForm } from '../api/contract/paper.ts';
import type { CodePage } from '../base/code-pages.ts';
import { errorText, Fault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { receiptContextOf } from '../ledger/bills.ts';
import { type ReceiptLanguage, receiptLanguage } from '../locales/shopper.ts';
import { canPrint, escpos, type Raster } from '../receipt/escpos.ts';
import { type Line, layout } from '../receipt/layout.ts';
import { modeMark } from '../receipt/mode-mark.ts';
import type { PdfLook } from '../receipt/pdf.ts';
import { type Picture, pictureOf } from '../receipt/picture.ts';
import type { Row } from '../receipt/rows.ts';
import { safeText } from '../receipt/safe-text.ts';
import type { SheetLook } from '../receipt/sheet.ts';
import { receiptSvg } from '../receipt/svg.ts';
import { receiptEmail, receiptLineOf, receiptText, type Width } from '../receipt/text.ts';
import type { EndedSale } from '../till/machine/sale.ts';
import type { ReceiptTill } from './port.ts';
import { receiptRows } from './receipts.ts';

export type PaperFormParts = {
  running: ReceiptTill;
  dataDir: string;
  mode: DisplayMode;
  report(error: unknown): void;
};

export type Paper = {
  rows: Row[];
  language: ReceiptLanguage;
  logo: Picture | undefined;
  number: string;
  at: number;
  mode: DisplayMode;
};

/** The receipt of this sale. An unusable picture is reported and left out. */
export const paperOf = (shop: PaperFormParts, sale: EndedSale, ask: Omit<ReceiptAsk, 'width'>): Paper => {
  const { config } = shop.running;
  const { language: stores, header = [], footer = [] } = config.paper ?? {};
  const language = receiptLanguage(ask.language, stores);
  const logo = logoOf(shop);
  const rows = receiptRows(sale, config, {
    about: receiptContextOf(shop.running, sale),
    mode: shop.mode,
    inEnglish: language.tag === 'en',
    copy: ask.copy,
    duplicate: ask.duplicate || undefined,
    words: language.words,
    mark: language.mark,
    logo: logo !== undefined,
    header,
    footer,
  });
  return {
    rows,
    language,
    logo,
    number: String(sale.intent.receipt).padStart(6, '0'),
    at: sale.intent.at,
    mode: shop.mode,
  };
};

const logoOf = (shop: PaperFormParts): Picture | undefined => {
  try {
    return storesPicture(shop);
  } catch (error) {
    shop.report(error);
    return undefined;
  }
};

/** The store's logo, if it has one. Throws `printer.picture`. */
export const storesPicture = ({
  running,
  dataDir,
}: Pick<PaperFormParts, 'running' | 'dataDir'>): Picture | undefined => {
  const name = running.config.paper?.logo;
  return name === undefined ? undefined : pictureOf(readPicture(join(dataDir, name), name), name);
};

const readPicture = (file: string, name: string): Uint8Array => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Fault('printer.picture', { name, why: errorText(error) }, error);
  }
};

/** Characters per line when no printer says otherwise. */
export const usualColumns = (width: 58 | 80): Width => (width === 58 ? 32 : 42);

type Sizes = { paper: 58 | 80; merchant: string };
type Formed = { type: string; name: string; body: string | Uint8Array };

/** The receipt in this form, with its file name. */
export const printInForm = async (paper: Paper, form: ReceiptForm, { paper: mm, merchant }: Sizes): Promise<Formed> => {
  const { rows, language, logo, number, at } = paper;
  const width = usualColumns(mm);
  const name = `receipt-${number}`;
  const title = subjectOf(paper, merchant);
  const look = { width, rtl: language.rtl, logo, title, language: language.tag };
  const plain = 'text/plain; charset=utf-8';
  switch (form) {
    case 'text':
      return { type: plain, name: `${name}.txt`, body: `${receiptText(rows, width).join('\n')}\n` };
    case 'svg':
      return { type: 'image/svg+xml', name: `${name}.svg`, body: receiptSvg(layout(rows, width), look) };
    case 'pdf':
      return {
        type: 'application/pdf',
        name: `${name}.pdf`,
        body: await pdfOf(layout(rows, width), { ...look, paper: mm, at }),
      };
    case 'escpos':
      return { type: 'application/octet-stream', name: `${name}.bin`, body: await encodePrint(paper, { width }) };
    case 'receiptline':
      return { type: plain, name: `${name}.receipt`, body: receiptLineOf(rows, { logo }) };
    case 'email':
      return {
        type: 'message/rfc822',
        name: `${name}.eml`,
        body: receiptEmail({ subject: title, lines: receiptText(rows, width) }),
      };
  }
};

/** The font renderer is large, so it is loaded with the first picture or PDF. */
const pdfOf = async (lines: readonly Line[], look: Omit<PdfLook, 'fonts'>): Promise<Uint8Array> => {
  const { receiptPdf } = await import('../receipt/pdf.ts');
  const { paperFonts } = await import('../receipt/fonts.ts');
  return receiptPdf(lines, { ...look, fonts: paperFonts() });
};

const picturesOf = async (
  lines: readonly (readonly [number, Line])[],
  look: SheetLook,
): Promise<Map<number, Raster>> => {
  if (lines.length === 0) return new Map();
  const { rasterise } = await import('../receipt/raster.ts');
  const { paperFonts } = await import('../receipt/fonts.ts');
  return rasterise(lines, { ...look, fonts: paperFonts() });
};

/** The subject has the mark too, because people judge an e-mail before they open it. */
const subjectOf = ({ language: { words }, number, mode }: Paper, merchant: string): string => {
  const subject = words.mailSubject.replace('{receipt}', number).replace('{merchant}', () => safeText(merchant));
  const mark = modeMark(mode, words);
  return mark === undefined ? subject : `${mark}: ${subject}`;
};

type Printing = { width: Width; codePage?: CodePage | undefined; drawer?: boolean };
type Printable = Pick<Paper, 'rows' | 'logo'> & { language: Pick<ReceiptLanguage, 'rtl'> };

/**
 * The bytes for a printer. A line with characters that the printer lacks is sent as a picture; if that concerns every
 * third line or more, all lines are, so that the receipt looks uniform.
 */
export const encodePrint = async (printable: Printable, { width, codePage = 'cp437', drawer }: Printing) => {
  const lines = layout(printable.rows, width).filter(({ kind }) => kind !== 'logo' || printable.logo !== undefined);
  const texts = lines.filter(({ kind }) => kind === 'text');
  const unprintable = texts.filter((line) => !canPrint(line, codePage));
  const all = printable.language.rtl || unprintable.length * 3 >= texts.length;
  const drawn = [...lines.entries()].filter(([, line]) =>
    all ? unprintable.length > 0 && isDrawn(line) : !canPrint(line, codePage),
  );
  const look = { width, rtl: printable.language.rtl, logo: printable.logo };
  const pictures = await picturesOf(drawn, look);
  return escpos(lines, { width, codePage, drawn: pictures, drawer: drawer || undefined });
};

/** Marks use the printer's own characters, so that they are printed even if pictures fail. */
const isDrawn = ({ kind }: Line): boolean => kind !== 'code' && kind !== 'blank' && kind !== 'mark';
