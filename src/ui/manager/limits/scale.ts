/** How a limit is written, and the range of its slider. */
import type { LimitSetting } from '../../../api/contract/limits.ts';
import { limitParts } from '../../../locales/names.ts';

export const NONE = 'none';

/** Limits that every store needs to see; the others are collapsed until they are set. */
export const isBasic = ({ key, value, kind }: LimitSetting): boolean => {
  const { words } = limitParts(key);
  return words.length === 1 || (value !== NONE && kind !== 'list');
};

const examples: Readonly<Record<LimitSetting['kind'], string>> = {
  amount: '50.00',
  count: '12',
  hours: '4',
  list: 'sale,void',
  switch: 'yes',
};
export const exampleOf = ({ kind }: LimitSetting): string => examples[kind];

const patterns: Readonly<Record<LimitSetting['kind'], RegExp>> = {
  amount: /^\d{1,10}(\.\d{2})?$/,
  count: /^\d{1,7}$/,
  hours: /^\d{1,4}(\.\d+)?$/,
  list: /^[A-Za-z]+(,[A-Za-z]+)*$/,
  switch: /^(yes|no)$/,
};

/**
 * The typed text in the till's format, accepting full-width digits and a decimal comma. Undefined: not a valid limit.
 */
export const parseLimit = ({ kind }: Pick<LimitSetting, 'kind'>, input: string): string | undefined => {
  const trimmed = input.normalize('NFKC').trim();
  const text = kind === 'amount' || kind === 'hours' ? trimmed.replace(/^(\d+),(\d+)$/, '$1.$2') : trimmed;
  if (text === NONE) return text;
  if (!patterns[kind].test(text)) return undefined;
  return kind === 'amount' && !text.includes('.') ? `${text}.00` : text;
};

export type Scale = { max: number; step: number };

/** 100, 200, 500, 1000 and so on: the next round number that is not smaller. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((part) => part * power).find((next) => next >= value) ?? value;
};

const minimums: Partial<Record<LimitSetting['kind'], number>> = { amount: 100, count: 20, hours: 24 };

/**
 * Twice the present and the used value fit on it, in at most two hundred steps. Only for positions, never for money.
 */
export const scaleOf = ({ kind, value, used = '0' }: LimitSetting): Scale => {
  const largest = Math.max(Number(value) || 0, Number(used) || 0);
  const max = roundUp(Math.max(2 * largest, minimums[kind] ?? 20));
  const step = kind === 'amount' ? max / 200 : Math.max(1, max / 200);
  return { max, step: kind === 'amount' ? Math.max(0.5, step) : Math.round(step) };
};

/** The value at the slider's position. */
export const valueAt = (kind: LimitSetting['kind'], position: number): string =>
  kind === 'amount' ? position.toFixed(2) : String(Math.round(position));

/** The values that differ from the present settings; unreadable ones are left out. */
export const changesOf = (
  settings: readonly LimitSetting[],
  typed: Readonly<Record<string, string>>,
): { changes: Record<string, string>; wrong: string[] } => {
  const changes: Record<string, string> = {};
  const wrong: string[] = [];
  for (const setting of settings) {
    const text = typed[setting.key];
    if (text === undefined) continue;
    const value = parseLimit(setting, text);
    if (value === undefined) wrong.push(setting.key);
    else if (value !== setting.value) changes[setting.key] = value;
  }
  return { changes, wrong };
};

/** Nothing is taken without the gateway any more; the other limits are kept for the next time. */
export const allOff = (settings: readonly LimitSetting[]): Record<string, string> =>
  Object.fromEntries(
    settings
      .filter(({ key, value }) => ['chip.upTo', 'deferred.upTo', 'refunds.upTo'].includes(key) && value !== '0.00')
      .map(({ key }) => [key, '0.00']),
  );
