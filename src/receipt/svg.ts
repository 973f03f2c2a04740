/** A receipt as an SVG picture for screens: text stays text and cannot become anything else. */
import type { Line } from './layout.ts';
import { RIGHT_TO_LEFT } from './safe-text.ts';
import { dotsAcross, type PlacedItem, type SheetLook, sheetOf } from './sheet.ts';

const MARGIN = 28;
const FAMILY = "'Noto Sans Mono','DejaVu Sans Mono',Menlo,Consolas,monospace";

/** The whole receipt in black on white, one unit per printer dot; screen readers read `title`. */
export const receiptSvg = (lines: readonly Line[], look: SheetLook & { title: string; language: string }): string => {
  const { height, strips } = sheetOf(lines, look);
  const across = dotsAcross(look.width) + 2 * MARGIN;
  const down = Math.ceil(height + 2 * MARGIN);
  const size = `width="${across}" height="${down}" viewBox="${-MARGIN} ${-MARGIN} ${across} ${down}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" lang="${escapeText(look.language)}">`,
    `<title>${escapeText(look.title)}</title>`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${across}" height="${down}" fill="#fff"/>`,
    `<g fill="#000" font-family="${FAMILY}">`,
    ...strips.flatMap(({ placed }) => placed.map((item) => drawItem(item, textElement))),
    '</g></svg>',
  ].join('\n');
};

const escapeText = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');

/** `text` draws the items that are text. */
export const drawItem = (item: PlacedItem, text: (item: Extract<PlacedItem, { kind: 'text' }>) => string): string => {
  switch (item.kind) {
    case 'text':
      return text(item);
    case 'bar':
      return item.dashed
        ? `<path d="M${item.x} ${item.y + 1}h${item.width}" stroke="#000" stroke-width="${item.height}" stroke-dasharray="6 6"/>`
        : `<rect x="${item.x}" y="${item.y}" width="${item.width}" height="${item.height}"/>`;
    case 'picture':
      return imageElement(item);
    case 'dots':
      return `<path shape-rendering="crispEdges" d="${dotsPath(item)}"/>`;
  }
};

const imageElement = ({ x, y, width, height, picture }: Extract<PlacedItem, { kind: 'picture' }>): string =>
  `<image x="${x}" y="${y}" width="${width}" height="${height}" href="data:image/png;base64,${Buffer.from(picture.png).toString('base64')}"/>`;

/** Each dot as a separate square. */
export const dotsPath = ({ x, y, dot, dots }: Extract<PlacedItem, { kind: 'dots' }>): string =>
  dots
    .flatMap((row, down) =>
      row.map((black, along) => (black ? `M${x + along * dot} ${y + down * dot}h${dot}v${dot}h${-dot}z` : '')),
    )
    .join('');

/** The anchor of a text depends on the text's own direction. */
const textElement = ({ text, x, y, size, bold, anchor, keep }: Extract<PlacedItem, { kind: 'text' }>): string => {
  const rtl = RIGHT_TO_LEFT.test(text);
  const textAnchor = anchor === 'middle' ? 'middle' : (anchor === 'left') === rtl ? 'end' : 'start';
  const extras = [
    textAnchor === 'start' ? '' : ` text-anchor="${textAnchor}"`,
    bold ? ' font-weight="700"' : '',
    rtl ? ' direction="rtl"' : '',
    keep ? ' xml:space="preserve" style="white-space:pre"' : '',
  ].join('');
  return `<text x="${x}" y="${y}" font-size="${size}"${extras}>${escapeText(text)}</text>`;
};
