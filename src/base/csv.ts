/**
 * Lines of CSV files (RFC 4180) in which a spreadsheet finds no formula. Every CSV file of the till and of the gateway
 * is written here.
 */

/** A number has no guard where `numbers` says so: a text with at most one sign and one dot, as an amount has. */
export type CsvForm = { delimiter: ',' | ';'; numbers: 'signed' | 'unsigned' };

/** One record, without the end of its line. */
export const csvLine = (cells: readonly (string | number | null | undefined)[], form: CsvForm): string =>
  cells.map((cell) => (typeof cell === 'string' ? written(cell, form) : `${cell ?? ''}`)).join(form.delimiter);

const written = (text: string, { numbers }: CsvForm): string => {
  if (PLAIN.test(text)) return text;
  const safe = numbers === 'signed' && NUMBER.test(text) ? text : guarded(text);
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Most cells: nothing to look at twice. */
const PLAIN = /^(?:[A-Za-z0-9][A-Za-z0-9 ._:/-]*)?$/;

/** No spreadsheet takes it for more than a number. */
const NUMBER = /^-?\d{1,30}(?:\.\d{1,6})?$/;

/** Both delimiters: in another country's settings a spreadsheet parts the cells by the other one. */
const SPECIAL = /[",;\t\r\n]/;

/**
 * The signs that begin a formula, also in full width, in small form, and as a minus sign: spreadsheets in some
 * languages take them for the plain ones. What may be stripped before them: blanks, quotation marks, and characters
 * that nobody sees (control characters, a byte order mark, zero-width ones). OWASP, CSV injection.
 */
const FORMULA = /^["'\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|^[\t\r\n]/u;

/**
 * Where a spreadsheet may begin another cell inside of this one, for all its quotation marks: in another country's
 * settings it parts cells by the other sign, and then ends the record with the line.
 */
const INNER = /([;,\r\n])/;

/**
 * The text with an apostrophe where a spreadsheet would take it for a formula, at its beginning and behind each sign
 * that may begin a cell: it is shown, and not run.
 */
export const guarded = (text: string): string => {
  const safe = INNER.test(text) ? eachInner(text, (part) => (isInnerFormula(part) ? `'${part}` : part)) : text;
  return FORMULA.test(text) ? `'${safe}` : safe;
};

/** The text that `guarded` was given: the apostrophes are for spreadsheets alone. */
export const unguarded = (cell: string): string => {
  const text = cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
  if (!INNER.test(text)) return text;
  return eachInner(text, (part) => (part.startsWith("'") && isInnerFormula(part.slice(1)) ? part.slice(1) : part));
};

/** A number behind a comma is no more than that, signed or not. */
const isInnerFormula = (part: string): boolean => FORMULA.test(part) && !NUMBER.test(part.trim());

/** The parts behind the first, each changed; the signs between them stay. */
const eachInner = (text: string, change: (part: string) => string): string =>
  text
    .split(INNER)
    .map((part, at) => (at === 0 || at % 2 === 1 ? part : change(part)))
    .join('');
