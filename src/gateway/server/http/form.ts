/** Decodes application/x-www-form-urlencoded text, and refuses what other decoders guess. Pure. */
import { printable } from '../../../base/mask.ts';
import { createBare } from '../../spec/json.ts';
import type { ParameterError } from '../../spec/parameters/errors.ts';
import { aliases } from '../../spec/parameters/payment.ts';

export type FormBody =
  | {
      kind: 'form';
      sent: Record<string, string>;
      /** Names that were sent with several values. */
      errors: readonly ParameterError[];
      /** Names that were sent several times with one value: accepted by a lenient channel. */
      repeats: readonly ParameterError[];
    }
  | { kind: 'malformed'; why: string };

/** A cart of 1000 items with all of their fields. */
const PAIRS_MAX = 60_000;

/**
 * Names and values of a form, in an object without a prototype: no name has a meaning in the language. An empty value
 * counts as absent. A name sent twice is reported, separately if all its values are equal: of different ones nobody can
 * know which is meant. A malformed escape, or one that is not UTF-8, makes the whole form malformed.
 */
export const decodeForm = (text: string): FormBody => {
  const sent = createBare<string>();
  const repeated = new Map<string, 'equal' | 'different'>();
  if (hasTooMany(text)) return { kind: 'malformed', why: `It has more than ${PAIRS_MAX} parameters.` };
  let equals = -1;
  for (let from = 0, to = 0; from < text.length; from = to + 1) {
    to = next('&', text, from);
    if (to === from) continue;
    // The sign may belong to a later parameter; then it is not searched for again.
    if (equals < from) equals = next('=', text, from);
    const rawName = unescapeForm(text.slice(from, Math.min(equals, to)));
    const value = equals < to ? unescapeForm(text.slice(equals + 1, to)) : '';
    if (rawName === undefined || value === undefined) {
      return { kind: 'malformed', why: 'It has a percent escape that is malformed or not UTF-8.' };
    }
    if (rawName.includes('\0') || value.includes('\0')) {
      return { kind: 'malformed', why: 'It has the character U+0000.' };
    }
    if (value === '') continue;
    const name = aliases.get(rawName) ?? rawName;
    // The same value by both of its names is no contradiction.
    const previous = sent[name];
    if (previous !== undefined && previous !== value) repeated.set(name, 'different');
    else if (previous !== undefined && name === rawName && !repeated.has(name)) repeated.set(name, 'equal');
    sent[name] = value;
  }
  if (repeated.size === 0) return { kind: 'form', sent, errors: NONE, repeats: NONE };
  const reportRepeats = (values: 'equal' | 'different'): readonly ParameterError[] =>
    [...repeated]
      .filter(([, equality]) => equality === values)
      .map(([name]) => ({ name: printable(name, 128), value: null, message: 'must be sent only once' }));
  return { kind: 'form', sent, errors: reportRepeats('different'), repeats: reportRepeats('equal') };
};

const NONE: readonly ParameterError[] = [];

/** Each parameter has at least one character and a separator, so only a long text needs counting. */
const hasTooMany = (text: string): boolean => text.length >= PAIRS_MAX && text.split('&').length > PAIRS_MAX;

/** The next position of the sign, or the text's end. */
const next = (separator: string, text: string, from: number): number => {
  const i = text.indexOf(separator, from);
  return i < 0 ? text.length : i;
};

const unescapeForm = (text: string): string | undefined => {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
};
