/** Words of the widget: which there are, and how a value is put into them. */
import type { en } from './languages/en.ts';

export type WidgetWordKey = keyof typeof en;
export type WidgetWords = Readonly<Record<WidgetWordKey, string>>;

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

/**
 * Every sentence with its `{name}` replaced. A name without a value stays as it is, so that nobody misses it. In what
 * is read from right to left a value stands between Unicode's isolates (UAX #9), so that `Visa 0091` and `05/34` keep
 * their order and disturb no other.
 */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return RIGHT_TO_LEFT.test(text) ? `\u2068${value}\u2069` : String(value);
  });
