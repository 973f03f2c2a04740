/** A receipt as a single-page PDF, as wide as its paper and as long as needed, with embedded fonts. */
import { type Face, type Fonts, runsOf, widthOfRun } from './fonts.ts';
import type { Line } from './layout.ts';
import { dotsAcross, type PlacedItem, type SheetLook, sheetOf } from './sheet.ts';

const POINTS_PER_MM = 72 / 25.4;
const MARGIN_MM = 5;

export type PdfLook = SheetLook & {
  fonts: Fonts;
  /** The paper width, mm. */
  paper: 58 | 80;
  title: string;
  language: string;
  /** The date in the document's metadata, ms. */
  at: number;
};

export const receiptPdf = async (lines: readonly Line[], look: PdfLook): Promise<Uint8Array> => {
  // The package is large, and a till that prints no PDF does not need it.
  const { default: PDFDocument } = await import('pdfkit');
  const { height, strips } = sheetOf(lines, look);
  const page = look.paper * POINTS_PER_MM;
  const margin = MARGIN_MM * POINTS_PER_MM;
  const scale = (page - 2 * margin) / dotsAcross(look.width);
  const date = new Date(look.at);
  const document = new PDFDocument({
    size: [page, height * scale + 2 * margin],
    margin: 0,
    lang: look.language,
    displayTitle: true,
    info: { Title: look.title, CreationDate: date, ModDate: date },
  });
  const whole = new Promise<Uint8Array>((resolve, reject) => {
    const parts: Uint8Array[] = [];
    document.on('data', (part: Uint8Array) => parts.push(part));
    document.on('end', () => resolve(Uint8Array.from(Buffer.concat(parts))));
    document.on('error', reject);
  });
  document.translate(margin, margin).scale(scale);
  for (const { placed } of strips) for (const item of placed) draw(document, item, look.fonts);
  document.end();
  return whole;
};

const draw = (document: PDFKit.PDFDocument, item: PlacedItem, fonts: Fonts): void => {
  switch (item.kind) {
    case 'text':
      drawText(document, item, fonts);
      return;
    case 'bar':
      if (item.dashed) {
        document.moveTo(item.x, item.y + 1).lineTo(item.x + item.width, item.y + 1);
        document.lineWidth(item.height).dash(6, { space: 6 }).stroke('#000').undash();
        return;
      }
      document.rect(item.x, item.y, item.width, item.height).fill('#000');
      return;
    case 'picture':
      document.image(Buffer.from(item.picture.png), item.x, item.y, { width: item.width, height: item.height });
      return;
    case 'dots':
      for (const [down, row] of item.dots.entries()) {
        for (const [along, black] of row.entries()) {
          if (black) document.rect(item.x + along * item.dot, item.y + down * item.dot, item.dot, item.dot);
        }
      }
      document.fill('#000');
  }
};

const drawText = (
  document: PDFKit.PDFDocument,
  { text, x, y, size, bold, anchor }: Extract<PlacedItem, { kind: 'text' }>,
  fonts: Fonts,
): void => {
  const runs = runsOf(text, { fonts, bold });
  const wide = runs.reduce((sum, run) => sum + widthOfRun(run, size), 0);
  let at = anchor === 'left' ? x : anchor === 'right' ? x - wide : x - wide / 2;
  for (const run of runs) {
    document.font(embedFont(document, run.face)).fontSize(size).fillColor('#000');
    // With `features` set, the whole run is shaped at once; shaped word by word, right-to-left text would be in the
    // wrong order.
    document.text(run.text, at, y, { lineBreak: false, baseline: 'alphabetic', features: [] });
    at += widthOfRun(run, size);
  }
};

const registered = new WeakMap<PDFKit.PDFDocument, Set<string>>();

/** Embeds a font in the document once, and returns its name there. */
export const embedFont = (document: PDFKit.PDFDocument, { name, bold, bytes }: Face): string => {
  const id = `${name}-${bold ? 'bold' : 'regular'}`;
  const known = registered.get(document) ?? new Set();
  if (!known.has(id)) document.registerFont(id, Buffer.from(bytes));
  registered.set(document, known.add(id));
  return id;
};
