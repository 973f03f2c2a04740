/**
 * A receipt as the bytes for a thermal printer that understands Epson's ESC/POS. Lines with characters that the printer
 * lacks are sent as pictures. Text only ever reaches the printer as characters of its code page.
 *
 * Source: Epson, "ESC/POS Command Reference for TM printers".
 */
import { type CodePage, encodeText, isTwoByte, numberOfPage } from '../base/code-pages.ts';
import { concat } from '../base/hex.ts';
import { columns } from './columns.ts';
import type { Line, Width } from './layout.ts';
import { textOfLine } from './text.ts';

/** A black and white picture, one bit per dot, most significant first, 1 is black; rows are whole bytes. */
export type Raster = { bytesAcross: number; rows: number; bits: Uint8Array };

export type PrintOptions = {
  width: Width;
  codePage: CodePage;
  /** The pictures of lines, by line number. */
  drawn: ReadonlyMap<number, Raster>;
  /** Opens the drawer before anything is printed. */
  drawer?: boolean;
};

const ESC = 0x1b;
const FS = 0x1c;
const GS = 0x1d;
const LF = 0x0a;

const FEED_BEFORE_CUT = 4;
/** A printer has little memory for a picture. */
const BAND_ROWS = 128;

/** Whether the printer has all characters of this line. */
export const canPrint = (line: Line, codePage: CodePage): boolean =>
  line.kind !== 'logo' &&
  (line.kind !== 'text' || line.cells.every(({ text }) => encodeText(text, codePage) !== undefined));

/** Bold, with a multiple of the width and height: the value of `GS !`. */
const withSize = (bytes: Uint8Array, size: 0x01 | 0x11): Uint8Array =>
  concat(
    Uint8Array.of(GS, 0x21, size, ESC, 0x45, 1),
    size === 0x11 ? centre(bytes) : bytes,
    Uint8Array.of(GS, 0x21, 0, ESC, 0x45, 0),
  );

/** The pulse that opens a cash drawer on the usual pin. */
export const drawerPulse = Uint8Array.of(ESC, 0x70, 0, 25, 250);

/** One print job, from reset to cut. `drawn` has a picture of each line for which `canPrint` is false. */
export const escpos = (lines: readonly Line[], options: PrintOptions): Uint8Array =>
  concat(
    Uint8Array.of(ESC, 0x40),
    options.drawer === true ? drawerPulse : new Uint8Array(0),
    select(options.codePage),
    ...lines.map((line, i) => lineBytes(line, options.drawn.get(i), options)),
    Uint8Array.of(ESC, 0x64, FEED_BEFORE_CUT, GS, 0x56, 0x42, 0),
  );

const select = (page: CodePage): Uint8Array => {
  if (!isTwoByte(page)) return Uint8Array.of(FS, 0x2e, ESC, 0x74, numberOfPage(page));
  const kanji = Uint8Array.of(FS, 0x26);
  return page === 'shiftjis' ? concat(kanji, Uint8Array.of(FS, 0x43, 1)) : kanji;
};

const lineBytes = (line: Line, drawn: Raster | undefined, { width, codePage }: PrintOptions): Uint8Array => {
  if (drawn !== undefined) return centre(rasterBytes(drawn));
  if (line.kind === 'logo') return new Uint8Array(0);
  if (line.kind === 'code') return codeBytes(line.code);
  if (line.kind === 'mark') return withSize(encodePlain(textOfLine(line, width), codePage), 0x01);
  if (line.kind !== 'text' || line.large !== true) return encodePlain(textOfLine(line, width), codePage);
  return largeBytes(line, { width, codePage });
};

const encodePlain = (text: string, codePage: CodePage): Uint8Array =>
  concat(encodeText(text.trimEnd(), codePage) ?? new Uint8Array(0), Uint8Array.of(LF));

/** Double height, and also double width where a single text fits. Always bold. */
const largeBytes = (
  line: Extract<Line, { kind: 'text' }>,
  { width, codePage }: Pick<PrintOptions, 'width' | 'codePage'>,
): Uint8Array => {
  const [first] = line.cells;
  const alone = line.cells.length === 1 && first?.at === 'centre';
  const wide = alone && columns(first.text) * 2 <= width;
  return withSize(encodePlain(wide ? first.text : textOfLine(line, width), codePage), wide ? 0x11 : 0x01);
};

const centre = (bytes: Uint8Array): Uint8Array =>
  concat(Uint8Array.of(ESC, 0x61, 1), bytes, Uint8Array.of(ESC, 0x61, 0));

/** GS v 0, in bands. */
const rasterBytes = ({ bytesAcross, rows, bits }: Raster): Uint8Array => {
  const bands: Uint8Array[] = [];
  for (let from = 0; from < rows; from += BAND_ROWS) {
    const count = Math.min(BAND_ROWS, rows - from);
    const head = [GS, 0x76, 0x30, 0, bytesAcross & 0xff, bytesAcross >> 8, count & 0xff, count >> 8];
    bands.push(Uint8Array.from(head), bits.subarray(from * bytesAcross, (from + count) * bytesAcross));
  }
  return concat(...bands);
};

/** A QR code drawn by the printer itself: model 2, modules of 5 dots, error correction M. */
const codeBytes = (code: string): Uint8Array => {
  const data = new TextEncoder().encode(code);
  const codeCommand = (...parts: number[]) => {
    const length = parts.length;
    return Uint8Array.of(GS, 0x28, 0x6b, length & 0xff, length >> 8, ...parts);
  };
  return centre(
    concat(
      codeCommand(0x31, 0x41, 0x32, 0),
      codeCommand(0x31, 0x43, 5),
      codeCommand(0x31, 0x45, 0x31),
      codeCommand(0x31, 0x50, 0x30, ...data),
      codeCommand(0x31, 0x51, 0x30),
      Uint8Array.of(LF),
    ),
  );
};
