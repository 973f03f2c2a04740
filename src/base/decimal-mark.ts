/** Amounts as a language writes them. Inside, an amount's text has a point in every language. */

const usual = /^[a-z]{2,3}(-[a-z]{2})?$/;
/** By language and country: a format of the platform is slow to make. English is asked for at every start. */
const known = new Map([['en', '.']]);

/** What stands before the decimals of an amount where this language (BCP 47) is read: `,` for `de`, `.` for `de-CH`. */
export const decimalMark = (tag: string): string => {
  const asked = tag.toLowerCase();
  const locale = usual.test(asked) ? asked : (asked.split('-')[0] ?? '');
  if (!usual.test(locale)) return '.';
  const mark = known.get(locale) ?? markOf(locale);
  known.set(locale, mark);
  return mark;
};

const markOf = (locale: string): string => {
  const parts = new Intl.NumberFormat(`${locale}-u-nu-latn`).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
};

/** `12.50 EUR` or `-0.05` with this mark. A text that is no amount with decimals stays as it is. */
export const withMark = (text: string, mark: string): string =>
  text.replace(/^(-?\d+)\.(\d{2,3}(?: [A-Z]{3})?)$/, `$1${mark}$2`);
