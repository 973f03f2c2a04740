/** Amounts as a language writes them. Inside, an amount's text has a point in every language. */

const usual = /^[a-z]{2,3}(-[a-z]{2})?$/i;

/** What stands before the decimals of an amount where this language (BCP 47) is read: `,` for `de`, `.` for `de-CH`. */
export const decimalMark = (tag: string): string => {
  const locale = usual.test(tag) ? tag : (tag.split('-')[0] ?? '');
  if (!usual.test(locale)) return '.';
  const parts = new Intl.NumberFormat(`${locale}-u-nu-latn`).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
};

/** `12.50 EUR` or `-0.05` with this mark. A text that is no amount with decimals stays as it is. */
export const withMark = (text: string, mark: string): string =>
  text.replace(/^(-?\d+)\.(\d{2,3}(?: [A-Z]{3})?)$/, `$1${mark}$2`);
