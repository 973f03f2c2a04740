/** A receipt as lines of text for a fixed-width printer or a screen. */
import { columns, frame, wrap } from './columns.ts';
import { type Cell, type Line, layout, type Width } from './layout.ts';
import type { Picture } from './picture.ts';
import type { Row } from './rows.ts';

export type { Width } from './layout.ts';

/**
 * The receipt's lines, none wider than `width` columns and none with trailing spaces. Pictures are left out, and codes
 * are replaced by their captions.
 */
export const receiptText = (rows: readonly Row[], width: Width): string[] =>
  layout(
    rows.filter(
      ({ kind }, i) => kind !== 'logo' && kind !== 'code' && !(kind === 'blank' && rows[i + 1]?.kind === 'code'),
    ),
    width,
  ).map((line) => textOfLine(line, width).trimEnd());

/** One line with its spaces. */
export const textOfLine = (line: Line, width: Width): string => {
  switch (line.kind) {
    case 'text':
      return line.cells.reduce((text, cell) => placeCell(text, cell, width), '');
    case 'mark':
      return placeCell('', { text: frame(line.text, width), at: 'centre' }, width);
    case 'rule':
      return '-'.repeat(width);
    case 'stroke':
      return '_'.repeat(width);
    case 'blank':
    case 'logo':
    case 'code':
      return '';
  }
};

const placeCell = (lineSoFar: string, { text, at, column = 0 }: Cell, width: Width): string => {
  const free = width - columns(text);
  const start = at === 'end' ? free : at === 'centre' ? Math.floor(free / 2) : column;
  return lineSoFar + ' '.repeat(Math.max(0, start - columns(lineSoFar))) + text;
};

// A receipt as an e-mail ready for sending: plain text, in the format of mail programs (RFC 5322).

const LINE_BYTES = 57;
/** At most this many bytes make an encoded word of 75 characters, including base64 and delimiters. */
const WORD_BYTES = 45;

/** The message without sender, recipient and date, which the sending program adds. */
export const receiptEmail = ({ subject, lines }: { subject: string; lines: readonly string[] }): string =>
  [
    'X-Unsent: 1',
    `Subject: ${encodedWords(subject)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...pieces(Buffer.from(`${lines.join('\r\n')}\r\n`), LINE_BYTES),
    '',
  ].join('\r\n');

/**
 * Encodes a subject so that no text in it can become another header (RFC 2047). Encoded words are not split inside a
 * character.
 */
const encodedWords = (text: string): string => {
  const words: string[] = [];
  let word = '';
  for (const letter of text) {
    if (Buffer.byteLength(word + letter) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += letter;
  }
  return [...words, word].map((each) => `=?utf-8?B?${Buffer.from(each).toString('base64')}?=`).join('\r\n ');
};

const pieces = (bytes: Buffer, size: number): string[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size).toString('base64'),
  );

// A receipt in ReceiptLine, the open text format for receipts that other programs print, show and convert.
//
// Source: OFSC ReceiptLine specification (receiptline.org).

/** The document. Text cannot become markup: characters with a meaning in the format are escaped. */
export const receiptLineOf = (rows: readonly Row[], { logo }: { logo?: Picture | undefined }): string =>
  ['{border:space}', ...rows.map((row) => lineOf(row, logo))].join('\n');

/**
 * The program that prints the document chooses the paper and may break lines inside words, so long texts fit the
 * narrowest paper.
 */
const NARROW = 32;

const lineOf = (row: Row, logo: Picture | undefined): string => {
  switch (row.kind) {
    case 'centre':
      return row.large === true ? `^^^${escapeText(row.text)}` : wrap(row.text, NARROW).map(escapeText).join('\n');
    case 'pair':
      return `${largeText(row.left, row.large)} | ${largeText(row.right, row.large)}`;
    case 'fields':
      return `${escapeText(`${row.left.label} ${row.left.value}`)} | ${escapeText(`${row.right.label} ${row.right.value}`)}`;
    case 'mark':
      return `^^${escapeText(frame(row.text, NARROW))}`;
    case 'plain':
      return `|${escapeText(row.text)} |`;
    case 'rule':
      return '-';
    case 'blank':
      return '';
    case 'signature':
      return `\n\n-\n|${escapeText(row.label)} |`;
    case 'logo':
      return logo === undefined ? '' : `{image:${Buffer.from(logo.png).toString('base64')}}`;
    case 'code':
      return `{code:${row.code}; option:qrcode,5,m}\n${escapeText(row.caption)}`;
  }
};

const largeText = (text: string, large?: true): string => (large === true ? `^^${escapeText(text)}` : escapeText(text));

/** Escapes each character that has a meaning in the format. Spaces at the ends of a column belong to the format. */
const escapeText = (text: string): string =>
  text.replace(/[\\|{}~_"`^]/g, (sign) => `\\${sign}`).replace(/^-+$/, '\\-');
