/** What an offline limit, its value and its change are called: `chip.brands.MASTER.total` is of the chip. */
import { brandName } from './brands.ts';
import type { Words } from './tables.ts';

type Names = Pick<Words['manager'], 'limits' | 'entryModes' | 'operations' | 'otherBrands' | 'on' | 'off'>;

/** The kind that a limit is of, and the words of its name: what is limited first, then what it is limited for. */
export const limitParts = (key: string): { group: string; words: string[] } => {
  const path = key.split('.');
  const [first = ''] = path;
  const isGroup = path.length > 1 && ['chip', 'deferred', 'refunds'].includes(first);
  const rest = isGroup ? path.slice(1) : path;
  return { group: isGroup ? first : 'together', words: [rest.at(-1) ?? '', ...rest.slice(0, -1)] };
};

/** `All that waits, together · brand · Mastercard` */
export const limitName = (key: string, names: Names): string =>
  limitParts(key)
    .words.map((word) => wordOf(word, names))
    .join(' · ');

/** The same with its kind before it. What is for all kinds together needs no kind. */
export const wholeLimitName = (key: string, names: Names): string => {
  const { group } = limitParts(key);
  const name = limitName(key, names);
  return group === 'together' ? name : `${names.limits.groups[group] ?? group}: ${name}`;
};

const wordOf = (word: string, { limits, entryModes, otherBrands }: Names): string => {
  if (word === 'other') return otherBrands;
  return limits.names[word] ?? entryModes[word] ?? brandName(word);
};

/** A value as the journal has it, JSON. Left out, a switch is off, a list the usual one, and all else has no limit. */
export const limitValue = (key: string, json: string | undefined, names: Names): string => {
  if (key === 'withoutDataAuthentication') return json === 'true' ? names.on : names.off;
  if (json === undefined) return key === 'operations' ? names.limits.usual : names.limits.noLimit;
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value)) return String(value);
  return value.map((one) => names.operations[String(one)] ?? String(one)).join(', ');
};
