/** Lines as black and white pictures, for printers that lack the characters. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { Raster } from './escpos.ts';
import { type Fonts, runsOf, widthOfRun } from './fonts.ts';
import type { Line } from './layout.ts';
import { dotsAcross, type PlacedItem, type SheetLook, type Strip, sheetOf } from './sheet.ts';
import { drawItem } from './svg.ts';

let ready: Promise<void> | undefined;

/** The renderer is a WebAssembly module, loaded once with the first picture. */
const load = (): Promise<void> => {
  ready ??= readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))).then(initWasm);
  return ready;
};

/** These lines as an SVG without text: letters are outlines from the given fonts. */
export const outlineSvg = (lines: readonly Line[], look: SheetLook & { fonts: Fonts }): string => {
  const { height, strips } = sheetOf(lines, look);
  const across = dotsAcross(look.width);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${Math.max(1, height)}">`,
    `<rect width="${across}" height="${height}" fill="#fff"/>`,
    ...strips.flatMap(({ placed }) => placed.map((item) => drawItem(item, (text) => textPaths(text, look.fonts)))),
    '</svg>',
  ].join('');
};

const textPaths = ({ text, x, y, size, bold, anchor }: Extract<PlacedItem, { kind: 'text' }>, fonts: Fonts): string => {
  const runs = runsOf(text, { fonts, bold });
  const wide = runs.reduce((sum, run) => sum + widthOfRun(run, size), 0);
  let at = anchor === 'left' ? x : anchor === 'right' ? x - wide : x - wide / 2;
  return runs
    .map((run) => {
      const { unitsPerEm } = run.face.font;
      const scale = size / unitsPerEm;
      const { glyphs, positions } = run.face.font.layout(run.text);
      return glyphs
        .map(({ path }, index) => {
          const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
          const place = `translate(${at + xOffset * scale} ${y - yOffset * scale}) scale(${scale} ${-scale})`;
          at += xAdvance * scale;
          return `<path transform="${place}" d="${path.toSVG()}"/>`;
        })
        .join('');
    })
    .join('');
};

/** A picture of each of these lines, by line number. For an empty list the renderer is not even loaded. */
export const rasterise = async (
  lines: readonly (readonly [number, Line])[],
  look: SheetLook & { fonts: Fonts },
): Promise<Map<number, Raster>> => {
  if (lines.length === 0) return new Map();
  await load();
  const drawn = lines.map(([, line]) => line);
  const { strips } = sheetOf(drawn, look);
  const renderer = new Resvg(outlineSvg(drawn, look), { background: '#fff' });
  const image = renderer.render();
  const { width, pixels } = image;
  const rasters = lines.map(([number, line], i): [number, Raster] => [
    number,
    rasterOf(greyOf(pixels, width, strips[i] ?? { top: 0, height: 0, placed: [] }), {
      across: width,
      shades: line.kind === 'logo',
    }),
  ]);
  image.free();
  renderer.free();
  return new Map(rasters);
};

const greyOf = (pixels: Uint8Array, width: number, { top, height }: Pick<Strip, 'top' | 'height' | 'placed'>) => {
  const grey = new Float32Array(width * height);
  for (let offset = 0; offset < grey.length; offset += 1) {
    const from = (top * width + offset) * 4;
    grey[offset] = 0.3 * (pixels[from] ?? 255) + 0.59 * (pixels[from + 1] ?? 255) + 0.11 * (pixels[from + 2] ?? 255);
  }
  return grey;
};

/** Letters get hard edges; a picture's shades are dithered by error diffusion (Floyd and Steinberg). */
const rasterOf = (grey: Float32Array, { across, shades }: { across: number; shades: boolean }): Raster => {
  const rows = grey.length / across;
  const bytesAcross = Math.ceil(across / 8);
  const bits = new Uint8Array(bytesAcross * rows);
  const spreadError = (offset: number, error: number) => {
    if (offset < grey.length) grey[offset] = (grey[offset] ?? 0) + error;
  };
  for (let offset = 0; offset < grey.length; offset += 1) {
    const value = grey[offset] ?? 255;
    const black = value < 140;
    const [row, column] = [Math.floor(offset / across), offset % across];
    if (black)
      bits[row * bytesAcross + (column >> 3)] = (bits[row * bytesAcross + (column >> 3)] ?? 0) | (0x80 >> (column & 7));
    if (!shades) continue;
    const error = value - (black ? 0 : 255);
    if (column + 1 < across) spreadError(offset + 1, (error * 7) / 16);
    if (column > 0) spreadError(offset + across - 1, (error * 3) / 16);
    spreadError(offset + across, (error * 5) / 16);
    if (column + 1 < across) spreadError(offset + across + 1, error / 16);
  }
  return { bytesAcross, rows, bits };
};
