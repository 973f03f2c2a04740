/**
 * A receipt in ReceiptLine, the open text format for receipts that other programs print, show and convert.
 *
 * Source: OFSC ReceiptLine specification (receiptline.org).
 */
import { framed, wrap } from './columns.ts';
import type { Picture } from './picture.ts';
import type { Row } from './rows.ts';

/** The document. Texts cannot become markup: what has a meaning in the format is escaped. */
export const receiptLineOf = (rows: readonly Row[], { logo }: { logo?: Picture | undefined }): string =>
  ['{border:space}', ...rows.map((row) => lineOf(row, logo))].join('\n');

/** Whoever prints the document chooses its paper and breaks lines inside words: long texts fit the narrowest one. */
const NARROW = 32;

const lineOf = (row: Row, logo: Picture | undefined): string => {
  switch (row.kind) {
    case 'centre':
      return row.large === true ? `^^^${escaped(row.text)}` : wrap(row.text, NARROW).map(escaped).join('\n');
    case 'pair':
      return `${big(row.left, row.large)} | ${big(row.right, row.large)}`;
    case 'fields':
      return `${escaped(`${row.left.label} ${row.left.value}`)} | ${escaped(`${row.right.label} ${row.right.value}`)}`;
    case 'mark':
      return `^^${escaped(framed(row.text, NARROW))}`;
    case 'plain':
      return `|${escaped(row.text)} |`;
    case 'rule':
      return '-';
    case 'blank':
      return '';
    case 'signature':
      return `\n\n-\n|${escaped(row.label)} |`;
    case 'logo':
      return logo === undefined ? '' : `{image:${Buffer.from(logo.png).toString('base64')}}`;
    case 'code':
      return `{code:${row.code}; option:qrcode,5,m}\n${escaped(row.caption)}`;
  }
};

const big = (text: string, large?: true): string => (large === true ? `^^${escaped(text)}` : escaped(text));

/** Each sign that the format gives a meaning; blanks at the ends of a column are the format's own. */
const escaped = (text: string): string => text.replace(/[\\|{}~_"`^]/g, (sign) => `\\${sign}`).replace(/^-+$/, '\\-');
