/** A terminal's own paper: whether a sum stands there. */
import { exponentOf, type Money } from '../base/money.ts';

/**
 * Whether one of the lines names this sum. Terminals print `1.234,56`, `1,234.56` or `1234.56`: the digits and the
 * currency's own decimals are what counts. Without decimals a sum looks like any number: it must stand by its currency.
 */
export const names = (lines: readonly string[], { minor, currency }: Money): boolean => {
  const places = exponentOf(currency);
  const wanted = (minor < 0n ? -minor : minor).toString();
  const sums = places === 0 ? WHOLE : new RegExp(`\\d[\\d.,']*[.,]\\d{${places}}(?!\\d)`, 'g');
  return lines
    .filter((line) => places > 0 || line.includes(currency))
    .some((line) => (line.match(sums) ?? []).some((text) => digitsOf(text) === wanted));
};

const WHOLE = /\d{1,3}(?:[.,']\d{3})+(?!\d)|\d+/g;

const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
