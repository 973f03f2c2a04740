/** The expiry date as it is typed, MM/YY, and as it travels. */

/** What to show for what was typed: `5` is `05/`, `1225` is `12/25`, `12/2025` too. */
export const expiryTyped = (text: string, before: string): string => {
  const clean = text.replace(/[^\d/]/g, '');
  const [first = '', ...rest] = clean.split('/');
  const digits = (clean.includes('/') && first.length === 1 ? `0${first}` : first) + rest.join('');
  const whole = digits.length > 1 || !/^[2-9]/.test(digits) ? digits : `0${digits}`;
  const month = whole.slice(0, 2);
  const year = whole.length > 4 && whole.slice(2, 4) === '20' ? whole.slice(4, 6) : whole.slice(2, 4);
  // Who deletes the stroke wants the month back.
  if (before.startsWith(text) && before.endsWith('/') && text.length === 2) return month.slice(0, 1);
  return month.length === 2 ? `${month}/${year}` : month;
};

type Expiry = { month: string; year: string };

type Today = { year: number; month: number };

/** Undefined when it is no date. The year has four digits; a card lives no longer than fifty years. */
export const expiryOf = (text: string, { year: thisYear }: Today): Expiry | undefined => {
  const found = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text);
  if (found === null) return undefined;
  const [, month = '', short = ''] = found;
  const century = Math.floor(thisYear / 100) * 100;
  const year = century + Number(short);
  return { month, year: String(year < thisYear - 50 ? year + 100 : year) };
};

/** A card is good to the end of its month. */
export const isPast = ({ month, year }: Expiry, today: Today): boolean =>
  Number(year) * 12 + Number(month) < today.year * 12 + today.month;
