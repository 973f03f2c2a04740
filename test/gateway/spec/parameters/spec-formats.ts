/** The formats of the specification and those of our rows, in one short form for comparison. */
import { alphabets } from '../../../../src/gateway/spec/parameters/formats.ts';
import type { ParameterRow } from '../../../../src/gateway/spec/parameters/row.ts';

/** The beginning of a cell, and the format that it states; the first match counts. */
const plainFormats: readonly (readonly [start: RegExp, short: string])[] = [
  [/^AMT/, 'up to 10 digits, a dot and 2 decimals'],
  [/^(decimal, up to 10|same as amount|same format)/, 'up to 10 digits, then optionally a dot and 2 decimals'],
  [/^(DATETIME|yyyy-MM-dd HH:mm:ss,)/, 'a date and time, yyyy-MM-dd HH:mm:ss'],
  [/^(DATE\b|yyyy-MM-dd$|yyyy-mm-dd)/, 'a date, yyyy-MM-dd'],
  [/^CCY/, 'an ISO 4217 currency code such as EUR'],
  [/^CTRY2/, 'a country code of two upper-case letters'],
  [/^01 to 12$/, '01 to 12'],
  [/^four digits starting 19 or 20$/, 'a year of four digits starting 19 or 20'],
  [/^true or false/, 'true or false'],
  [/^(AN )?6-26 chars, starts with plus or digit$/, '6 to 26 characters, first a plus sign or a digit'],
  [/^starts with plus or digit, 8-26 chars$/, '8 to 26 characters, first a plus sign or a digit'],
  [/^(N2, )?01-08$/, '01 to 08'],
  [/^01-04/, '01 to 04'],
  [/^01-09/, '01 to 09'],
];

const sets: readonly (readonly [RegExp, string])[] = [
  [/letters digits plus hyphen dot/, 'letters, digits, plus signs, hyphens or dots'],
  [/letters digits underscore/, 'letters, digits or underscores'],
  [/letters digits whitespace/, 'letters, digits or spaces'],
  [/letters digits hyphen/, 'letters, digits or hyphens'],
  [/letters digits dot/, 'letters, digits or dots'],
  [/letters (and )?digits/, 'letters or digits'],
  [/letters and hyphen/, 'letters, digits or hyphens'],
  [/two uppercase letters/, 'upper-case letters'],
  [/^(two|three) letters|alpha-3/, 'letters A to Z'],
  [/^(A\d|letters, )/, alphabets.letters.words],
  [/^(N\d|N up to|\d+-\d+ digits|one digit)/, 'digits'],
];

const lengths: readonly (readonly [RegExp, (found: readonly string[]) => string])[] = [
  [/^(?:exactly )?(\d+) chars/, ([length]) => `${length} ${length}`],
  [/^one digit/, () => '1 1'],
  [/^two (?:uppercase )?letters/, () => '2 2'],
  [/^three letters/, () => '3 3'],
  [/^(?:AN|A|N)?(\d+)-(\d+)/, ([min, max]) => `${min} ${max}`],
  [/^(?:AN|N)(\d+)/, ([max]) => `1 ${max}`],
  [/^(?!.*starts with).*\bup to (\d+)(?! integer)(?:$|[ ;,])/, ([max]) => `1 ${max}`],
  // No length stated.
  [/^AN( or N,.*)?$/, () => '1 2048'],
];

/** The text that a row should have if the specification states one of the plain formats above. */
export const plainOf = (cell: string): string | undefined => plainFormats.find(([start]) => start.test(cell))?.[1];

/** Length limits and alphabet of a text; undefined if no length is stated. For maps, the format of a value. */
export const textOf = (cell: string): string | undefined => {
  const format = cell.replace(/^.*; value /, '');
  const found = lengths.flatMap(([pattern, bounds]) => {
    const match = pattern.exec(format);
    return match === null ? [] : [bounds(match.slice(1))];
  })[0];
  const set = sets.find(([pattern]) => pattern.test(format))?.[1] ?? 'characters';
  return found === undefined ? undefined : `${found} ${set}`;
};

/** The format of our row. */
export const formatOf = ({ form, mustBe }: ParameterRow): string =>
  form.kind === 'text' ? `${form.min} ${form.max} ${alphabets[form.of].words}` : mustBe;

/** The values in a cell, in its order: `A, B or C (default)`. */
export const wordsOf = (cell: string, texts: readonly string[]): string[] => {
  const list =
    cell
      .replace(/ \(default [A-Z]+\)/, '')
      .replace(/^(A_ 5-30 chars; one of|one of|AN; value) /, '')
      .split(/; (?!INTERNAL)/)[0] ?? '';
  const tokens = list.match(/(?<![\w-])(?:_?[A-Z][A-Z_]*|0[1-9]|[a-z]+|SettlementTxDate)(?![\w-])/g) ?? [];
  // Prose has lower-case words, which count only if our row knows them.
  return tokens.filter((token) => texts.includes(token) || /^_?[A-Z][A-Z_]*$/.test(token));
};
