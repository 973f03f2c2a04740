/**
 * Writes lines of CSV files (RFC 4180) in which a spreadsheet finds no formula. Every CSV file of the till and of the
 * gateway is written here.
 */

/** With `signed`, numbers get no guard: texts with at most one sign and one dot, such as amounts. */
export type CsvForm = { delimiter: ',' | ';'; numbers: 'signed' | 'unsigned' };

/** One record, without its line end. */
export const csvLine = (cells: readonly (string | number | null | undefined)[], form: CsvForm): string =>
  cells.map((cell) => (typeof cell === 'string' ? write(cell, form) : `${cell ?? ''}`)).join(form.delimiter);

const write = (text: string, { numbers }: CsvForm): string => {
  if (PLAIN.test(text)) return text;
  const safe = numbers === 'signed' && NUMBER.test(text) ? text : guard(text);
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Most cells: nothing needs escaping. */
const PLAIN = /^(?:[A-Za-z0-9][A-Za-z0-9 ._:/-]*)?$/;

/** A spreadsheet reads it as a number and nothing more. */
const NUMBER = /^-?\d{1,30}(?:\.\d{1,6})?$/;

/** Both delimiters: with another country's settings a spreadsheet splits cells at the other one. */
const SPECIAL = /[",;\t\r\n]/;

/**
 * The characters that begin a formula, including full-width and small forms and the minus sign: spreadsheets in some
 * languages treat them like the plain ones. They may be preceded by characters that are stripped: blanks, quotation
 * marks, and invisible ones (control characters, a byte order mark, zero-width ones). OWASP, CSV injection.
 */
const FORMULA = /^["'\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|^[\t\r\n]/u;

/**
 * The characters after which a spreadsheet may begin another cell inside this one despite its quotation marks: with
 * another country's settings it splits cells at the other delimiter, and then ends the record with the line.
 */
const INNER = /([;,\r\n])/;

/**
 * The text with an apostrophe wherever a spreadsheet would see a formula, at its beginning and after each character
 * that can begin a cell: it is shown, not executed.
 */
export const guard = (text: string): string => {
  const safe = INNER.test(text) ? eachInner(text, (part) => (isInnerFormula(part) ? `'${part}` : part)) : text;
  return FORMULA.test(text) ? `'${safe}` : safe;
};

/** The text that `guard` received: the apostrophes are only for spreadsheets. */
export const removeGuard = (cell: string): string => {
  const text = cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
  if (!INNER.test(text)) return text;
  return eachInner(text, (part) => (part.startsWith("'") && isInnerFormula(part.slice(1)) ? part.slice(1) : part));
};

/** A number after a comma is harmless, signed or not. */
const isInnerFormula = (part: string): boolean => FORMULA.test(part) && !NUMBER.test(part.trim());

/** Changes each part except the first; the delimiters stay. */
const eachInner = (text: string, change: (part: string) => string): string =>
  text
    .split(INNER)
    .map((part, i) => (i === 0 || i % 2 === 1 ? part : change(part)))
    .join('');
