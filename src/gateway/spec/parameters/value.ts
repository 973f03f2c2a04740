/** Whether a value fits its row. Compiled once for each row. */
import { alphabets } from './alphabets.ts';
import type { ParameterRow } from './row.ts';

export type Fits = (value: string) => boolean;

const compiled = new WeakMap<ParameterRow, Fits>();

/** The row's test, made on first use. */
export const fits = (row: ParameterRow): Fits => {
  const known = compiled.get(row);
  if (known !== undefined) return known;
  const made = compile(row);
  compiled.set(row, made);
  return made;
};

const compile = ({ form }: ParameterRow): Fits => {
  if (form.kind === 'words') {
    const words: ReadonlySet<string> = new Set(form.words);
    return (value) => words.has(value);
  }
  if (form.kind === 'shape') {
    const { pattern, check } = form;
    return check === undefined ? (value) => pattern.test(value) : (value) => pattern.test(value) && check(value);
  }
  const { min, max } = form;
  if (form.of === 'any') return (value) => isOfLength(value, min, max);
  const { set, somewhere } = alphabets[form.of];
  const pattern = new RegExp(`^${somewhere === undefined ? '' : `(?=.*${somewhere})`}[${set}]+$`, 'su');
  return (value) => isOfLength(value, min, max) && pattern.test(value);
};

/** In code points. Counting them is needed only when UTF-16 units leave it open. */
const isOfLength = (value: string, min: number, max: number): boolean => {
  const units = value.length;
  if (units < min || units > 2 * max) return false;
  if (units <= max && units >= 2 * min) return true;
  let points = 0;
  for (const _ of value) points += 1;
  return points >= min && points <= max;
};
