/** Words of the widget: which there are, and how a value is put into them. */
import type { en } from './languages/en.ts';

export type WordKey = keyof typeof en;
export type Words = Readonly<Record<WordKey, string>>;

/** Every sentence with its `{name}` replaced. A name without a value stays as it is, so that nobody misses it. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
